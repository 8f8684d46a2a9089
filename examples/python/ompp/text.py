"""Names of programs as text: they may have anything in them."""
import unicodedata


def shown(name):
    """A name without control characters and what changes the direction of writing: \\x1b."""
    return "".join(c if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Zl", "Zp") else
                   "\\x%02x" % ord(c) if ord(c) < 256 else "\\u%04x" % ord(c) for c in name)
