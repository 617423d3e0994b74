"""What the tests of the dashboard share: a browser on a page of a server."""
from tests.browser import chromium

# Moves a pointer over the map and notes where the read-out says which machine is.
MACHINES_ON_THE_MAP = """
(() => {
  const canvas = document.querySelector('.map');
  const readout = document.querySelector('.readout');
  const box = canvas.getBoundingClientRect();
  const found = {};
  for (let y = 1.5; y < box.height; y += STEP) {
    for (let x = 1.5; x < box.width; x += STEP) {
      canvas.dispatchEvent(new PointerEvent('pointermove', {
        clientX: box.x + x, clientY: box.y + y, pointerId: 1, bubbles: true }));
      const text = readout.textContent;
      if (!text.includes(' in ')) continue;
      const name = text.split(' in ')[0];
      (found[name] ??= []).push([x, y, text]);
    }
  }
  canvas.dispatchEvent(new PointerEvent('pointerleave', { pointerId: 1 }));
  const middle = (hits, i) => hits.reduce((sum, hit) => sum + hit[i], 0) / hits.length;
  return Object.fromEntries(Object.entries(found).map(([name, hits]) =>
    [name, [middle(hits, 0), middle(hits, 1), hits[0][2]]]));
})()
"""

# What the canvas shows at a place, as #rrggbb.
PIXEL = """
(() => {
  const canvas = document.querySelector('.map');
  const dense = window.devicePixelRatio;
  const bytes = canvas.getContext('2d').getImageData(X * dense, Y * dense, 1, 1).data;
  return '#' + [...bytes.slice(0, 3)].map(b => b.toString(16).padStart(2, '0')).join('');
})()
"""


class Browser(chromium.Page):
    def visit(self, server, page, width=1280, scheme="light"):
        self.go(server.url(f"/#/{page}"), width, scheme)
        self.wait_for("document.querySelector('main h1') !== null")

    def machines_on_the_map(self, step=8):
        return self.evaluate(MACHINES_ON_THE_MAP.replace("STEP", str(step)))

    def pixel(self, x, y):
        return self.evaluate(PIXEL.replace("X", str(x), 1).replace("Y", str(y), 1))

    def css(self, name):
        return self.evaluate(
            f"getComputedStyle(document.documentElement).getPropertyValue({name!r}).trim()")
