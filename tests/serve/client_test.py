"""The command line against a server: tables, JSON, exit codes, and no server at all."""
import json
import socket
import unittest

from api import OK, REFUSED, SOURCE, USAGE, OneServerCase, ServerCase, berth, eventually

GET = ("machines", "services", "instances", "types", "tenants", "decisions")


class Commands(OneServerCase):
    def ok(self, *arguments):
        done = self.server.client(*arguments)
        self.assertEqual(done.returncode, OK, done.stdout + done.stderr)
        return done.stdout

    def refused(self, *arguments):
        done = self.server.client(*arguments)
        self.assertEqual(done.returncode, REFUSED, done.stdout + done.stderr)
        self.assertEqual((done.stdout + done.stderr).count("\n"), 1, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def create(self, name, *more):
        return self.ok("service", "create", name, "--type", "D2", "--tenant", "acme", *more)

    def test_a_service_from_its_creation_to_its_end(self):
        said = self.create("web", "--count", "2", "--spread", "rack")
        self.assertRegex(said, r"^accepted a0-\d+: web/0 on \S+, web/1 on \S+\n$")
        self.assertRegex(self.ok("get", "services"), r"web +acme +gold +2 x D2 +2 +0")
        self.assertRegex(self.ok("service", "scale", "web", "--count", "3"),
                         r"^accepted a0-\d+: web/2")
        self.ok("service", "resize", "web", "--type", "D2", "--limit", "cpu=1,memory=4Gi")
        rows = json.loads(self.ok("get", "instances", "--json"))
        self.assertEqual([row["instance"] for row in rows if row["instance"].startswith("web/")],
                         ["web/0", "web/1", "web/2"])
        self.ok("service", "delete", "web")
        self.assertNotIn("web/", self.ok("get", "instances"))

    def test_json_is_what_the_api_says(self):
        outcome = json.loads(self.create("jason", "--json"))
        self.assertTrue(outcome["accepted"])
        decision = outcome["decision"]["id"]
        self.assertEqual(json.loads(self.ok("explain", decision, "--json")), outcome["decision"])
        self.assertIn("best_fit", self.ok("explain", decision))
        why = json.loads(self.ok("why-not", "jason", "c1-0007", "--json"))
        self.assertFalse(why["valid"])
        self.assertIn("healthy", self.ok("why-not", "jason/0", "c1-0007"))

    def test_every_list_has_a_table_and_json(self):
        self.create("listed")
        for what in GET:
            with self.subTest(what=what):
                rows = json.loads(self.ok("get", what, "--json", "--limit", "2"))
                self.assertIn(len(rows), (1, 2))
                table = self.ok("get", what, "--limit", "1")
                self.assertIn(str(next(iter(rows[0].values()))), table)

    def test_a_list_cut_short_says_so(self):
        self.assertIn("the first 1; --limit N shows N", self.ok("get", "machines", "--limit", "1"))
        self.assertNotIn("--limit", self.ok("get", "machines", "--limit", "1000"))

    def test_machines(self):
        for command, health in (("cordon", "updating"), ("drain", "draining"), ("fail", "down"),
                                ("ready", "ready")):
            self.assertRegex(self.ok(command, "c1-0040"), r"^accepted a0-\d+\n$")
            rows = json.loads(self.ok("get", "machines", "--limit", "1000", "--json"))
            [row] = [row for row in rows if row["machine"] == "c1-0040"]
            self.assertEqual(row["health"], health)
        self.ok("remove", "c1-0040")
        self.assertIn("no machine 'c1-0040'", self.refused("remove", "c1-0040"))

    def test_policy_and_fleet(self):
        formats = SOURCE / "testdata/formats"
        self.assertIn("accepted", self.ok("policy", "apply", formats / "policy.yaml"))
        said = self.ok("fleet", "apply", formats / "fleet.yaml")
        self.assertEqual(said, "49 machines, 2 types and 2 tenants are as the file says\n")

    def test_a_refusal_is_exit_code_1_and_says_why(self):
        said = self.refused("service", "create", "huge", "--type", "D2", "--tenant", "acme",
                            "--count", "2000")
        self.assertRegex(said, r"^refused a0-\d+: .+ \[\w+; .+\]\n$")

    def test_what_is_wrong_is_one_line_and_exit_code_1(self):
        create = ("service", "create", "w", "--type")
        for arguments, part in (
                ((*create, "D9"), "no type 'D9'"),
                ((*create, "D2", "--count", "0"), "--count must be 1 to"),
                ((*create, "D2", "--spread", "far"), "--spread is 'far'"),
                (("service", "scale", "none", "--count", "1"), "no service 'none'"),
                (("service", "delete", "none"), "none"),
                (("explain", "a0-99999"), "a0-99999"),
                (("why-not", "none", "c1-0001"), "no service 'none'"),
                (("drain", "none"), "no machine 'none'"),
                (("policy", "apply", "nosuch"), "nosuch"),
                (("fleet", "apply", "nosuch"), "nosuch"),
                (("get", "machines", "--token", "nosuch"), "nosuch")):
            with self.subTest(arguments=arguments):
                self.assertIn(part, self.refused(*arguments))

    def test_what_is_called_wrongly_is_exit_code_2(self):
        for arguments in (("service", "create", "w"), ("drain",), ("service", "scale", "w"),
                          ("get", "machines", "--limit", "x"), ("watch", "--from", "-1")):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.server.client(*arguments).returncode, USAGE)

    def test_a_key_is_answered_once(self):
        first = self.create("keyed", "--key", "k1")
        self.assertEqual(self.create("keyed", "--key", "k1"), first)
        self.assertTrue(json.loads(self.create("keyed", "--key", "k1", "--json"))["duplicate"])

    def test_watch(self):
        self.create("watched")
        lines = self.ok("watch", "--from", "0", "--limit", "1").splitlines()
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].startswith("1  "))
        self.assertIn("machine c1-0001", lines[0])
        self.assertEqual(json.loads(self.ok("watch", "--from", "1", "--limit", "1", "--json"))
                         ["revision"], "2")
        self.assertIn("no longer reaches back", self.refused("watch", "--from", "999999"))


class Alone(ServerCase):
    def test_without_a_server_one_line_says_what_to_do(self):
        with socket.socket() as taken:  # Bound and not listening: nobody else gets this port.
            taken.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            for arguments in (("get", "machines"), ("drain", "c1-0001"), ("watch",),
                              ("service", "create", "w", "--type", "D2"),
                              ("service", "delete", "w"), ("explain", "a0-1")):
                with self.subTest(arguments=arguments):
                    done = berth(*arguments, "--server", address)
                    self.assertEqual(done.returncode, REFUSED)
                    self.assertEqual(done.stdout, "")
                    self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                    self.assertIn(f"no server answers on {address}", done.stderr)
                    self.assertIn("berth serve", done.stderr)

    def test_a_store_or_a_server_is_read_the_same(self):
        server = self.serve(store="rocksdb:data")
        server.client("service", "create", "web", "--type", "D2", "--count", "3")
        asked = {what: server.client("get", what, "--json", "--limit", "1000").stdout
                 for what in GET}
        self.assertEqual(server.stop(), OK)
        for what in GET:
            with self.subTest(what=what):
                read = berth("get", what, "--json", "--limit", "1000", "--store", "data",
                             cwd=self.folder)
                self.assertEqual(read.returncode, OK, read.stderr)
                self.assertEqual(read.stdout, asked[what])

    def test_a_demo_plays_and_stops(self):
        server = self.serve("--demo", fleet=None)
        def placed():
            rows = json.loads(server.client("get", "services", "--json").stdout)
            return [row for row in rows if row["service"].startswith("d1-") and row["placed"]]
        eventually(placed, "the demo has placed something")
        def measured():
            return json.loads(server.client("get", "series", "--json").stdout)
        metrics = {row["metric"] for row in eventually(measured, "the demo has told usage")}
        self.assertLessEqual(metrics, {"cpu_milli", "memory_bytes"})
        self.assertEqual(server.stop(), OK)


if __name__ == "__main__":
    unittest.main()
