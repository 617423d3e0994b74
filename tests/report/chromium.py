"""Drives a headless chromium over its DevTools pipe; standard library only."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
]
ANSWER_SECONDS_MAX = 60
# Sizes are observed in the first, canvases drawn by the second.
TWO_FRAMES = "new Promise(d => requestAnimationFrame(() => requestAnimationFrame(d)))"
COMPLAINTS = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")


def find():
    """The path of the browser, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Page:
    """One browser with one page. `events` holds everything the browser reported unasked."""

    def __init__(self):
        self.events = []
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._last_id = 0
        self._unread = b""
        browser_reads, self._to_browser = os.pipe()
        self._from_browser, browser_writes = os.pipe()
        # The browser expects the pipe at 3 and 4. The shell puts it there, because its own
        # descriptors may have these very numbers.
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{browser_reads} 4>&{browser_writes}', "bash", find()]
            + FLAGS
            + [f"--user-data-dir={self._profile.name}", "about:blank"],
            pass_fds=(browser_reads, browser_writes),
            stderr=subprocess.DEVNULL,
        )
        os.close(browser_reads)
        os.close(browser_writes)
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self._session = None
        self.call("Browser.close")
        self._process.wait()
        os.close(self._to_browser)
        os.close(self._from_browser)
        self._profile.cleanup()

    def call(self, method, **params):
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": params}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") != self._last_id:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def _receive(self):
        while b"\0" not in self._unread:
            ready, _, _ = select.select([self._from_browser], [], [], ANSWER_SECONDS_MAX)
            chunk = os.read(self._from_browser, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError("the browser does not answer")
            self._unread += chunk
        message, self._unread = self._unread.split(b"\0", 1)
        return json.loads(message)

    def open(self, path, width, scheme):
        """Loads a file into a window of that width and waits until it is drawn."""
        self.go(f"file://{path}", width, scheme)

    def go(self, url, width, scheme):
        """The same for any address."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=width < 500,
        )
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])
        self.events.clear()
        self.call("Page.navigate", url=url)
        self.wait_for("document.readyState === 'complete'")
        self.evaluate(TWO_FRAMES)

    def evaluate(self, expression):
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait_for(self, condition):
        until = time.monotonic() + ANSWER_SECONDS_MAX
        while not self.evaluate(condition):
            if time.monotonic() > until:
                raise RuntimeError(f"never true: {condition}")
            time.sleep(0.05)

    def complaints(self):
        """What was said or thrown since the page was opened."""
        return [event["params"] for event in self.events if event["method"] in COMPLAINTS]

    def requests(self):
        """The addresses that were asked for since then."""
        return [event["params"]["request"]["url"] for event in self.events
                if event["method"] == "Network.requestWillBeSent"]

    def unanswered(self):
        """How many of these were not answered in full; a stream is when it has begun."""
        waits = set()
        for event in self.events:
            what = event["method"]
            if what == "Network.requestWillBeSent":
                waits.add(event["params"]["requestId"])
            elif what in ("Network.loadingFinished", "Network.loadingFailed") or (
                    what == "Network.responseReceived"
                    and event["params"]["response"]["mimeType"] == "text/event-stream"):
                waits.discard(event["params"]["requestId"])
        return len(waits)

    def settle(self):
        """Waits until all is answered that the page asked for, and frames later it asks no more."""
        until = time.monotonic() + ANSWER_SECONDS_MAX
        asked = None
        while self.unanswered() > 0 or len(self.requests()) != asked:
            if time.monotonic() > until:
                raise RuntimeError(f"the page asks on and on: {self.requests()}")
            asked = len(self.requests())
            self.evaluate(TWO_FRAMES)
            time.sleep(0.05)
            self.evaluate(TWO_FRAMES)

    def mouse(self, kind, x, y, button="none"):
        held = 1 if button == "left" and kind != "mouseReleased" else 0
        self.call(
            "Input.dispatchMouseEvent",
            type=kind, x=x, y=y, button=button, buttons=held, clickCount=1,
        )

    def key(self, key, text=""):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
