"""Who may call what: reach, tokens and their roles, and the line that every write leaves."""
import signal
import unittest

import grpc

from api import CALLS, REFUSED, OneServerCase, Server, ServerCase, berth, generated, service

pb, stubs = generated()

ROLES = ("read", "allocate", "operate")
SECRETS = {role: f"{role}-secret-0123456789abcdef" for role in ROLES}
TOKENS = "tokens:\n" + "".join(
    f"  - {{name: {role}er, role: {role}, token: {SECRETS[role]}}}\n" for role in ROLES)


def bearer(token):
    return ("--header", f"Authorization: Bearer {token}")


class Reach(ServerCase):
    def refused(self, *options):
        done = berth("serve", "--store", "memory", *options, cwd=self.folder)
        self.assertEqual(done.returncode, REFUSED, done.stdout)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_other_machines_need_a_key_and_a_token(self):
        (self.folder / "tokens").write_text(TOKENS)
        for options in (("--listen", "0.0.0.0:0"), ("--listen", "[::]:0"),
                        ("--listen", "0.0.0.0:0", "--tokens", "tokens"),
                        ("--listen", "127.0.0.1:0", "--listen-grpc", "0.0.0.0:0")):
            with self.subTest(options=options):
                said = self.refused(*options)
                for part in ("can be reached from other machines", "--tls-cert", "--tls-key",
                             "--tokens", "--insecure"):
                    self.assertIn(part, said)

    def test_insecure_is_for_those_who_mean_it(self):
        command = Server(self.folder, "--insecure")
        command.command[command.command.index("127.0.0.1:0")] = "0.0.0.0:0"
        server = self.place.enter_context(command)
        server.http = server.http.replace("0.0.0.0", "127.0.0.1")
        for host in (server.http, "berth.example"):
            self.assertEqual(server.call("Health", None, "--header", f"Host: {host}").code, 200)

    def test_a_name_that_leads_to_loopback_is_not_enough(self):
        """Whoever owns the name could have a page of theirs read what this server answers."""
        (self.folder / "tokens").write_text(TOKENS)
        server = self.serve()
        guarded = self.serve("--tokens", "tokens")
        port = server.http.rpartition(":")[2]
        targets = ("/", "/metrics", "/v1/health", "/v1/machines", "/v1/watch", "/nosuch")
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}",
                     f"10.0.0.1:{port}", ""):
            for target in targets:
                with self.subTest(host=host, target=target):
                    got = server.get(target, "--header", f"Host: {host}" if host else "Host;",
                                     "--header", f"Origin: http://{host}",
                                     "--header", "Accept: text/html")
                    self.refuses(got, 403, "permission_denied", repr(host), "127.0.0.1",
                                 "--tokens")
        evil = ("--header", "Host: evil.example")
        self.refuses(server.call("FailMachine", {}, *evil, name="c1-0001"), 403,
                     "permission_denied")
        state = server.call("GetMachine", None, name="c1-0001").json
        self.assertEqual(state["machine"]["health"], "READY")
        for host in ("localhost", f"localhost:{port}", "127.0.0.1", "[::1]:7400"):
            with self.subTest(host=host):
                self.assertEqual(server.get("/v1/machines", "--header", f"Host: {host}").code, 200)
        # A token is what a page of somebody else's does not have, and a proxy passes names on.
        self.assertEqual(guarded.get("/v1/health", *evil).code, 200)
        self.assertEqual(
            guarded.get("/v1/machines", *evil, *bearer(SECRETS["read"])).code, 200)

    def test_addresses_that_are_none(self):
        for address in ("7400", "localhost:7400", "127.0.0.1", "127.0.0.1:65536", "127.0.0.1:-1",
                        "127.0.0.1:x", "[::1]", ":7400", ""):
            with self.subTest(address=address):
                self.assertIn("write one like 127.0.0.1:7400 or [::1]:7400",
                              self.refused("--listen", address))

    def test_settings_that_make_no_sense(self):
        self.assertIn("--tls-cert and --tls-key go together",
                      self.refused("--listen", "127.0.0.1:0", "--tls-cert", "x"))
        self.assertIn("--tls-client-ca needs --tls-cert",
                      self.refused("--listen", "127.0.0.1:0", "--tls-client-ca", "x"))
        self.assertIn("--agents must be 1 to 64", self.refused("--agents", "0"))
        self.assertIn("--in-flight must be 1 to", self.refused("--in-flight", "0"))
        self.assertIn("--connections must be 1 to", self.refused("--connections", "0"))
        self.assertIn("no port after 65535", self.refused("--listen", "127.0.0.1:65535"))
        self.assertIn("--demo has no token", self.refused("--demo", "--tokens", "x"))

    def test_a_port_that_is_taken_is_named(self):
        server = self.serve()
        for options in (("--listen", server.http, "--listen-grpc", "127.0.0.1:0"),
                        ("--listen", "127.0.0.1:0", "--listen-grpc", server.grpc)):
            self.assertIn(f"cannot listen on {options[1 if options[1] == server.http else 3]}",
                          self.refused(*options))

    def test_bad_tokens_files_say_where(self):
        long = "0123456789abcdef"
        for text, where, part in (
                ("tokens: []\n", "1:1", "has 0 tokens"),
                ("token: x\n", "1:1", "token"),
                ("tokens:\n  - {name: a, role: king, token: " + long + "}\n", "2:21",
                 "read, allocate or operate"),
                ("tokens:\n  - {name: a, role: read, token: short}\n", "2:5", "5 characters"),
                ("tokens:\n  - {name: a, role: read, token: " + "x" * 513 + "}\n", "2:5", "513"),
                ("tokens:\n  - {name: a, token: " + long + "}\n", "2:5", "role"),
                ("tokens:\n  - {role: read, token: " + long + "}\n", "2:5", "name"),
                ("tokens:\n  - {name: a, role: read, token: " + long + ", age: 5}\n", "2:", "age"),
                ("tokens:\n  - {name: a, role: read, token: " + long + "}\n"
                 "  - {name: b, role: read, token: " + long + "}\n", "3:5", "token of a"),
                ("tokens: [\n", "", "")):
            with self.subTest(text=text[:60]):
                (self.folder / "bad.yaml").write_text(text)
                said = self.refused("--listen", "127.0.0.1:0", "--tokens", "bad.yaml")
                self.assertRegex(said, rf"^berth: bad.yaml:{where}[\d:]*: ")
                self.assertIn(part, said)
                self.assertNotIn(long, said)
        self.assertIn("nosuch", self.refused("--listen", "127.0.0.1:0", "--tokens", "nosuch"))


class Roles(OneServerCase):
    OPTIONS = ("--tokens", "tokens")

    @classmethod
    def prepare(cls, folder):
        (folder / "tokens").write_text(TOKENS)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.channel = cls.all.enter_context(grpc.insecure_channel(cls.server.grpc))
        cls.stub = stubs.BerthStub(cls.channel)

    def grpc_code(self, name, header):
        """What an empty request is answered with; a stream, when it has begun."""
        request = pb.DESCRIPTOR.services_by_name["Berth"].methods_by_name[name].input_type
        metadata = [("authorization", header)] if header else []
        try:
            answer = getattr(self.stub, name)(getattr(pb, request.name)(), metadata=metadata,
                                              timeout=60)
            if name.startswith("Watch"):
                next(answer)
                answer.cancel()
            return grpc.StatusCode.OK
        except grpc.RpcError as error:
            return error.code()

    def http_code(self, call, *options):
        """A stream is asked for a revision that never was, so that it ends, or is left."""
        target = call.at(name="x", id="x", service="x", machine="x", subject="x",
                         metric="x")
        if call.name == "Watch":
            target += "?from=999999"
        elif call.name.startswith("Watch"):
            options = (*options, "--max-time", "1")
        return self.server.send(call.verb, target, None, *options).code

    def test_each_role_can_do_exactly_what_the_proto_says(self):
        for call in CALLS.values():
            for role in ROLES:
                with self.subTest(call=call.name, role=role):
                    may = call.role == "none" or ROLES.index(role) >= ROLES.index(call.role)
                    self.assertEqual(self.http_code(call, *bearer(SECRETS[role])) != 403, may)
                    denied = (self.grpc_code(call.name, f"Bearer {SECRETS[role]}")
                              == grpc.StatusCode.PERMISSION_DENIED)
                    self.assertEqual(denied, not may)

    def test_without_a_token_only_health_is_told(self):
        for call in CALLS.values():
            with self.subTest(call=call.name):
                needs = call.role != "none"
                self.assertEqual(self.http_code(call), 401 if needs else 200)
                self.assertEqual(self.grpc_code(call.name, None),
                                 grpc.StatusCode.UNAUTHENTICATED if needs else grpc.StatusCode.OK)

    def test_a_wrong_token_is_never_as_good_as_none(self):
        for header in ("Bearer wrong-secret-0123456789", "Bearer ", "Basic dXNlcjpwdw==",
                       SECRETS["operate"], "bearer", f"Bearer {SECRETS['read']}x",
                       f"Bearer {SECRETS['read'][:-1]}", f"Bearer  {SECRETS['read']}"):
            for name in ("Health", "ListMachines", "CreateService"):
                with self.subTest(header=header, call=name):
                    got = self.server.call(name, None, "--header", f"Authorization: {header}")
                    self.refuses(got, 401, "unauthenticated")
                    self.assertEqual(got.headers["www-authenticate"], "Bearer")
                    self.assertEqual(self.grpc_code(name, header),
                                     grpc.StatusCode.UNAUTHENTICATED)

    def test_what_is_lacking_is_said(self):
        self.refuses(self.server.call("ListMachines"), 401, "unauthenticated", "the role read",
                     "Authorization: Bearer TOKEN")
        self.refuses(self.server.call("DrainMachine", None, *bearer(SECRETS["allocate"]),
                                      name="c1-0001"),
                     403, "permission_denied", "the role operate", "allocateer has allocate")

    def test_metrics_need_the_role_read(self):
        self.assertEqual(self.server.get("/metrics").code, 401)
        self.assertEqual(self.server.get("/metrics", *bearer(SECRETS["read"])).code, 200)

    def test_the_command_line_sends_the_token_of_a_file(self):
        for role in ROLES:
            (self.server.folder / role).write_text(SECRETS[role] + "\n")
        listed = self.server.client("get", "machines", "--token", "read")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        for options, part in (((), "needs a token"),
                              (("--token", "read"), "needs the role operate"),
                              (("--token", "nosuch"), "nosuch")):
            done = self.server.client("drain", "c1-0001", *options)
            self.assertEqual(done.returncode, REFUSED)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(part, done.stderr)


class Audit(ServerCase):
    def test_one_line_a_write_with_who_what_and_the_decision(self):
        (self.folder / "tokens").write_text(TOKENS)
        server = self.serve("--tokens", "tokens")
        may = {role: bearer(SECRETS[role]) for role in ROLES}
        web = {"service": service("web"), "idempotency_key": "k"}
        outcome = server.call("CreateService", web, *may["allocate"]).json
        server.call("CreateService", web, *may["allocate"])
        server.call("CreateService", {"service": service("huge", 2000)}, *may["allocate"])
        server.call("GetService", None, *may["read"], name="web")
        server.call("DrainMachine", None, *may["allocate"], name="c1-0001")
        server.call("DrainMachine", None, *may["operate"], name="c1-0001")
        server.call("DeleteService", name="web")
        self.assertEqual(server.stop(), 0)
        started, *lines, stopped = server.audit()
        self.assertEqual((started["event"], stopped["event"]), ("started", "stopped"))
        told = [(line["who"], line["call"], line["subject"], line["code"]) for line in lines]
        self.assertEqual(told, [
            ("allocateer", "CreateService", "web", "ok"),
            ("allocateer", "CreateService", "web", "ok"),
            ("allocateer", "CreateService", "huge", "ok"),
            ("allocateer", "DrainMachine", "c1-0001", "permission_denied"),
            ("operateer", "DrainMachine", "c1-0001", "ok"),
            ("anyone", "DeleteService", "web", "unauthenticated")])
        self.assertEqual(lines[0]["decision"], outcome["decision"]["id"])
        self.assertEqual(str(lines[0]["revision"]), outcome["revision"])
        self.assertEqual([line.get("accepted") for line in lines[:3]], [True, True, False])
        self.assertEqual([line.get("duplicate") for line in lines[:3]], [None, True, None])
        for line in lines:
            self.assertRegex(line["at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$")
        everything = "".join(server.said + server.logged)
        for secret in SECRETS.values():
            self.assertNotIn(secret, everything)

    def test_a_line_is_there_before_the_answer(self):
        server = self.serve("--audit", "audit.log")
        self.accepted(server.call("DrainMachine", name="c1-0001"))
        server.stop(signal.SIGKILL)
        self.assertIn('"DrainMachine"', (self.folder / "audit.log").read_text())

    def test_a_file_is_appended_to(self):
        for _ in range(2):
            server = self.serve("--audit", "audit.log")
            server.call("DrainMachine", name="c1-0001")
            self.assertEqual(server.stop(), 0)
            self.assertEqual(server.logged, [])
        lines = (self.folder / "audit.log").read_text().splitlines()
        self.assertEqual(len([line for line in lines if '"DrainMachine"' in line]), 2)

    def test_a_stranger_cannot_forge_or_flood_it(self):
        server = self.serve()
        evil = 'x","who":"operateer"}\n{"at":' + "y" * 1000
        server.call("CreateService", {"service": {"name": evil}})
        self.assertEqual(server.stop(), 0)
        [line] = [line for line in server.audit() if "call" in line]
        self.assertEqual(line["who"], "anyone")
        self.assertLessEqual(len(line["subject"]), 128)


if __name__ == "__main__":
    unittest.main()
