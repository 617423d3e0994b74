"""TLS, and clients that must show a certificate, over HTTP and gRPC."""
import unittest

import grpc

from api import REFUSED, OneServerCase, ServerCase, berth, generated
from certificates import make_all

pb, stubs = generated()


class TlsCase(OneServerCase):
    @classmethod
    def prepare(cls, folder):
        make_all(folder)

    def file(self, name):
        return str(self.server.folder / name)

    def get_health(self, *options):
        return self.server.get("/v1/health", *options).code

    def grpc_ready(self, authority="ours.pem", certificate=None):
        def read(name):
            return (self.server.folder / name).read_bytes() if name else None
        credentials = grpc.ssl_channel_credentials(
            read(authority), read(certificate and f"{certificate}.key"),
            read(certificate and f"{certificate}.pem"))
        with grpc.secure_channel(self.server.grpc, credentials) as channel:
            try:
                return stubs.BerthStub(channel).Health(pb.HealthRequest(), timeout=60).ready
            except grpc.RpcError as error:
                self.assertEqual(error.code(), grpc.StatusCode.UNAVAILABLE, error.details())
                return False


class Tls(TlsCase):
    OPTIONS = ("--tls-cert", "server.pem", "--tls-key", "server.key")

    def test_who_knows_the_authority_is_answered(self):
        self.assertEqual(self.server.scheme, "https")
        self.assertEqual(self.get_health("--cacert", self.file("ours.pem")), 200)
        self.assertTrue(self.grpc_ready())

    def test_who_knows_another_does_not_trust_it(self):
        self.assertEqual(self.get_health("--cacert", self.file("theirs.pem")), 0)
        self.assertFalse(self.grpc_ready("theirs.pem"))

    def test_strangers_do_not_write_into_the_log(self):
        self.grpc_ready("theirs.pem")
        self.get_health("--cacert", self.file("theirs.pem"))
        self.assertEqual([line["event"] for line in self.server.audit()], ["started"])

    def test_old_tls_is_refused(self):
        options = ("--cacert", self.file("ours.pem"))
        self.assertEqual(self.get_health(*options, "--tls-max", "1.1"), 0)
        self.assertEqual(self.get_health(*options, "--tlsv1.2", "--tls-max", "1.2"), 200)

    def test_plain_http_gets_no_answer(self):
        self.server.scheme = "http"
        try:
            self.assertEqual(self.get_health(), 0)
        finally:
            self.server.scheme = "https"

    def test_the_command_line_takes_the_authority(self):
        good = self.server.client("get", "types", "--ca", "ours.pem")
        self.assertEqual(good.returncode, 0, good.stderr)
        for options in (("--ca", "theirs.pem"), ()):
            bad = self.server.client("get", "types", *options)
            self.assertEqual(bad.returncode, REFUSED)
            self.assertEqual(bad.stderr.count("\n"), 1, bad.stderr)
            self.assertIn(f"no server answers on {self.server.grpc}", bad.stderr)


class MutualTls(TlsCase):
    OPTIONS = (*Tls.OPTIONS, "--tls-client-ca", "ours.pem")

    def show(self, name):
        return ("--cacert", self.file("ours.pem"), "--cert", self.file(f"{name}.pem"), "--key",
                self.file(f"{name}.key"))

    def test_who_shows_our_certificate_is_answered(self):
        self.assertEqual(self.get_health(*self.show("client")), 200)
        self.assertTrue(self.grpc_ready(certificate="client"))

    def test_who_shows_none_or_a_strangers_is_not(self):
        self.assertEqual(self.get_health("--cacert", self.file("ours.pem")), 0)
        self.assertEqual(self.get_health(*self.show("stranger")), 0)
        self.assertFalse(self.grpc_ready())
        self.assertFalse(self.grpc_ready(certificate="stranger"))

    def test_the_command_line_shows_its_own(self):
        for name, code in (("client", 0), ("stranger", REFUSED)):
            both = (self.server.folder / f"{name}.key").read_text()
            both += (self.server.folder / f"{name}.pem").read_text()
            (self.server.folder / f"{name}.both").write_text(both)
            done = self.server.client("get", "types", "--ca", "ours.pem", "--cert", f"{name}.both")
            self.assertEqual(done.returncode, code, done.stderr)
        done = self.server.client("get", "types", "--cert", "client.both")
        self.assertIn("give --ca as well", done.stderr)


class Keys(ServerCase):
    def test_beyond_this_machine_with_tls_and_tokens(self):
        make_all(self.folder)
        (self.folder / "tokens").write_text(
            "tokens:\n  - {name: a, role: read, token: 0123456789abcdef}\n")
        done = berth("serve", "--store", "memory", "--listen", "0.0.0.0:65535", "--tls-cert",
                     "server.pem", "--tls-key", "server.key", "--tokens", "tokens",
                     cwd=self.folder)
        self.assertIn("--listen-grpc", done.stderr)  # Reach is not what is wrong any more.

    def test_keys_that_cannot_be_used_are_said(self):
        make_all(self.folder)
        (self.folder / "junk").write_text("junk\n")
        for certificate, key in (("junk", "server.key"), ("server.pem", "junk"),
                                 ("server.pem", "client.key"), ("nosuch", "server.key")):
            with self.subTest(certificate=certificate, key=key):
                done = berth("serve", "--store", "memory", "--listen", "127.0.0.1:0", "--tls-cert",
                             certificate, "--tls-key", key, cwd=self.folder)
                self.assertEqual(done.returncode, REFUSED, done.stderr)
                self.assertRegex(done.stderr.splitlines()[-1], r"^berth: .*(key|nosuch)")


if __name__ == "__main__":
    unittest.main()
