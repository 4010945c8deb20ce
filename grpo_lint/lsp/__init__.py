"""The language server: what `check` knows, in an editor, while the file is typed.

`server` speaks the protocol, `session` holds the open documents; the other modules are functions from a report and a
place in its text to what an editor shows, as the plain objects that LSP 3.17 describes.
"""
