"""browser: headless Chromium for tests of pages, by Debian's chromium-driver and python3-selenium.

A test in Python imports this file, which tests/browser/browser.sh puts into its path, and drives one page:

    with Browser() as b:
        b.open("report.html")                   # a file, or an address
        b.click("#regions th button")           # an element by a CSS selector
        b.type("#filter", "imbalance")          # keys into an element; what it had goes
        b.press("ArrowDown", "Enter")           # keys to what has the focus
        assert b.text("#findings") == "…"       # what a reader sees of it
        b.dark(True); b.width(400); b.printed("report.pdf"); b.screenshot("phone.png")
        assert not b.errors() and not b.requests()

errors() are the messages of the console, and what scripts did not catch; requests() the addresses that the page asked
for besides its own.
"""

import json
import os
import time

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.chrome.service import Service

KEYS = {name.replace("_", "").lower(): getattr(Keys, name) for name in dir(Keys) if name.isupper()}


class Browser:
    def __init__(self, width=1280, height=900, chromium=None, driver=None):
        options = webdriver.ChromeOptions()
        options.binary_location = chromium or os.environ["CHROMIUM"]
        # Containers have no name spaces for the sandbox, and a small /dev/shm.  The rest are requests of the browser's own.
        for argument in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "disable-gpu", "hide-scrollbars",
                         "no-first-run", "disable-background-networking", "disable-component-update",
                         "disable-default-apps", "disable-sync", "disable-extensions", "force-color-profile=srgb"):
            options.add_argument("--" + argument)
        options.add_argument("--window-size=%d,%d" % (width, height))
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(driver or os.environ["CHROMEDRIVER"]), options=options)
        self.driver.set_page_load_timeout(60)
        self.driver.set_script_timeout(60)
        self.address = None
        self.asked = []
        self.said = []
        self.width(width, height)
        self.dark(False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    # ---- what a user does ----

    def open(self, what):
        """Opens a file or an address.  What was said and asked for before is forgotten."""
        self._drain()
        self.said, self.asked = [], []
        self.address = what if "://" in what else "file://" + os.path.abspath(what)
        self.driver.get(self.address)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector, x=None, y=None):
        """Clicks into the middle of an element, or so far from its upper left corner."""
        def click(element):
            if x is None:
                element.click()
            else:
                self._mouse(element, x, y).click().perform()

        self._at(selector, click)

    def hover(self, selector, x=None, y=None):
        self._at(selector, lambda element: self._mouse(element, x, y).perform())

    def _at(self, selector, act):
        """Acts at an element that is in view.  One that the page has just drawn anew is looked for again."""
        for remaining in reversed(range(5)):
            element = self.find(selector) if isinstance(selector, str) else selector
            try:
                self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
                act(element)
                break
            except StaleElementReferenceException:
                if not remaining or not isinstance(selector, str):
                    raise
        self.settle()

    def type(self, selector, text):
        element = self.find(selector)
        element.clear()
        element.send_keys(text)
        self.settle()

    def press(self, *keys):
        """Sends keys, "Tab", "Enter", "ArrowDown" or "a", to what has the focus."""
        chain = webdriver.ActionChains(self.driver)
        for key in keys:
            chain.send_keys(key if len(key) == 1 else KEYS[key.lower()])
        chain.perform()
        self.settle()

    def settle(self):
        """Waits until the page has drawn what an event before has changed."""
        self.script("return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def script(self, text, *arguments):
        """Returns what the JavaScript text returns."""
        return self.driver.execute_script(text, *arguments)

    # ---- what a user sees ----

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0]).innerText", selector)

    def texts(self, selector):
        return self.script("return [...document.querySelectorAll(arguments[0])].map(e => e.innerText)", selector)

    def wait(self, condition, seconds=10):
        """Returns the first true value of condition(); fails when there is none in time."""
        end = time.monotonic() + seconds
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() >= end:
                self.screenshot("vain.png")
                raise AssertionError("waited in vain; the fields hold %s, the tables show %s" % (
                    self.script("return [...document.querySelectorAll('input')].map(i => i.value)"),
                    self.script("return [...document.querySelectorAll('.count')].map(e => e.innerText)")))
            time.sleep(0.02)

    def dark(self, is_dark):
        # Nothing moves by itself, so that what is clicked stays where it is.
        self._say("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def width(self, width, height=900, pixels=1):
        """Makes the page so wide and high as a screen that has these points; 400 is a telephone.  pixels: to a point."""
        self._say("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=pixels,
                  mobile=False)

    def paper(self, is_paper):
        """Shows the page as paper has it, though as wide as it is, and without the events of printing."""
        self._say("Emulation.setEmulatedMedia", media="print" if is_paper else "")

    def screenshot(self, path, whole=False):
        """Writes a PNG of what is seen, or of the whole page."""
        import base64
        picture = self._say("Page.captureScreenshot", captureBeyondViewport=whole, **(
            {"clip": dict(x=0, y=0, scale=1, **self.script(
                "const r = document.documentElement; return {width: r.clientWidth, height: r.scrollHeight}"))}
            if whole else {}))
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))

    def printed(self, path):
        """Writes a PDF of the page as it is printed."""
        import base64
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._say("Page.printToPDF", printBackground=True)["data"]))

    def errors(self):
        self._drain()
        return self.said

    def requests(self):
        self._drain()
        return [address for address in self.asked if address != self.address and not address.startswith("data:")]

    # ---- the rest ----

    def _mouse(self, element, x, y):
        chain = webdriver.ActionChains(self.driver, duration=0)
        if x is None:
            return chain.move_to_element(element)
        size = element.size  # offsets count from the middle
        return chain.move_to_element_with_offset(element, x - size["width"] // 2, y - size["height"] // 2)

    def _say(self, command, **arguments):
        return self.driver.execute_cdp_cmd(command, arguments)

    def _drain(self):
        self.said += ["%(level)s: %(message)s" % entry for entry in self.driver.get_log("browser")]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.asked.append(message["params"]["request"]["url"])
            elif message["method"] == "Network.webSocketCreated":
                self.asked.append(message["params"]["url"])


def quiet(b, what):
    """The page is drawn, and neither complained nor asked for anything."""
    assert not b.errors(), (what, b.errors())
    assert not b.requests(), (what, b.requests())
    assert b.script("return document.documentElement.dataset.ready") == "1", what


def column(b, table, n):
    """What the rows of a table have in one column."""
    return b.script("return [...document.querySelectorAll(arguments[0] + ' tbody tr.row')].map(r => (r.children[arguments[1]] || {}).innerText)",
                    table, n)
