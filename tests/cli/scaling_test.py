"""The rehearsal of scaling as a user types it.

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
