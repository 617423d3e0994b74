"""Debian's Chromium as the tests use it, driven by playwright-core: driver.mjs obeys this.

The build installs playwright-core and axe, so BERTH_BINARY_DIR names the folder of a build.
"""
import json
import os
import pathlib
import select
import shutil
import subprocess
import time

DRIVER = pathlib.Path(__file__).with_name("driver.mjs")
ANSWER_SECONDS_MAX = 60
# Sizes are observed in the first, canvases drawn by the second.
TWO_FRAMES = "new Promise(d => requestAnimationFrame(() => requestAnimationFrame(d)))"


def find_browser():
    return shutil.which("chromium") or shutil.which("chromium-browser")


def find_node():
    return shutil.which("node") or shutil.which("nodejs")


def web_folder():
    return pathlib.Path(os.environ["BERTH_BINARY_DIR"], "web").resolve()


def missing():
    """What there is no browser without, in words; nothing when all is there."""
    if find_browser() is None:
        return "chromium is not installed"
    if find_node() is None:
        return "Node.js is not installed"
    modules = web_folder() / "node_modules"
    if not (modules / "playwright-core").exists():
        return f"playwright-core is not in {modules}"
    return ""


class Page:
    """One browser with one page."""

    def __init__(self):
        self._unread = b""
        self._driver = subprocess.Popen(
            [find_node(), DRIVER, web_folder(), find_browser()], bufsize=0,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def close(self):
        self._driver.stdin.close()
        try:
            self._driver.wait(ANSWER_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self._driver.kill()
            self._driver.wait()
        self._driver.stdout.close()

    def call(self, action, **what):
        """An action of the driver."""
        request = json.dumps({"do": action, **what}).encode() + b"\n"
        try:
            self._driver.stdin.write(request)
            answer = json.loads(self._receive())
        except BrokenPipeError:
            raise RuntimeError(f"{action} {what}: the browser's driver has ended") from None
        except TimeoutError:
            self._driver.kill()  # An answer that comes late would be taken for the next one.
            raise RuntimeError(
                f"{action} {what}: no answer within {ANSWER_SECONDS_MAX} s") from None
        if "error" in answer:
            raise RuntimeError(f"{action} {what}: {answer['error']}")
        return answer.get("value")

    def _receive(self):
        until = time.monotonic() + ANSWER_SECONDS_MAX
        while b"\n" not in self._unread:
            left = max(0, until - time.monotonic())
            if not select.select([self._driver.stdout], [], [], left)[0]:
                raise TimeoutError
            chunk = os.read(self._driver.stdout.fileno(), 1 << 20)
            if not chunk:
                raise BrokenPipeError
            self._unread += chunk
        line, self._unread = self._unread.split(b"\n", 1)
        return line

    def open(self, path, width, scheme):
        """Loads a file, with the network off, into a window of that width until it is drawn."""
        self.go(f"file://{path}", width, scheme, offline=True)

    def go(self, url, width, scheme, offline=False):
        """The same for any address."""
        self.call("go", url=url, width=width, scheme=scheme, offline=offline)
        self.draw()

    def draw(self):
        """Waits until what was changed is drawn."""
        self.evaluate(TWO_FRAMES)

    def evaluate(self, expression):
        return self.call("evaluate", expression=expression)

    # Not by Playwright's waitForFunction: it evaluates text from within the page, whose policy
    # refuses that.
    def wait_for(self, condition):
        until = time.monotonic() + ANSWER_SECONDS_MAX
        while not self.evaluate(condition):
            if time.monotonic() > until:
                raise RuntimeError(f"never true: {condition}")
            time.sleep(0.05)

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def count(self, selector):
        return self.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")

    # The first element that is meant, once it can be seen, used and is not covered.

    def click(self, selector, containing=""):
        self.call("click", selector=selector, containing=containing)

    def fill(self, selector, text):
        self.call("fill", selector=selector, text=text)

    def choose(self, selector, option):
        self.call("choose", selector=selector, option=option)

    def focus(self, selector):
        self.call("focus", selector=selector)

    def key(self, key):
        self.call("key", key=key)

    def mouse(self, act, *place):
        """`act`: move, down or up."""
        self.call("mouse", act=act, place=place)

    def screenshot(self, path):
        self.call("screenshot", path=str(path))

    def complaints(self):
        """What was said or thrown since the page was opened."""
        return self.call("complaints")

    def requests(self):
        """The addresses that were asked for since then."""
        return [request["url"] for request in self.call("requests")]

    def forget(self):
        """From here on, complaints and requests count anew."""
        self.call("forget")

    def settle(self):
        """Waits until all is answered that the page asked for, and frames later it asks no more."""
        until = time.monotonic() + ANSWER_SECONDS_MAX
        before = None
        while (now := self.call("requests")) != before or not all(r["answered"] for r in now):
            if time.monotonic() > until:
                raise RuntimeError(f"the page asks on and on: {now}")
            before = now
            self.draw()
            time.sleep(0.05)
            self.draw()

    def breaches(self):
        """What axe finds, in words."""
        return [f"{found['id']}: " + " | ".join(node["html"] for node in found["nodes"][:3])
                for found in self.call("violations")]
