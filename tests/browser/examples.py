"""examples: see examples.sh.  Usage: examples.py PAGE PROPERTY SOURCE …"""

import re
import sys

from browser import Browser

arguments = sys.argv[1:]
assert arguments and len(arguments) % 3 == 0, arguments
with Browser() as b:
    for page, name, source in zip(*[iter(arguments)] * 3):
        words = re.sub("([a-z])([A-Z])", r"\1 \2", name).lower()
        b.open(page)
        found = [e for e in b.all("#summary .finding") if e.find_element("css selector", "h3 span").text.lower() == words]
        assert found, (page, words, b.texts("#summary .finding h3"))
        assert found[0].rect["y"] < b.script("return innerHeight"), (page, found[0].rect)
        assert source in found[0].text and "To try: " in found[0].text, (page, found[0].text)
        place = found[0].find_element("css selector", "button").text
        b.click(found[0].find_element("css selector", "button"))
        b.wait(lambda: place in b.text("#threads h3"))
        assert len(b.all("#threads tr.row .stack")) == 2, page
        assert not b.errors() and not b.requests(), (page, b.errors(), b.requests())
