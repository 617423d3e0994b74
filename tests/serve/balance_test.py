"""What balancing would gain, from a running server and from its store when it is stopped."""
import json
import time
import unittest

from api import OK, REFUSED, Server, ServerCase, berth, service

POLICY = """oversubscription: {cpu: 400%, memory: 400%}
allocate: {rules: [healthy, supports, fits, nonempty_machines_first]}
"""


class Balance(ServerCase):
    def use(self, server, instance, cpu_milli):
        now = int(time.time() * 1000)
        got = server.call("PutSamples", {"series": [
            {"subject": instance, "metric": metric, "points": [{"at_ms": now, "value": value}]}
            for metric, value in (("cpu_milli", cpu_milli), ("memory_bytes", 1),
                                  ("disk_bytes", 1))]})
        self.assertEqual((got.code, got.json["errors"]), (200, ["", "", ""]), got.text)

    def crowd(self, server):
        """Two on one machine that take all of its cpu."""
        self.accepted(server.call("ApplyPolicy", {"text": POLICY}))
        for name in ("one", "two"):
            self.accepted(server.call("CreateService", {"service": service(name)}))
        [machine] = {instance["machine"]
                     for instance in server.call("ListInstances").json["instances"]}
        state = server.call("GetMachine", name=machine).json
        cpu = int(state["machine"]["capacity"]["cpu_milli"])
        self.use(server, "one/0", cpu / 2)
        self.use(server, "two/0", cpu / 2)

    def test_server_and_store_say_the_same(self):
        with Server(self.folder, store="rocksdb:zone") as server:
            self.crowd(server)
            done = server.client("balance", "--what-if", "--json")
            self.assertEqual(done.returncode, OK, done.stderr)
            asked = json.loads(done.stdout)
            self.assertIn("1 move takes the expected violations from 1.00 to 0.00",
                          server.client("balance", "--what-if").stdout)
        done = berth("balance", "--what-if", "--store", "zone", "--json", cwd=self.folder)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(json.loads(done.stdout), asked)
        self.assertEqual(asked["before"]["violated_now"], 1)
        self.assertEqual(asked["after"]["violated_now"], 0)
        [move] = asked["moves"]
        self.assertIn(move["instance"], ("one/0", "two/0"))

    def test_what_a_server_has_itself_is_not_given(self):
        server = self.serve()
        for option in ("--usage", "--demand"):
            done = server.client("balance", "--what-if", option, "f")
            self.assertEqual(done.returncode, REFUSED)
            self.assertEqual(done.stderr,
                             f"berth: {option} goes with --store; a server has its own\n")


if __name__ == "__main__":
    unittest.main()
