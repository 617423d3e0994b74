"""`berth verify` compares what etcd's members hold."""
import contextlib
import pathlib
import subprocess
import tempfile
import unittest

from api import BERTH, OK, REFUSED, SOURCE, berth, eventually
from one_etcd import one_etcd

CHECK = "members of etcd hold the same"


def restored(backup, endpoint):
    """Once etcd has begun to answer."""
    eventually(lambda: berth("restore", backup, "--store", f"etcd:{endpoint}").returncode == OK,
               f"{endpoint} holds what {backup} does")


class Members(unittest.TestCase):
    def setUp(self):
        place = contextlib.ExitStack()
        self.addCleanup(place.close)
        folder = pathlib.Path(place.enter_context(tempfile.TemporaryDirectory()))
        scenario = SOURCE / "tests/scenarios/quota_lowered.scn"
        for words in (("scenario", "run", scenario, "--store", "some"),
                      ("backup", "--store", "some", "--output", "backup")):
            done = subprocess.run([BERTH, *words], cwd=folder, capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, OK, done.stderr)
        self.backup = folder / "backup"
        self.one, self.other = (place.enter_context(one_etcd()) for _ in range(2))

    def test_a_lone_endpoint_has_nothing_to_compare(self):
        restored(self.backup, self.one)
        verified = berth("verify", "--store", f"etcd:{self.one}")
        self.assertEqual(verified.returncode, OK, verified.stderr)
        self.assertNotIn(CHECK, verified.stdout)

    def test_a_member_holds_the_same_as_itself(self):
        restored(self.backup, self.one)
        verified = berth("verify", "--store", f"etcd:{self.one},{self.one}")
        self.assertEqual(verified.returncode, OK, verified.stderr)
        self.assertIn(CHECK, verified.stdout)

    def test_members_that_differ_are_named_with_the_key(self):
        eventually(lambda: subprocess.run(
            ["etcdctl", "--endpoints", self.other, "put", "not-ours", "1"],
            env={"ETCDCTL_API": "3", "PATH": "/usr/bin:/bin"}, capture_output=True,
            check=False).returncode == OK, "etcd takes a key")
        for endpoint in (self.one, self.other):
            restored(self.backup, endpoint)
        verified = berth("verify", "--store", f"etcd:{self.one},{self.other}")
        self.assertEqual(verified.returncode, REFUSED)
        self.assertRegex(verified.stderr, f"key berth/.*: etcd at {self.one} holds it as of .*, "
                                          f"etcd at {self.other} holds it as of .*; remove")

    def test_a_member_that_is_behind_is_named(self):
        restored(self.backup, self.one)
        verified = eventually(
            lambda: [done for done in [berth("verify", "--store", f"etcd:{self.one},{self.other}")]
                     if "did not answer" not in done.stderr], "both answer")[0]
        self.assertEqual(verified.returncode, REFUSED)
        self.assertIn(f"etcd at {self.other} has not come to revision", verified.stderr)

    def test_all_must_answer(self):
        restored(self.backup, self.one)
        verified = berth("verify", "--store", f"etcd:{self.one},127.0.0.1:1")
        self.assertNotEqual(verified.returncode, OK)
        self.assertIn("127.0.0.1:1", verified.stderr)
        self.assertIn("did not answer", verified.stderr)


if __name__ == "__main__":
    unittest.main()
