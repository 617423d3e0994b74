"""Scaling, rehearsed and planned, as a user types it.

    BERTH_BINARY_DIR=build/dev python3 -m unittest -v tests/cli/scaling_test.py
"""
import json
import unittest

from program import OK, REFUSED, berth


class SimulateScaling(unittest.TestCase):
    LOAD = ("simulate", "scaling", "--load", "testdata/scaling/load.csv.gz")

    def test_the_same_load_gives_the_same_bytes(self):
        def run():
            done = berth(*self.LOAD, "--settings", "testdata/scaling/settings.yaml", "--scaler",
                         "all", "--recommender", "window", "--json")
            self.assertEqual(done.returncode, OK, done.stderr)
            return done.stdout
        first = run()
        self.assertEqual(first, run())
        self.assertIn("Beside the sizing of cpu", json.dumps(json.loads(first)))

    def test_what_is_wrong_is_said(self):
        def message(*more):
            done = berth(*self.LOAD, *more)
            self.assertEqual(done.returncode, REFUSED, done.stdout)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            return done.stderr
        self.assertIn("there is none of that name; there are fixed, utilisation, metric, hpa",
                      message("--scaler", "guess"))
        self.assertIn("needs an expression", message("--scaler", "metric"))
        self.assertIn("give a --recommender, too", message("--against", "limit"))
        self.assertIn("--against is reference or limit", message("--against", "it"))
        self.assertIn("cannot start './nothing'", message("--scaler", "external:./nothing"))
        self.assertIn("testdata/scaling/load.csv.gz", message("--settings",
                                                              "testdata/scaling/load.csv.gz"))


class Plan(unittest.TestCase):
    FILES = ("plan", "--load", "testdata/plan/shop.csv", "--model", "testdata/capacity/model.yaml")

    def plan(self, policy, *more):
        return berth(*self.FILES, "--policy", f"testdata/plan/policies/{policy}.yaml", *more)

    def test_the_same_files_give_the_same_bytes(self):
        prices = ("--prices", "testdata/capacity/prices.yaml", "--json")
        first = self.plan("predictive", *prices)
        self.assertEqual(first.returncode, OK, first.stderr)
        self.assertEqual(first.stdout, self.plan("predictive", *prices).stdout)
        states = json.loads(first.stdout)["states"]
        self.assertEqual([state["at_us"] for state in states],
                         sorted(state["at_us"] for state in states))
        for state in states:
            held = {"web": 0, "search": 0}
            for group in state["nodes"]:
                for service, count in group["instances"].items():
                    held[service] += group["count"] * count
            self.assertEqual(held, state["instances"])

    def test_without_prices_there_are_no_nodes(self):
        done = self.plan("reactive", "--instances", "web=12,search=1", "--json")
        self.assertEqual(done.returncode, OK, done.stderr)
        states = json.loads(done.stdout)["states"]
        self.assertTrue(states)
        self.assertTrue(all(state["nodes"] == [] for state in states))

    def test_what_is_wrong_is_said(self):
        for more, message in (
                (("--instances", "shop=3"), "--instances: 'shop' is no service of the model; write "
                                            "SERVICE=N,SERVICE=N"),
                (("--instances", "web=-1"), "--instances: '-1' is no number of instances; write 0 "
                                            "to 10,000"),
                (("--load", "testdata/plan/policies/hpa.yaml"),
                 "testdata/plan/policies/hpa.yaml:1: there is no column of times; name it at_s, "
                 "at_ms or timestamp"),
                (("--policy", "testdata/scaling/settings.yaml"),
                 "testdata/scaling/settings.yaml:2:1: top level: names no autoscaler; write "
                 "autoscaler: space, or hpa")):
            with self.subTest(more=more):
                given = dict(zip(self.FILES[1::2], self.FILES[2::2]))
                given["--policy"] = "testdata/plan/policies/reactive.yaml"
                given.update([more])
                done = berth("plan", *(word for pair in given.items() for word in pair))
                self.assertEqual((done.returncode, done.stderr), (REFUSED, f"berth: {message}\n"))
