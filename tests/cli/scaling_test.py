"""Scaling, rehearsed and planned, as a user types it.

    BERTH_BINARY_DIR=build/dev python3 -m unittest -v tests/cli/scaling_test.py
"""
import json
import unittest

from program import OK, REFUSED, berth, workplace


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


class SimulateApp(unittest.TestCase):
    def simulate(self, *arguments):
        done = berth("simulate", "app", *arguments)
        self.assertEqual(done.returncode, OK, done.stderr)
        return done.stdout

    def rows(self, *arguments):
        """Of the first table, by their first word."""
        report = json.loads(self.simulate(*arguments, "--json"))["runs"][0]
        return {row[0]: row[1:] for row in report["tables"][0]["rows"]}, report["command"]

    def test_a_file_is_simulated_exactly(self):
        shop = "testdata/appsim/shop.yaml"
        rows, command = self.rows(shop, "--policy", "none,testdata/appsim/hpa.yaml")
        self.assertEqual(list(rows), ["none", "hpa.yaml"])
        self.assertEqual(command,
                         "berth simulate app --policy none,testdata/appsim/hpa.yaml")
        self.assertEqual(*(self.simulate(shop, "--repetitions", "3", "--workers", workers)
                           for workers in "13"))

    def test_a_folder_is_simulated_in_steps_or_exactly(self):
        folder = "testdata/multiverse/shop"
        stepped, command = self.rows(folder, "--repetitions", "1", "--compatible", "none")
        self.assertEqual(list(stepped), ["eager", "thrifty"])
        self.assertEqual(command, "berth simulate app --repetitions 1 --compatible none")
        exact, _ = self.rows(folder, "--repetitions", "1", "--exact")
        self.assertEqual(list(exact), ["eager", "thrifty"])
        self.assertEqual(list(self.rows(folder, "--policy", "eager", "--exact")[0]), ["eager"])
        self.assertEqual(*(self.simulate(folder, "--repetitions", "3", "--workers", workers)
                           for workers in "13"))
        head = self.simulate(folder, "--repetitions", "1")
        self.assertEqual(head, self.simulate(folder, "--repetitions", "1", "--compatible", "head"))
        self.assertNotEqual(head, self.simulate(folder, "--repetitions", "1", "--compatible",
                                                "none"))

    def test_an_option_of_the_other_kind_is_refused(self):
        shop, folder = "testdata/appsim/shop.yaml", "testdata/multiverse/shop"
        for arguments, option, why in (
                ((shop, "--exact"), "--exact", "is of folders"),
                ((shop, "--compatible", "head"), "--compatible", "is of folders"),
                ((shop, "--quirk", "first_blocks=on"), "--quirk", "is of folders"),
                ((shop, "--step", "10ms"), "--step", "is of folders"),
                ((shop, "--duration", "1m"), "--duration", "is of folders"),
                ((folder, "--requests", "requests.csv"), "--requests", "is of application files"),
                ((folder, "--exact", "--compatible", "head"), "--compatible",
                 "--exact has neither"),
                ((folder, "--exact", "--step", "1ms"), "--step", "--exact has neither"),
                ((folder, "--exact", "--quirk", "first_blocks=on"), "--quirk",
                 "--exact has neither")):
            with self.subTest(arguments=arguments):
                done = berth("simulate", "app", *arguments)
                self.assertEqual((done.returncode, done.stdout), (REFUSED, ""))
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertTrue(done.stderr.startswith(f"berth: {option} "), done.stderr)
                self.assertIn(why, done.stderr)

    def test_what_is_not_there_is_said(self):
        done = berth("simulate", "app", "nosuch.yaml")
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("nosuch.yaml", done.stderr)
        done = berth("simulate", "app", "testdata/appsim")
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("confs.json", done.stderr)


class Train(unittest.TestCase):
    FOLDER = "testdata/appsim/experiments"
    FILES = (f"{FOLDER}/seven.yaml", "--policy", f"{FOLDER}/model.yaml")

    def test_what_is_learned_is_taken_up_and_gone_on_with(self):
        with workplace() as folder:
            def train(*more):
                done = berth("train", *self.FILES[:2], *more, "--json", cwd=folder)
                self.assertEqual(done.returncode, OK, done.stderr)
                return json.loads(done.stdout)["runs"][0]["tables"]
            policy = self.FILES[2]
            loads = ("--load", f"{self.FOLDER}/waves.yaml,{self.FOLDER}/stairs.yaml")
            tables = train(policy, *loads, "--rounds", "2", "--out", "a.learned")
            self.assertEqual([row[0] for row in tables[1]["rows"]],
                             ["gateway", "media", "orders", "pages", "payment", "stock", "users"])
            self.assertEqual(sum(row[1] for row in tables[2]["rows"]), 2)
            train(policy, *loads, "--rounds", "2", "--out", "b.learned")
            self.assertEqual((folder / "a.learned").read_bytes(),
                             (folder / "b.learned").read_bytes())
            train(f"{policy}@a.learned", "--rounds", "1", "--out", "c.learned")
            self.assertNotEqual((folder / "a.learned").read_bytes(),
                                (folder / "c.learned").read_bytes())
            done = berth("simulate", "app", self.FILES[0], "--policy",
                         f"{policy},{policy}@a.learned", "--json", cwd=folder)
            rows = json.loads(done.stdout)["runs"][0]["tables"][0]["rows"]
            self.assertEqual([row[0] for row in rows],
                             ["model.yaml", "model.yaml@a.learned"])
            self.assertNotEqual(rows[0][1:], rows[1][1:])

    def test_what_is_wrong_is_said(self):
        def message(*arguments):
            done = berth(*arguments)
            self.assertEqual((done.returncode, done.stdout), (REFUSED, ""))
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            return done.stderr
        seven = self.FILES[0]
        out = ("--out", "/nowhere/x.learned")
        self.assertIn("--policy none learns nothing; name a file",
                      message("train", seven, "--policy", "none", *out))
        self.assertIn("'hpa.yaml' learns nothing; give a metric group",
                      message("train", seven, "--policy", "testdata/appsim/hpa.yaml", *out))
        self.assertIn("--rounds must be 1 to 10000, not 0",
                      message("train", *self.FILES, "--rounds", "0", *out))
        self.assertIn("nosuch.yaml", message("train", *self.FILES, "--load", "nosuch.yaml", *out))
        self.assertIn("'/nowhere/x.learned' cannot be written",
                      message("train", *self.FILES, "--rounds", "1", *out))
        self.assertIn("is no file of what was learned; make one with berth train --out",
                      message("simulate", "app", seven, "--policy", f"{self.FILES[2]}@{seven}"))
        self.assertIn("nosuch.learned", message("simulate", "app", seven, "--policy",
                                                f"{self.FILES[2]}@nosuch.learned"))
        self.assertIn("is no file of what was learned", message(
            "plan", "--load", "testdata/plan/shop.csv", "--model", "testdata/capacity/model.yaml",
            "--policy", f"testdata/plan/policies/learning.yaml@{seven}"))
