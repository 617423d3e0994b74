"""The command line as a user types it: what is printed, what is refused, exit codes.

    BERTH_BINARY_DIR=build/dev python3 -m unittest -v tests/cli/cli_test.py
"""
import contextlib
import fcntl
import json
import pathlib
import sys
import tempfile
import unittest

from program import OK, REFUSED, SOURCE, USAGE, berth, workplace

sys.path.append(str(SOURCE / "tests/serve"))
from one_etcd import one_etcd  # noqa: E402, in the folder just named.


class Version(unittest.TestCase):
    def test_the_option_prints_what_the_command_prints(self):
        done = berth("--version")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertRegex(done.stdout, r"^berth \d+\.\d+\.\d+\n$")
        self.assertEqual(done.stdout, berth("version").stdout)


class Usage(unittest.TestCase):
    def check(self, arguments, *parts):
        done = berth(*arguments)
        self.assertEqual(done.returncode, USAGE, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("berth: "), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_an_unknown_command_suggests_the_nearest(self):
        self.check(["scenaro"], "there is no command 'scenaro'", "did you mean 'scenario'?")
        self.check(["get", "machine"], "did you mean 'machines'?", "berth get --help")

    def test_what_is_missing_or_too_much_is_named(self):
        self.check([], "berth --help")
        self.check(["get"], "berth get --help")
        self.check(["scenario", "run"], "FILE")
        self.check(["explain"], "DECISION")
        self.check(["what-if", "defragment"], "--store")
        self.check(["version", "extra"], "extra")
        self.check(["version", "--wrong"], "--wrong")
        self.check(["scenario", "run", "x.scn", "--seed", "-1"], "--seed")
        self.check(["scenario", "run", "x.scn", "--seed", "many"], "--seed", "whole number")


class Reading(unittest.TestCase):
    def setUp(self):
        place = contextlib.ExitStack()
        self.addCleanup(place.close)
        self.folder = place.enter_context(workplace())
        self.run_ok("scenario", "run", "tests/scenarios/why_not.scn", "--store", "s")

    def run_ok(self, *arguments):
        done = berth(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, OK, done.stdout + done.stderr)
        return done.stdout

    def refused(self, *arguments):
        done = berth(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, REFUSED, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_what_a_scenario_leaves_is_there_to_be_read(self):
        rows = json.loads(self.run_ok("get", "instances", "--store", "s", "--json"))
        self.assertEqual([row["instance"] for row in rows], ["filler/0", "web/0"])
        self.assertIn("web", self.run_ok("get", "services", "--store", "s"))
        shown = self.run_ok("get", "machines", "--store", "s", "--limit", "1")
        self.assertIn("the first 1; --limit N shows N", shown)
        decisions = json.loads(self.run_ok("get", "decisions", "--store", "s", "--json"))
        self.assertEqual(len(decisions), 9)
        for row in decisions:
            said = json.loads(self.run_ok("explain", row["decision"], "--store", "s", "--json"))
            self.assertEqual(said["id"], row["decision"])
        self.assertIn("best_fit", self.run_ok("explain", decisions[0]["decision"], "--store", "s"))

    def test_why_not_names_the_rule(self):
        why_not = self.run_ok("why-not", "web/0", "c", "--store", "s")
        self.assertIn("fits: 1 cpu free, needs 2", why_not)
        self.assertIn("best_fit: scores", self.run_ok("why-not", "web/0", "b", "--store", "s"))
        said = json.loads(self.run_ok("why-not", "web/0", "c", "--store", "s", "--json"))
        self.assertFalse(said["valid"])

    def test_what_is_not_there_is_said(self):
        self.assertIn("no decision a0-99", self.refused("explain", "a0-99", "--store", "s"))
        self.assertIn("is no decision", self.refused("explain", "web", "--store", "s"))
        self.assertIn("no service", self.refused("why-not", "api/0", "a", "--store", "s"))
        self.assertIn("no instance web/7", self.refused("why-not", "web/7", "a", "--store", "s"))
        self.assertIn("no machine 'z'", self.refused("why-not", "web/0", "z", "--store", "s"))
        self.assertIn("holds no store", self.refused("get", "machines", "--store", "nowhere"))
        self.assertFalse((self.folder / "nowhere").exists())

    def test_a_store_that_another_process_has_open_is_said_to_be(self):
        with open(self.folder / "s/LOCK", "r+", encoding="utf-8") as held:
            fcntl.lockf(held, fcntl.LOCK_EX)
            message = self.refused("get", "machines", "--store", "s")
        self.assertIn("another berth uses s", message)

    def test_a_scenario_does_not_run_on_what_is_there(self):
        before = self.run_ok("get", "decisions", "--store", "s", "--json")
        message = self.refused("scenario", "run", "tests/scenarios/drain.scn", "--store", "s")
        self.assertRegex(message, r"^berth: s: the store already holds a fleet, at revision \d+; "
                                  r"name a new directory or remove the old one$")
        self.assertEqual(self.run_ok("get", "decisions", "--store", "s", "--json"), before)


class WhatIf(unittest.TestCase):
    def setUp(self):
        place = contextlib.ExitStack()
        self.addCleanup(place.close)
        self.folder = place.enter_context(workplace())

    def make(self, name, *lines):
        (self.folder / f"{name}.scn").write_text("# It holds.\nlabels fast\n" + "\n".join(lines))
        done = berth("scenario", "run", f"{name}.scn", "--store", name, cwd=self.folder)
        self.assertEqual(done.returncode, OK, done.stdout + done.stderr)

    def run_ok(self, *arguments):
        done = berth("what-if", *arguments, cwd=self.folder)
        self.assertEqual(done.returncode, OK, done.stdout + done.stderr)
        return done.stdout

    def refused(self, *arguments):
        done = berth("what-if", *arguments, cwd=self.folder)
        self.assertEqual(done.returncode, REFUSED, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_defragment_plans_and_changes_nothing(self):
        done = berth("scenario", "run", "tests/scenarios/fragmented.scn", "--store", "s",
                     cwd=self.folder)
        self.assertEqual(done.returncode, OK, done.stderr)
        before = berth("get", "instances", "--store", "s", "--json", cwd=self.folder).stdout
        plan = json.loads(self.run_ok("defragment", "--store", "s", "--json"))
        self.assertEqual(len(plan["moves"]), 2)
        self.assertEqual(plan["emptied"], [move["from"] for move in plan["moves"]])
        self.assertEqual((plan["before"]["density"], plan["after"]["density"]), (0.6, 1.0))
        one = json.loads(self.run_ok("defragment", "--store", "s", "--moves", "1", "--json"))
        self.assertEqual(one["moves"], plan["moves"][:1])
        self.assertIn("Nothing helps", self.run_ok("defragment", "--store", "s", "--moves", "0"))
        self.assertEqual(berth("get", "instances", "--store", "s", "--json",
                               cwd=self.folder).stdout, before)

    def test_defragment_of_an_empty_fleet_says_that_nothing_helps(self):
        self.make("empty", "machines a: 8cpu 8Gi")
        said = self.run_ok("defragment", "--store", "empty")
        self.assertIn("Nothing helps", said)
        self.assertIn("None.", said)

    def test_policy_compares_and_changes_nothing(self):
        done = berth("scenario", "run", "tests/scenarios/fragmented.scn", "--store", "s",
                     cwd=self.folder)
        self.assertEqual(done.returncode, OK, done.stderr)
        before = berth("get", "decisions", "--store", "s", "--json", cwd=self.folder).stdout
        roomy = ("policy", "--store", "s", "--policy", "testdata/what_if/roomy.yaml")
        said = self.run_ok(*roomy)
        self.assertIn("reaches back to revision 1 (at 0s), the first there was", said)
        self.assertRegex(said, r"create big +accepted +refused +leaves_free: ")
        self.assertRegex(said, r"scale d +accepted +moot")
        self.assertIn("Refused when recorded: 1 request.", said)
        [run] = json.loads(self.run_ok(*roomy, "--json", "--report", "r"))["runs"]
        rows = {row[0]: row[1:] for row in run["tables"][0]["rows"]}
        self.assertEqual(rows["requests refused"], ["0", "2"])
        self.assertTrue((self.folder / "r/report.html").exists())
        self.assertEqual(berth("get", "decisions", "--store", "s", "--json",
                               cwd=self.folder).stdout, before)

    def test_policy_of_a_fleet_without_requests_says_so(self):
        self.make("fleet", "type small: 1cpu", "machines a: 8cpu", "tenant t")
        message = self.refused("policy", "--store", "fleet", "--policy",
                               "testdata/what_if/roomy.yaml")
        self.assertIn("berth: fleet under testdata/what_if/roomy.yaml: the log holds no request",
                      message)

    def test_bad_input_is_named(self):
        self.make("s", "type small: 1cpu", "machines a: 8cpu", "tenant t",
                  "service web: t silver 1 x small")
        (self.folder / "bad.yaml").write_text("allocate:\n  rules:\n    - fitz\n")
        (self.folder / "classes.yaml").write_text(
            "classes: [{name: gold, availability: 99%, importance: 1}]\n")
        for command in ("defragment", "policy"):
            message = self.refused(command, "--store", "s", "--policy", "bad.yaml")
            self.assertRegex(message, r"^berth: bad.yaml:3:7: .*fitz")
            message = self.refused(command, "--store", "s", "--policy", "nosuch.yaml")
            self.assertIn("nosuch.yaml", message)
            message = self.refused(command, "--store", "nowhere", "--policy", "classes.yaml")
            self.assertIn("holds no store", message)
        # A request for a class that the policy lacks is a refusal; a fleet that uses it already is
        # an error.
        self.assertIn("there is no class silver",
                      self.run_ok("policy", "--store", "s", "--policy", "classes.yaml"))
        message = self.refused("defragment", "--store", "s", "--policy", "classes.yaml")
        self.assertIn("classes.yaml: class silver is used by service web", message)


class StoreOption(unittest.TestCase):
    """A store is written DIR or rocksdb:DIR, by those who make it and those who read it."""

    SCENARIO = ("scenario", "run", "tests/scenarios/drain.scn")
    BOTH = (SCENARIO, ("get", "machines"))

    def test_a_directory_is_the_same_store_with_and_without_its_kind(self):
        for made, read in (("s", "rocksdb:s"), ("rocksdb:s", "s"), ("./a:b", "rocksdb:./a:b"),
                           ("rocksdb:a:b", "./a:b"), ("./memory", "rocksdb:memory")):
            with self.subTest(made=made, read=read), workplace() as folder:
                done = berth(*self.SCENARIO, "--store", made, cwd=folder)
                self.assertEqual(done.returncode, OK, done.stderr)
                shown = [berth("get", "machines", "--store", store, cwd=folder)
                         for store in (made, read)]
                self.assertEqual([got.returncode for got in shown], [OK, OK], shown)
                self.assertEqual(shown[0].stdout, shown[1].stdout)

    def check(self, store, message):
        for command in self.BOTH:
            with self.subTest(store=store, command=command), workplace() as folder:
                before = sorted(folder.iterdir())
                done = berth(*command, "--store", store, cwd=folder)
                self.assertEqual(done.returncode, REFUSED, done.stdout + done.stderr)
                self.assertEqual(done.stderr, f"berth: {message}\n")
                self.assertEqual(sorted(folder.iterdir()), before)

    def test_a_store_that_keeps_nothing_is_refused(self):
        for store in ("memory", "memory:x"):
            self.check(store, f"--store {store} keeps nothing after the command; "
                              "leave --store out, or name a directory")

    def test_an_unknown_kind_names_those_there_are(self):
        for store in ("etchd:x", "rocks:s", ":s"):
            self.check(store, f"there is no store '{store}'; there are memory, rocksdb:DIR, "
                              "etcd:HOST:PORT[,HOST:PORT...][/PREFIX]")

    def test_a_kind_without_a_directory_says_how_it_is_written(self):
        self.check("rocksdb", "store 'rocksdb' is written rocksdb:DIR")
        self.check("rocksdb:", "store 'rocksdb:' is written rocksdb:DIR")
        self.check("etcd:x", "etcd store 'x': 'x' is not HOST:PORT; it is written "
                             "etcd:HOST:PORT[,HOST:PORT...][/PREFIX]")


class EtcdStore(unittest.TestCase):
    def test_whatever_a_directory_can_do_a_zone_can_do(self):
        with one_etcd() as endpoint, workplace() as folder:
            def run_ok(*arguments):
                done = berth(*arguments, cwd=folder)
                self.assertEqual(done.returncode, OK, done.stderr)
                return done.stdout

            zone = f"etcd:{endpoint}/a"
            for store in (zone, "s"):
                run_ok(*StoreOption.SCENARIO, "--store", store)
            machines = run_ok("get", "machines", "--store", "s")
            self.assertEqual(run_ok("get", "machines", "--store", zone), machines)
            run_ok("verify", "--store", zone)
            run_ok("backup", "--store", zone, "--output", "b")
            for store in (f"etcd:{endpoint}/b", "r"):
                run_ok("restore", "b", "--store", store)
                run_ok("verify", "--store", store)
                self.assertEqual(run_ok("get", "machines", "--store", store), machines)

    def test_reading_makes_no_zone(self):
        with one_etcd() as endpoint:
            for command in (("get", "machines"), ("verify",), ("get", "machines")):
                done = berth(*command, "--store", f"etcd:{endpoint}/none")
                self.assertEqual(done.returncode, REFUSED)
                self.assertEqual(done.stderr, f"berth: etcd at {endpoint} holds no zone under "
                                              "none/; name the prefix of one\n")


class Scenario(unittest.TestCase):
    def test_json_is_an_object_a_line(self):
        done = berth("scenario", "run", "tests/scenarios/drain.scn", "--json")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertTrue(all(line["held"] for line in lines))
        self.assertRegex(lines[-1]["unseed"], "^[0-9a-f]{8}$")

    def test_what_does_not_hold_is_exit_code_1_and_says_where(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "wrong.scn")
            file.write_text("# Never.\nlabels fast\ntenant acme\nexpect no tenant acme\n")
            done = berth("scenario", "run", "wrong.scn", cwd=folder)
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("wrong.scn:4:1: 'expect no tenant acme' does not hold", done.stderr)


class SimulatePacking(unittest.TestCase):
    PACKING = ("simulate", "packing", "--machines", "20", "--hours", "1")

    def test_the_same_seed_gives_the_same_bytes(self):
        with workplace() as folder:
            def run(*more):
                done = berth(*self.PACKING, "--agents", "3", "--light", "--commit-ms", "0.5",
                             "--speed-up", "500", "--json", "--report", "r", *more, cwd=folder)
                self.assertEqual(done.returncode, OK, done.stderr)
                return done.stdout
            once = run("--seed", "7")
            self.assertEqual(run("--seed", "7"), once)
            self.assertNotEqual(run("--seed", "8"), once)

    def test_settings_out_of_range_are_named(self):
        for more, part in ((["--speed-up", "0"], "--speed-up must be 1 to"),
                           (["--hit-ms", "soon"], "--hit-ms must be a number from 0 to"),
                           (["--commit-ms", "0.0001"], "at most 3 decimals"),
                           (["--light", "--hit-ratio", "1.5"], "--hit-ratio must be"),
                           (["--hit-ratio", "0.5"], "only with --light")):
            with self.subTest(more=more):
                done = berth(*self.PACKING, *more)
                self.assertEqual(done.returncode, REFUSED)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                self.assertIn(part, done.stderr)


class Balance(unittest.TestCase):
    def setUp(self):
        place = contextlib.ExitStack()
        self.addCleanup(place.close)
        self.folder = place.enter_context(workplace())
        done = berth("scenario", "run", "tests/scenarios/crowded.scn", "--store", "s",
                     cwd=self.folder)
        self.assertEqual(done.returncode, OK, done.stderr)

    def balance(self, *more, usage="testdata/balance/crowded.csv"):
        return berth("balance", "--what-if", "--store", "s", "--usage", usage, *more,
                     cwd=self.folder)

    def test_it_plans_and_changes_nothing(self):
        before = berth("get", "instances", "--store", "s", "--json", cwd=self.folder).stdout
        done = self.balance("--json", "--report", "r")
        self.assertEqual(done.returncode, OK, done.stderr)
        plan = json.loads(done.stdout)
        self.assertEqual(plan["before"]["violated_now"], 1)
        self.assertEqual(plan["after"]["violated_now"], 0)
        self.assertLess(plan["after"]["expected_violations"],
                        plan["before"]["expected_violations"])
        self.assertTrue(plan["moves"])
        self.assertTrue((self.folder / "r/report.html").exists())
        self.assertEqual(self.balance("--json").stdout, done.stdout)
        self.assertEqual(berth("get", "instances", "--store", "s", "--json",
                               cwd=self.folder).stdout, before)

    def test_no_moves_are_no_plan(self):
        done = self.balance("--moves", "0")
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("--moves", done.stderr)

    def test_what_is_wrong_is_said(self):
        done = berth("balance", "--store", "s", "--usage", "u.csv", cwd=self.folder)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("--what-if", done.stderr)
        (self.folder / "u.csv").write_text(
            "instance,cpu_milli,memory_bytes,disk_bytes\nnosuch/0,1,1,1\n")
        done = self.balance(usage="u.csv")
        self.assertEqual(done.returncode, REFUSED)
        self.assertEqual(done.stderr, "berth: u.csv: there is no instance nosuch/0 in s\n")


class Forecast(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, values):
        rows = "".join(f"{3600 * i},{value}\n" for i, value in enumerate(values))
        (self.folder / name).write_text("at_s,value\n" + rows)
        return self.folder / name

    def test_without_scores_the_default_method_is_shown(self):
        series = self.write("short.csv", [7 + i % 5 for i in range(20)])
        shown = berth("forecast", "--input", series, "--method", "all").stdout
        self.assertIn("There is no score of seasonal_decomposition: the last 24 points would be "
                      "held out, the series has 20, and seasonal_decomposition needs 8 before "
                      "them; shorten the horizon. Shown is the default method.", shown)
        self.assertNotIn("Scores of the last points", shown)
        self.assertIn("Forecast by seasonal_decomposition", shown)

    def test_of_a_folder_what_has_no_score_is_named(self):
        self.write("wave.csv", [i % 24 + i % 5 for i in range(100)])
        self.write("flat.csv", [3] * 100)
        self.write("short.csv", [1, 2, 3])
        command = ["forecast", "--input", self.folder, "--method", "average"]
        done = berth(*command)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("Left out, 2 of 3: flat.csv: it repeats itself exactly from season to "
                      "season; short.csv: the last 24 points would be held out", done.stdout)
        self.assertEqual(len(json.loads(berth(*command, "--json").stdout)["left_out"]), 2)
        (self.folder / "wave.csv").unlink()
        done = berth(*command)
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn(f"{self.folder}: no series has a score: flat.csv", done.stderr)

    def test_times_past_what_can_be_written_are_refused(self):
        far = self.folder / "far.csv"
        far.write_text("at_s,value\n0,1\n32503680000,2\n")
        done = berth("forecast", "--input", far, "--horizon", "7")
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn(f"{far}: points are 376200d apart, so that the last of 7 after them is past "
                      "the year 9999; shorten the horizon, or mend the times", done.stderr)
        self.assertEqual(berth("forecast", "--input", far, "--horizon", "6").returncode, OK)

    def test_an_empty_name_is_said(self):
        done = berth("forecast", "--input", self.write("a.csv", [1, 2]), "--method", "average,")
        self.assertIn("the name of a method is empty", done.stderr)


class Capacity(unittest.TestCase):
    DATA = SOURCE / "testdata"

    def plan(self, *more, load=DATA / "forecast/load.csv"):
        return berth("capacity", "--load", load, "--model", self.DATA / "capacity/model.yaml",
                     "--prices", self.DATA / "capacity/prices.yaml", *more)

    def test_a_load_is_planned_for_as_its_forecast_is(self):
        foreseen = berth("forecast", "--input", self.DATA / "forecast/load.csv", "--horizon", "5",
                         "--json")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "forecast.json")
            file.write_text(foreseen.stdout)
            of_forecast = json.loads(self.plan("--json", load=file).stdout)
        of_load = json.loads(self.plan("--horizon", "5", "--json").stdout)
        self.assertEqual(of_load, of_forecast)
        self.assertEqual(len(of_load["steps"]), 5)
        self.assertEqual(of_load["quantile"], 0.975)

    def test_what_is_wrong_is_said(self):
        for option, value, message in (
                ("--quantile", "100", "berth: --quantile is a percentage from 1 to 99.99, not "
                                      "'100'\n"),
                ("--provider", "west", "berth: there is no provider 'west'; the prices are of "
                                       "north, south\n"),
                ("--horizon", "0", "berth: --horizon must be 1 to 1000, not 0\n")):
            with self.subTest(option=option):
                done = self.plan(option, value)
                self.assertEqual((done.returncode, done.stderr), (REFUSED, message))


if __name__ == "__main__":
    unittest.main()
