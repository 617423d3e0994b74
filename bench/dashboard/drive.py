"""Looks at the fleet page of a server in chromium: drive.py URL --quick|--full

Prints how soon it is drawn, how long frames take while it is panned and zoomed and machines change,
how soon an allocation is seen among them, whether pixels are what their machines' state says, and
how large the application is.
"""
import json
import os
import pathlib
import random
import sys
import time
import urllib.request

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP))

from tests.dashboard.browser import Browser  # noqa: E402  (found through the path above)

PAN_SECONDS = 10
SAMPLES = {"--quick": 60, "--full": 400}
ALLOCATIONS = {"--quick": 10, "--full": 30}

# Every frame's length, and meanwhile a camera that is dragged around and zoomed in and out.
PAN_AND_ZOOM = """
new Promise((done) => {
  const canvas = document.querySelector('.map');
  const box = canvas.getBoundingClientRect();
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
  const send = (kind, x, y) => canvas.dispatchEvent(new PointerEvent(kind, {
    clientX: x, clientY: y, pointerId: 1, bubbles: true, isPrimary: true }));
  canvas.setPointerCapture = () => undefined;  // There is no such pointer.
  const began = performance.now();
  const frames = [];
  let last = began;
  let at = [cx, cy];
  send('pointerdown', cx, cy);
  const step = (now) => {
    frames.push(now - last);
    last = now;
    const t = (performance.now() - began) / 1000;
    if (t > SECONDS) { send('pointerup', at[0] + 50, at[1]); return done(frames.slice(1)); }
    at = [cx + 300 * Math.sin(2 * t), cy + 150 * Math.cos(3 * t)];
    send('pointermove', ...at);
    canvas.dispatchEvent(new WheelEvent('wheel', {
      clientX: cx, clientY: cy, deltaY: 90 * Math.sin(1.3 * t + 3.14), cancelable: true }));
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})
"""

# Seconds from before a service is asked for until the frame after the one that has it in its table.
ALLOCATIONS_SEEN = """
(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const seen = [];
  for (let i = 0; i < COUNT; ++i) {
    const name = `seen-${String(i).padStart(3, '0')}`;
    const began = performance.now();
    const asked = fetch('/v1/services', { method: 'POST', body: JSON.stringify({
      service: { name, tenant: 'default', groups: [{ type: 'small', count: 1 }] } }) });
    const shown = () => [...document.querySelectorAll('tbody tr')].some((row) =>
      row.textContent.includes(name) && row.textContent.includes('accepted'));
    while (!shown()) {
      if (performance.now() - began > 60000) throw new Error(`${name} is never seen`);
      await frame();
    }
    await frame();
    seen.push((performance.now() - began) / 1000);
    const answer = await asked;
    if (!answer.ok) throw new Error(await answer.text());
  }
  return seen;
})()
"""

# What the read-out says of a pixel, and its colour.
SAID_AND_SHOWN = """
(() => {
  const [x, y] = [X, Y];
  const canvas = document.querySelector('.map');
  const box = canvas.getBoundingClientRect();
  canvas.dispatchEvent(new PointerEvent('pointermove', {
    clientX: box.x + x, clientY: box.y + y, pointerId: 1 }));
  const bytes = canvas.getContext('2d').getImageData(x, y, 1, 1).data;
  return [document.querySelector('.readout').textContent,
          '#' + [...bytes.slice(0, 3)].map(b => b.toString(16).padStart(2, '0')).join('')];
})()
"""


class At:
    """A server as the browser wants it."""

    def __init__(self, url):
        self.base = url

    def url(self, target):
        return self.base + target

    def get(self, target):
        with urllib.request.urlopen(self.base + target, timeout=60) as answer:
            return json.load(answer)


def bar(name, value, target):
    print(f"BAR {name} {value:.3f} <= {target:g} {'PASS' if value <= target else 'SHORT'}",
          flush=True)


def ramp(stops, per_cent):
    place = per_cent / 100 * (len(stops) - 1)
    below = min(int(place), len(stops) - 2)
    parts = []
    for i in (1, 3, 5):
        start, end = (int(stop[i:i + 2], 16) for stop in stops[below:below + 2])
        parts.append(int(start + (end - start) * (place - below) + 0.5))
    return "#" + "".join(f"{part:02x}" for part in parts)


def compressed_kilobytes(url):
    asked = urllib.request.Request(url + "/", headers={"Accept": "text/html",
                                                       "Accept-Encoding": "gzip"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return len(answer.read()) / 1000


def wait_until_quiet(server):
    """Nothing was committed for two seconds."""
    revision = None
    while (now := server.get("/v1/health")["revision"]) != revision:
        revision = now
        time.sleep(2)


def wrong_pixels(page, server, samples):
    """Places on the map whose colour is not that of the machine that stands there."""
    stops = [page.css(f"--heat-{i}") for i in range(1, 6)]
    size = page.evaluate("(() => { const b = document.querySelector('.map')"
                         ".getBoundingClientRect(); return [b.width, b.height]; })()")
    rng = random.Random(1)
    looked, held, wrong = 0, 0, []
    while looked < samples:
        x, y = (rng.randrange(int(each)) for each in size)
        said, shown = page.evaluate(
            SAID_AND_SHOWN.replace("X", str(x), 1).replace("Y", str(y), 1))
        if " in " not in said:
            continue
        looked += 1
        name = said.split(" in ")[0]
        state = server.get(f"/v1/machines/{name}")
        share = (int(state["allocated"]["cpu_milli"])
                 / int(state["machine"]["capacity"]["cpu_milli"]))
        held += share > 0
        wanted = ramp(stops, int(100 * share + 0.5))
        if shown != wanted:
            wrong.append((name, share, wanted, shown))
    print(f"  {looked} places looked at, {held} of machines that hold something", *wrong[:5])
    return wrong


def main(url, how):
    server = At(url)
    page = Browser()
    page.visit(server, "fleet")
    page.wait_for("performance.getEntriesByName('fleet-drawn').length > 0")
    drawn = page.evaluate("performance.getEntriesByName('fleet-drawn')[0].startTime")
    frames = sorted(page.evaluate(PAN_AND_ZOOM.replace("SECONDS", str(PAN_SECONDS))))
    p95 = frames[int(0.95 * len(frames))]
    print(f"  {len(frames)} frames in {PAN_SECONDS} s: median {frames[len(frames) // 2]:.1f} ms, "
          f"p95 {p95:.1f} ms, longest {frames[-1]:.1f} ms")
    page.visit(server, "decisions")
    page.wait_for("document.querySelectorAll('tbody tr').length > 10")
    seen = sorted(page.evaluate(ALLOCATIONS_SEEN.replace("COUNT", str(ALLOCATIONS[how]))))
    print(f"  {len(seen)} allocations seen: median {seen[len(seen) // 2]:.3f} s, "
          f"longest {seen[-1]:.3f} s")
    wait_until_quiet(server)
    page.visit(server, "fleet")
    page.wait_for("performance.getEntriesByName('fleet-drawn').length > 0")
    page.click(".group .action", "All")
    page.draw()
    wrong = wrong_pixels(page, server, SAMPLES[how])
    bar("dashboard.first_paint_s", drawn / 1000, 2)
    bar("dashboard.frame_ms_p95", p95, 33)
    bar("dashboard_allocation_seen_seconds", seen[-1], 1)
    bar("dashboard.wrong_pixels", len(wrong), 0)
    bar("dashboard.compressed_kb", compressed_kilobytes(url), 400)
    page.close()


if __name__ == "__main__":
    os.environ.setdefault("BERTH_BINARY_DIR", str(TOP / "build/bench"))
    main(*sys.argv[1:])
