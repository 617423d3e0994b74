"""Every command that writes a report, its page opened from disk with the network off.

    BERTH_BINARY_DIR=build/ci python3 -m unittest -v tests.report.every_report_test
"""
import collections
import csv
import io
import json
import re
import unittest

from tests.browser import chromium
from tests.cli.program import OK, berth, workplace

STORE = ("scenario", "run", "tests/scenarios/crowded.scn", "--store", "crowded")
MODEL = ("--model", "testdata/capacity/model.yaml", "--prices", "testdata/capacity/prices.yaml")

# The least that each command can be given and still has something to draw.
CASES = {
    "simulate packing": ("--machines", "20", "--hours", "1"),
    "simulate tenants": ("--hours", "2", "--repetitions", "1", "--nodes", "4", "--tenants", "200",
                         "--library", "200", "--technique", "worst_fit_max"),
    "simulate rightsizing": ("--usage", "testdata/rightsizing/usage.csv.gz", "--service",
                             "service-0", "--recommender", "window"),
    "simulate scaling": ("--load", "testdata/scaling/tenfold.csv.gz", "--settings",
                         "testdata/scaling/both.yaml"),
    "simulate app": ("testdata/appsim/shop.yaml",),
    "simulate qos": ("--workload", "testdata/qos/workload.csv", "--hosts",
                     "testdata/qos/hosts.txt"),
    "simulate faults": ("--seed", "7"),
    "train": ("testdata/appsim/experiments/seven.yaml", "--policy",
              "testdata/appsim/experiments/model.yaml", "--rounds", "2", "--out", "seven.learned"),
    "sweep": ("testdata/appsim/sweep/sweep.yaml", "--repetitions", "1"),
    "what-if policy": ("--store", "crowded", "--policy", "testdata/what_if/roomy.yaml"),
    "balance": ("--what-if", "--store", "crowded", "--usage", "testdata/balance/crowded.csv"),
    "forecast": ("--input", "testdata/forecast/load.csv", "--horizon", "6"),
    "capacity": ("--load", "testdata/capacity/forecast.json", *MODEL),
    "plan": ("--load", "testdata/plan/shop.csv", "--policy",
             "testdata/plan/policies/predictive.yaml", *MODEL, "--instances", "web=6,search=6"),
    "topology show": ("testdata/apptopo/traces.json",),
}

# Of commands that have two kinds of report.
MORE_CASES = (("simulate app", ("testdata/multiverse/shop",)),)

# What every card of a kind gives to save, in the order of the page.
SAVED = """
(() => {
  const saved = [];
  URL.createObjectURL = (blob) => (saved.push(blob.text()), 'data:,');
  HTMLAnchorElement.prototype.click = () => undefined;
  document.querySelectorAll('CARD .tools button:last-child').forEach((each) => each.click());
  return Promise.all(saved);
})()
"""
TITLES = "[...document.querySelectorAll('CARD .card-head :is(h2, h3)')].map(h => h.textContent)"
BLANK = """
[...document.querySelectorAll('canvas')].filter((canvas) => !canvas.getContext('2d')
  .getImageData(0, 0, canvas.width, canvas.height).data.some((byte) => byte > 0)).length
"""


def commands_with_a_report():
    """As the shells are told of them, which is from the table of all commands."""
    return re.findall(r"^ +' (.*) --report'\)", berth("completion", "bash").stdout, re.M)


def points(series):
    return collections.Counter(
        (x, y) for x, y in zip(series["x"], series["y"], strict=True) if y is not None)


def rows(text):
    return list(csv.reader(io.StringIO(text)))


def saved_points(saved, index):
    return collections.Counter((float(row[0]), float(row[1 + index]))
                               for row in saved[1:] if row[1 + index])


@unittest.skipIf(chromium.missing(), chromium.missing())
class EveryReport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(workplace())
        done = berth(*STORE, cwd=cls.folder)
        assert done.returncode == OK, done.stderr
        cls.page = chromium.Page()
        cls.addClassCleanup(cls.page.close)

    def test_every_command_with_a_report_has_a_case(self):
        self.assertEqual(sorted(CASES), sorted(commands_with_a_report()))

    def test_the_page_shows_what_the_data_have(self):
        for number, (words, options) in enumerate((*CASES.items(), *MORE_CASES)):
            with self.subTest(command=words, options=options):
                name = f"report-{number}"
                done = berth(*words.split(), *options, "--report", name, cwd=self.folder)
                self.assertEqual(done.returncode, OK, done.stderr)
                self.check(self.folder / name)

    def check(self, report):
        runs = json.loads((report / "report.json").read_text())["runs"]
        self.page.open(report / "report.html", 1280, "light")
        self.assertFalse(self.page.evaluate("navigator.onLine"))
        self.assertEqual(self.page.complaints(), [])
        self.assertEqual(self.page.requests(), [f"file://{report}/report.html"])
        self.assertEqual(self.page.evaluate(BLANK), 0, "a canvas is blank")
        drawn = sum(len(run[kind]) for run in runs for kind in ("plots", "heat_maps", "graphs"))
        self.assertGreater(drawn, 0, "nothing is drawn")
        self.check_cards(".plot", [plot for run in runs for plot in run["plots"]], self.check_plot)
        self.check_cards(".heat", [one for run in runs for one in run["heat_maps"]],
                         self.check_heat_map)
        self.check_cards(".graph", [one for run in runs for one in run["graphs"]],
                         self.check_graph)
        tables = [table for run in runs for table in run["tables"]]
        self.check_cards("section.table", tables, self.check_table, beside=len(runs) > 1)
        self.assertEqual(self.page.count(".data tbody tr"),
                         sum(len(table["rows"]) for table in tables)
                         + (len({fact["name"] for run in runs for fact in run["facts"]})
                            if len(runs) > 1 else 0))
        self.assertEqual(self.page.count(".heat-lines li"),
                         sum(len(one["lines"]) for run in runs for one in run["heat_maps"]))
        self.assertEqual(self.page.count(".graph .node"),
                         sum(len(one["nodes"]) for run in runs for one in run["graphs"]))

    def check_cards(self, card, wanted, check, beside=False):
        """`beside`: the first is the page's own, which compares the runs."""
        titles = self.page.evaluate(TITLES.replace("CARD", card))[beside:]
        self.assertEqual(titles, [each["title"] for each in wanted])
        saved = self.page.evaluate(SAVED.replace("CARD", card))[beside:]
        self.assertEqual(len(saved), len(wanted))
        for text, each in zip(saved, wanted, strict=True):
            check(each, rows(text))

    def check_plot(self, plot, saved):
        self.assertGreater(sum(map(len, map(points, plot["series"]))), 0,
                           f"{plot['title']} has no data; give the case more to draw")
        for index, series in enumerate(plot["series"]):
            self.assertEqual(saved_points(saved, index), points(series),
                             f"{plot['title']}: {series['name']}")

    def check_heat_map(self, heat_map, saved):
        cells = [cell for row in heat_map["rows"] for cell in row if cell is not None]
        self.assertEqual([float(row[4]) for row in saved[1:]], cells, heat_map["title"])

    def check_graph(self, graph, saved):
        names = [node["name"] for node in graph["nodes"]]
        self.assertEqual([row[:2] for row in saved[1:]],
                         [[names[edge["from"]], names[edge["to"]]] for edge in graph["edges"]])

    def check_table(self, table, saved):
        self.assertEqual(len(saved) - 1, len(table["rows"]), table["title"])

if __name__ == "__main__":
    unittest.main()
