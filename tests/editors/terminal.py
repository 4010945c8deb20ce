"""A terminal in which an editor runs: what it shows, and keys for it."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

import pyte


class Screen(pyte.Screen):
    """One that lets pass what it does not know: questions about the keyboard, which look like colours."""

    def select_graphic_rendition(self, *numbers, private=False):
        if not private:
            super().select_graphic_rendition(*numbers)

    def report_device_status(self, mode, private=False):
        super().report_device_status(mode)


class Terminal:
    """A program in a terminal of its own; `screen` is what a user would see, `shown` the bytes that made it so."""

    def __init__(self, words, folder, environment, rows=40, columns=120):
        self.screen = Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.shown = b""
        self._ours, theirs = pty.openpty()
        self.screen.write_process_input = self.type  # answers to questions about the terminal
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        environment = {"TERM": "xterm-256color", **environment}
        self.process = subprocess.Popen(
            words, cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        )
        os.close(theirs)

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def show(self, data):
        """Put bytes on the screen, before what the program prints from now on."""
        self.shown += data
        self._stream.feed(data)

    def type(self, keys):
        os.write(self._ours, keys.encode())

    def look(self, seconds=0.2):
        """Take in what is shown for a while; False when the program has ended."""
        until = time.monotonic() + seconds
        while select.select([self._ours], [], [], max(0, until - time.monotonic()))[0]:
            try:
                self.show(os.read(self._ours, 1 << 16))
            except OSError:  # its end of the line is closed
                return False
        return True

    def wait_until(self, condition, seconds=30):
        """Wait until a condition holds for what is shown. Raises TimeoutError, with the last picture, when it never
        does."""
        until = time.monotonic() + seconds
        while not condition(self.text):
            if not self.look() or time.monotonic() > until:
                if condition(self.text):
                    return
                raise TimeoutError(self.text)

    def wait_for_end(self, seconds=60):
        """Look on until the program has ended. Raises TimeoutError with the last picture."""
        until = time.monotonic() + seconds
        while self.look():
            if time.monotonic() > until:
                self.process.kill()
                raise TimeoutError(self.text)
        return self.process.wait()
