"""The report page in a headless browser, from the top of the tree:

    BERTH_BINARY_DIR=build/ci python3 -m tests.report.page_test build/ci/report_sample

Exits with 77, which ctest counts as skipped, where there is no browser.
"""

import os
import subprocess
import sys
import tempfile
import unittest

from tests.browser import chromium

SKIPPED = 77
PLOT = "document.querySelector('.plot')"


def column(index):
    """JavaScript for the texts of one column of the first table of data."""
    return f"[...document.querySelectorAll('.data tbody tr')].map(r => r.cells[{index}].innerText)"


def head(index):
    """Selects the button that sorts by a column of it."""
    return f".data thead button >> nth={index}"


class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = chromium.Page()

    @classmethod
    def tearDownClass(cls):
        cls.page.close()

    def open(self, name, width=1280, scheme="light"):
        self.page.open(os.path.join(folder, name, "report.html"), width, scheme)

    def text(self, selector):
        return self.page.evaluate(f"document.querySelector({selector!r}).textContent")

    def test_draws_everything_without_a_complaint(self):
        for name, plots, maps, rows in (("one", 4, 1, 14), ("several", 8, 2, 5 + 14 + 14)):
            self.open(name)
            self.assertEqual(self.page.count(".plot canvas"), plots)
            self.assertEqual(self.page.count(".heat canvas"), maps)
            self.assertEqual(self.page.count(".data tbody tr"), rows)
            blank = self.page.evaluate(
                "[...document.querySelectorAll('canvas')].filter(c => !c.getContext('2d')"
                ".getImageData(0, 0, c.width, c.height).data.some(byte => byte > 0)).length"
            )
            self.assertEqual(blank, 0, "a canvas is blank")
            self.assertEqual(self.page.complaints(), [])

    def test_fetches_nothing(self):
        self.open("one")
        self.assertEqual(self.page.requests(), [f"file://{folder}/one/report.html"])

    def test_shows_hostile_text_as_text(self):
        self.open("one")
        self.assertIn("</script><!--", self.text(".prose"))
        self.assertEqual(self.page.count("script"), 2)

    def test_sorts_by_click_and_by_keyboard(self):
        self.open("one")
        unsorted = self.page.evaluate(column(2))
        numbers = sorted(unsorted, key=lambda text: int(text.replace(",", "")))
        self.page.click(head(2))
        self.assertEqual(self.page.evaluate(column(2)), numbers)
        self.page.focus(head(2))
        self.page.key("Enter")
        self.assertEqual(self.page.evaluate(column(2)), numbers[::-1])
        sorting = "document.activeElement.parentElement.getAttribute('aria-sort')"
        self.assertEqual(self.page.evaluate(sorting), "descending")
        self.page.click(head(2))
        self.assertEqual(self.page.evaluate(column(2)), unsorted)

    def test_sorts_missing_values_last(self):
        self.open("one")
        for _ in ("ascending", "descending"):
            self.page.click(head(5))
            self.assertEqual(self.page.evaluate(column(5))[-1], "–")

    def test_reads_out_under_the_mouse_and_zooms_by_dragging(self):
        self.open("one")
        over = f"{PLOT}.querySelector('.u-over')"
        box = self.page.evaluate(f"{over}.getBoundingClientRect().toJSON()")
        left, middle, y = box["x"] + 40, box["x"] + box["width"] / 2, box["y"] + 50
        reset_hidden = f"{PLOT}.querySelector('.tools button').hidden"
        self.page.mouse("move", left, y)
        self.page.wait_for(f"{PLOT}.querySelector('thead .current').textContent.startsWith('At ')")
        self.assertTrue(self.page.evaluate(reset_hidden))
        self.page.mouse("down")
        self.page.mouse("move", middle, y)
        self.page.mouse("up")
        self.page.wait_for(f"!{reset_hidden}")
        self.page.click(".plot .tools button")
        self.page.wait_for(reset_hidden)

    def test_reads_out_by_keyboard(self):
        self.open("one")
        self.page.focus(".plot .canvas")
        self.page.key("ArrowRight")
        self.page.key("ArrowRight")
        live = f"{PLOT}.querySelector('[aria-live]').textContent"
        self.page.wait_for(f"{live}.startsWith('At 00:10:00: cpu ')")

    def test_sums_every_plot_up_in_words(self):
        self.open("one")
        summary = (
            "[...document.querySelectorAll('.plot')].map(p => document.getElementById("
            "p.querySelector('.canvas').getAttribute('aria-describedby')).innerText)"
        )
        for text in self.page.evaluate(summary):
            self.assertRegex(text, r"Min\s+Mean\s+Max")
            self.assertRegex(text, r"\d")

    def test_heat_maps_are_coloured_and_say_what_they_show(self):
        self.open("one")
        said = "document.querySelector('.heat [aria-live]').textContent"
        summary = r"^\d+ of 240 cells hold a value\. The largest: "
        self.assertRegex(self.page.evaluate(said), summary)
        names = self.page.evaluate(
            "[...document.querySelectorAll('.heat-lines li')].map(line => line.innerText)")
        self.assertEqual(names, ["limit", "above", "other limit"])
        limit, above, other = self.page.evaluate(
            "[...document.querySelectorAll('.heat-lines .swatch')].map(each => each.style.color)")
        self.assertEqual(limit, above)
        self.assertNotEqual(limit, other)
        self.assertIn("log scale", self.text(".heat-scale"))
        colors = self.page.evaluate(
            "(() => { const c = document.querySelector('.heat canvas');"
            "const bytes = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;"
            "const seen = new Set();"
            "for (let i = 0; i < bytes.length; i += 4)"
            " if (bytes[i + 3] === 255) seen.add(bytes.slice(i, i + 3).join());"
            "return seen.size; })()"
        )
        self.assertGreater(colors, 20)
        self.page.focus(".heat .canvas")
        for key in ("ArrowUp", "ArrowUp", "ArrowRight"):
            self.page.key(key)
        self.page.wait_for(
            f"{said} === 'Time since start 01:00:00 to 02:00:00, cpu 0.25 to 0.50: tasks 890'"
        )

    def test_an_empty_heat_map_says_so(self):
        self.open("several")
        self.assertEqual(self.page.count(".heat .empty"), 1)
        self.assertEqual(self.text(".heat .empty"), "This heat map has no data.")

    def test_graphs_are_drawn_in_layers_and_say_who_calls_whom(self):
        self.open("one")
        self.assertEqual(self.page.count(".graph .node"), 4)
        self.assertEqual(self.page.count(".graph .edge"), 5)
        self.assertEqual(self.page.count(".graph .marked"), 1)
        left = self.page.evaluate(
            "[...document.querySelectorAll('.graph .node rect')].map(b => +b.getAttribute('x'))")
        self.assertLess(left[0], left[1])
        self.assertEqual(left[1], left[2])
        self.assertLess(left[2], left[3])
        overlaps = self.page.evaluate(
            "[...document.querySelectorAll('.graph .node')].filter(node =>"
            "['text', 'rect'].map(part => node.querySelector(part).getBBox().width)"
            ".reduce((text, box) => text > box)).length")
        self.assertEqual(overlaps, 0, "a name is wider than its box")
        said = "document.querySelector('.graph [aria-live]').textContent"
        self.assertEqual(self.page.evaluate(said), "4 boxes, 5 arrows. Marked: store.")
        self.page.focus(".graph .drawing")
        self.page.key("ArrowRight")
        self.page.wait_for(
            f"{said} === 'front: from nobody; to cart, "
            "a-service-whose-name-is-longer-than-any-box. fan-out 2'")
        self.assertEqual(self.page.count(".graph .edge.faint"), 3)
        self.page.key("ArrowRight")
        self.page.key("ArrowRight")
        self.page.wait_for(f"{said}.startsWith('store (marked): from cart, ')")

    def test_an_empty_graph_says_so(self):
        self.open("several")
        self.assertEqual(self.text(".graph .empty"), "This graph has no data.")

    def test_downloads_what_it_shows(self):
        self.open("one")
        self.page.evaluate(
            "window.saved = []; URL.createObjectURL = blob => (saved.push(blob.text()), 'data:,');"
            "HTMLAnchorElement.prototype.click = () => {};"
            "document.querySelectorAll('.tools button:last-child').forEach(b => b.click())"
        )
        files = self.page.evaluate("Promise.all(saved)")
        self.assertEqual(len(files), 7)
        self.assertTrue(files.pop(0).startswith("from,to,calls\r\nfront,cart,1000\r\n"))
        self.assertTrue(files[0].startswith("Time since start (s),cpu (%),memory (%)\r\n0,"))
        self.assertEqual(len(files[0].splitlines()), 1 + 289)
        self.assertTrue(files[4].startswith("Time since start (s) from,Time since start (s) to,"))
        self.assertIn("0,3600,0.25,0.5,765\r\n", files[4])
        self.assertTrue(files[5].startswith("Cluster,SKU,Machines,Empty,cpu (%),memory (%),"))
        self.assertIn("west-4,compute-96,948,70,81.25,,8.375\r\n", files[5])

    def test_fits_phones_and_follows_the_colour_scheme(self):
        backgrounds = set()
        for scheme in ("light", "dark"):
            for width in (1280, 390):
                for name in ("one", "several"):
                    self.open(name, width, scheme)
                    needed = self.page.evaluate("document.documentElement.scrollWidth")
                    self.assertLessEqual(needed, width)
            backgrounds.add(self.page.evaluate("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(backgrounds), 2)

    def test_is_built_for_screen_readers(self):
        for name in ("one", "several"):
            self.open(name)
            for landmark in ("header", "nav", "main", "h1"):
                self.assertEqual(self.page.count(landmark), 1)
            dangling = self.page.evaluate(
                "[...document.querySelectorAll('[aria-labelledby], [aria-describedby], a')]"
                ".map(e => e.getAttribute('aria-labelledby') ?? e.getAttribute('aria-describedby')"
                " ?? e.getAttribute('href').slice(1)).filter(id => !document.getElementById(id))"
            )
            self.assertEqual(dangling, [])
            unnamed = self.page.evaluate(
                "[...document.querySelectorAll('button')]"
                ".filter(b => !(b.ariaLabel || b.textContent)).length"
            )
            self.assertEqual(unnamed, 0)


if __name__ == "__main__":
    if chromium.missing():
        print(f"skipped: {chromium.missing()}")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv.pop(), folder], check=True)
        unittest.main()
