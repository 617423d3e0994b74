"""Keeping a store, as an operator types it.

    cd tests/cli && BERTH_BINARY_DIR=../../build/dev python3 -m unittest -v operations_test
"""
import contextlib
import json
import unittest

from program import OK, REFUSED, berth, workplace


class Operation(unittest.TestCase):
    """A folder with a store in `s`."""

    SCENARIO = "tests/scenarios/gang_mixed_types.scn"

    def setUp(self):
        place = contextlib.ExitStack()
        self.addCleanup(place.close)
        self.folder = place.enter_context(workplace())
        self.run_ok("scenario", "run", self.SCENARIO, "--store", "s")

    def run_ok(self, *arguments):
        done = berth(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, OK, done.stdout + done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def refused(self, *arguments):
        done = berth(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, REFUSED, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr


class Verify(Operation):
    def test_a_store_that_holds_is_exit_code_0(self):
        shown = self.run_ok("verify", "--store", "s")
        self.assertRegex(shown, r"machines within capacity +\d+ +0\n")
        self.assertIn("the log reaches back to revision 1, the first there was.", shown)
        said = json.loads(self.run_ok("verify", "--store", "rocksdb:s", "--json"))
        self.assertTrue(said["holds"])
        self.assertEqual({check["broken"] for check in said["checks"]}, {0})

    def test_what_bends_a_bound_leaves_a_store_that_holds(self):
        for name in ("drain", "evicts_the_fewest", "fail_waits_and_returns", "oversubscribed",
                     "policy_changes", "quota_lowered", "scale_in_keeps_spread"):
            with self.subTest(scenario=name):
                self.run_ok("scenario", "run", f"tests/scenarios/{name}.scn", "--store", name)
                self.run_ok("verify", "--store", name)

    def test_what_is_not_a_store_is_said(self):
        self.assertEqual(self.refused("verify", "--store", "nowhere"),
                         "berth: 'nowhere' holds no store; name the directory of one\n")
        self.assertFalse((self.folder / "nowhere").exists())
        self.assertIn("keeps nothing", self.refused("verify", "--store", "memory"))


class Backup(Operation):
    def test_what_is_restored_is_what_was_backed_up(self):
        said = json.loads(self.run_ok("backup", "--store", "s", "--output", "b", "--json"))
        self.assertRegex(self.run_ok("restore", "b", "--store", "rocksdb:r"),
                         rf"^restored revision {said['revision']}: {said['records']} records, "
                         rf"{said['log']} revisions of the log\n$")
        self.run_ok("verify", "--store", "r")
        for what in ("machines", "services", "instances", "decisions"):
            self.assertEqual(self.run_ok("get", what, "--store", "r", "--json"),
                             self.run_ok("get", what, "--store", "s", "--json"))
        self.run_ok("backup", "--store", "r", "--output", "again")
        self.assertEqual((self.folder / "again").read_bytes(), (self.folder / "b").read_bytes())

    def test_bad_input_is_named_and_leaves_nothing(self):
        self.run_ok("backup", "--store", "s", "--output", "b")
        whole = (self.folder / "b").read_bytes()
        (self.folder / "cut").write_bytes(whole[:-9])
        (self.folder / "bent").write_bytes(whole[:200] + b"\0\0" + whole[202:])
        before = sorted(self.folder.iterdir())
        for arguments, message in (
                (("restore", "cut", "--store", "r"), "cut: ends early, within entry"),
                (("restore", "bent", "--store", "r"), "bent: is damaged at byte"),
                (("restore", "testdata", "--store", "r"), "cannot read testdata; name a backup"),
                (("restore", "b", "--store", "s"), "'s' is not empty; name a new directory"),
                (("restore", "b", "--store", "no/r"), "'no' is not a directory; make it first"),
                (("restore", "b", "--store", "memory"), "--store memory keeps nothing"),
                (("backup", "--store", "s", "--output", "b"), "b is there already"),
                (("backup", "--store", "s", "--output", "no/b"), "cannot write no/b"),
                (("backup", "--store", "none", "--output", "c"), "'none' holds no store")):
            with self.subTest(arguments=arguments):
                self.assertIn(message, self.refused(*arguments))
                self.assertEqual(sorted(self.folder.iterdir()), before)
        self.assertEqual((self.folder / "b").read_bytes(), whole)


if __name__ == "__main__":
    unittest.main()
