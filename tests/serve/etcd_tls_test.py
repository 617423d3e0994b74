"""A zone in an etcd that wants TLS, a certificate, a user."""
import os
import subprocess
import time
import unittest
from unittest import mock

from api import (BERTH, OK, REFUSED, WAIT_SECONDS, Server, ServerCase, berth, service,
                 stored_instances)
from certificates import make_all
from one_etcd import one_etcd

USER, PASSWORD = "keeper", "pass:word"
TOKEN_SECONDS = 2


class EtcdCase(ServerCase):
    FLAGS = ()

    def setUp(self):
        super().setUp()
        make_all(self.folder)
        self.endpoint = self.place.enter_context(one_etcd(
            f"--cert-file={self.folder}/server.pem", f"--key-file={self.folder}/server.key",
            "--client-cert-auth", f"--trusted-ca-file={self.folder}/ours.pem", *self.FLAGS,
            scheme="https"))
        self.zone = f"etcd:{self.endpoint}/zone"

    def given(self, **files):
        """For the commands that follow: BERTH_ETCD_CA=..., from the test's folder."""
        self.place.enter_context(mock.patch.dict(os.environ, {
            f"BERTH_ETCD_{kind.upper()}": str(self.folder / name)
            for kind, name in files.items()}))

    def control(self, *arguments):
        done = subprocess.run(
            ["etcdctl", f"--endpoints=https://{self.endpoint}", f"--cacert={self.folder}/ours.pem",
             f"--cert={self.folder}/client.pem", f"--key={self.folder}/client.key", *arguments],
            env={"ETCDCTL_API": "3", "PATH": os.environ["PATH"]}, capture_output=True, text=True,
            timeout=WAIT_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def says_no(self, *parts):
        done = berth("get", "machines", "--store", self.zone)
        self.assertEqual(done.returncode, REFUSED, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def serve_and_verify(self):
        """A process commits, another reads what it left."""
        with Server(self.folder, store=self.zone) as server:
            self.accepted(server.call("CreateService", {"service": service("web", 2)}))
        self.assertEqual(len(stored_instances(self.folder, self.zone)), 2)
        verified = berth("verify", "--store", self.zone)
        self.assertEqual(verified.returncode, OK, verified.stderr)


class Certificates(EtcdCase):
    def test_who_shows_one_has_a_store(self):
        self.given(ca="ours.pem", cert="client.pem", key="client.key")
        self.serve_and_verify()

    def test_who_is_not_believed_or_does_not_believe_has_none(self):
        asking = []  # All at once: each is told after ten seconds.
        for files in ({"ca": "ours.pem"},
                      {"ca": "ours.pem", "cert": "stranger.pem", "key": "stranger.key"},
                      {"ca": "theirs.pem", "cert": "client.pem", "key": "client.key"}):
            self.given(**files)
            asking.append(subprocess.Popen([BERTH, "get", "machines", "--store", self.zone],
                                           stderr=subprocess.PIPE, text=True))
        for each in asking:
            said = each.communicate(timeout=WAIT_SECONDS)[1]
            self.assertEqual(each.returncode, REFUSED, said)
            self.assertEqual(said.count("\n"), 1, said)
            self.assertIn(f"etcd at {self.endpoint} did not answer", said)
            self.assertIn("check that it runs and has a leader, and the certificates", said)

    def test_a_file_that_is_not_there_is_said(self):
        self.given(ca="nosuch")
        self.says_no("BERTH_ETCD_CA", "nosuch")


class Users(EtcdCase):
    FLAGS = (f"--auth-token-ttl={TOKEN_SECONDS}",)

    def setUp(self):
        super().setUp()
        self.control("user", "add", "root:root")
        self.control("user", "add", f"{USER}:{PASSWORD}")
        self.control("role", "add", "zone")
        self.control("role", "grant-permission", "zone", "readwrite", "--prefix=true", "zone/")
        self.control("user", "grant-role", "root", "root")
        self.control("user", "grant-role", USER, "zone")
        self.control("auth", "enable")
        self.given(ca="ours.pem", cert="client.pem", key="client.key")

    def log_in_as(self, text):
        (self.folder / "user").write_text(f"{text}\n")
        self.given(user="user")

    def test_who_may_write_the_prefix_has_a_store(self):
        self.log_in_as(f"{USER}:{PASSWORD}")
        self.serve_and_verify()

    def test_a_login_that_ended_is_made_anew(self):
        self.log_in_as(f"{USER}:{PASSWORD}")
        server = self.serve(store=self.zone)
        for name in ("web", "api"):
            time.sleep(2 * TOKEN_SECONDS)
            self.accepted(server.call("CreateService", {"service": service(name)}))

    def test_others_are_refused(self):
        self.log_in_as(f"{USER}:wrong")
        self.says_no("refused", "authentication failed")
        self.log_in_as(f"{USER}:{PASSWORD}")
        self.zone = f"etcd:{self.endpoint}/other"
        self.says_no("refused", "permission denied")


if __name__ == "__main__":
    unittest.main()
