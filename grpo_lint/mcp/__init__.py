"""The server for agents that write configs: the Model Context Protocol on standard input and output."""
