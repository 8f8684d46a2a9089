# terminal.py: a terminal for tests of ompp tui: a pseudo-terminal, whose screen pyte makes as a user would see it.
import errno
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

import pyte

KEYS = {
    "up": "\x1bOA", "down": "\x1bOB", "right": "\x1bOC", "left": "\x1bOD", "home": "\x1bOH", "end": "\x1bOF",
    "pgup": "\x1b[5~", "pgdn": "\x1b[6~", "enter": "\r", "tab": "\t", "backtab": "\x1b[Z", "esc": "\x1b",
    "backspace": "\x7f", "space": " ",
}


class Screen(pyte.Screen):
    """A screen that can scroll, and repeat a character, as xterm can; pyte has neither."""

    def draw(self, data):
        self.last = data[-1:]
        super().draw(data)

    def scroll(self, change, n):
        top = self.margins.top if self.margins else 0
        x, y = self.cursor.x, self.cursor.y
        self.cursor.y = top
        change(n)
        self.cursor.x, self.cursor.y = x, y

    def scroll_up(self, n=None, **_):
        self.scroll(self.delete_lines, n or 1)

    def scroll_down(self, n=None, **_):
        self.scroll(self.insert_lines, n or 1)

    def repeat(self, n=None, **_):
        self.draw(self.last * (n or 1))


class Stream(pyte.ByteStream):
    csi = {**pyte.ByteStream.csi, "S": "scroll_up", "T": "scroll_down", "b": "repeat"}
    events = pyte.ByteStream.events | {"scroll_up", "scroll_down", "repeat"}


class Terminal:
    """A program in a terminal of some size."""

    def __init__(self, arguments, rows=24, columns=80, environment=()):
        self.screen = Screen(columns, rows)
        self.stream = Stream(self.screen)
        self.received = b""
        self.arguments = arguments
        environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **dict(environment)}
        environment = {name: value for name, value in environment.items() if value is not None}
        self.pid, self.fd = pty.fork()
        if not self.pid:
            # the size is there before the program asks, and the shell's usual settings are those that it has to restore
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvpe(arguments[0], arguments, environment)
        self.before = termios.tcgetattr(self.fd)

    def read(self, seconds):
        """Takes what comes within some seconds; False at the end."""
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return False
        self.received += data
        self.stream.feed(data)
        return bool(data)

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def wait(self, is_there, what, seconds=20):
        """Waits until the screen is as it has to be."""
        end = time.monotonic() + seconds
        while not is_there(self.text()):
            if time.monotonic() > end or not self.read(0.05):
                fail(f"{what}; the screen:\n{self.text()}")

    def has(self, *words, seconds=20):
        for word in words:
            self.wait(lambda text, word=word: word in text, f"no '{word}'", seconds)

    def has_not(self, *words):
        for word in words:
            self.wait(lambda text, word=word: word not in text, f"still '{word}'")

    def is_busy(self):
        """Does the program run, or would it if there were a processor for it?"""
        with open(f"/proc/{self.pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] in "RD"

    def quiet(self, seconds=0.3):
        """Takes all until nothing has come for a while, and the program waits for a key."""
        n = -1
        while n != len(self.received) or self.is_busy():
            n = len(self.received)
            if not self.read(seconds):
                return

    def press(self, *keys):
        """Types keys by their names, and texts, one after another."""
        for key in keys:
            os.write(self.fd, KEYS.get(key, key).encode())
            if key == "esc":
                time.sleep(0.1)  # what follows at once would be a part of the same key

    def resize(self, rows, columns):
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def kill(self, number):
        os.kill(self.pid, number)

    def row_of(self, word):
        for number, line in enumerate(self.lines()):
            if word in line:
                return number
        fail(f"no row has '{word}':\n{self.text()}")

    def end(self, seconds=20):
        """Waits for the end of the program; returns its status, -N for signal N."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while self.read(0.05) and select.select([self.fd], [], [], 0)[0]:
                    pass
                return os.waitstatus_to_exitcode(status)
            self.read(0.05)
        os.kill(self.pid, signal.SIGKILL)
        fail(f"it does not end:\n{self.text()}")

    def is_restored(self):
        """Does the terminal have the settings of before, and show the shell's screen and cursor again?"""
        return (
            termios.tcgetattr(self.fd) == self.before
            and self.received.rfind(b"\x1b[?1049l") > self.received.rfind(b"\x1b[?1049h")
        )


def fail(what):
    print("FAILED:", what, file=sys.stderr)
    sys.exit(1)


def check(is_true, what):
    if not is_true:
        fail(what)
