"""The language server: shows in an editor what `check` finds, while the file is typed.

`server` speaks the protocol and `session` holds the open documents. The other modules are functions from a report and a
place in its text to what an editor shows, as the plain objects that LSP 3.17 describes.
"""
