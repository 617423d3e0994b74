"""Limits by what is used: kept over restarts, set where the policy says so, shown and explained."""
import json
import time
import unittest

from api import OK, Server, ServerCase, service

AUTO = "rightsizing: {mode: auto, beside: [vpa]}"


class Recommendations(ServerCase):
    def kill(self, server, instance):
        got = server.call("ReportInstances", {"reports": [
            {"instance": instance, "what": "RAN_OUT_OF_MEMORY"}]})
        self.assertEqual(got.json["errors"], [""])

    def memory(self, server, instance):
        [service_name, number] = instance.split("/")
        shown = server.call("GetService", name=service_name).json
        return int(shown["instances"][int(number)]["limit"]["memory_bytes"])

    def recommended(self, server):
        return server.call("ListRecommendations").json["recommendations"]

    def test_a_restart_forgets_nothing(self):
        with Server(self.folder, store="rocksdb:zone") as server:
            self.accepted(server.call("CreateService", {"service": service("web", 2)}))
            self.kill(server, "web/0")
            before = self.recommended(server)
            [kill] = before[0]["kills"]
            self.assertEqual((kill["limit"], kill["count"]),
                             (str(self.memory(server, "web/0")), 1))
            self.assertLess(abs(int(kill["at_ms"]) / 1000 - time.time()), 3600)
        with Server(self.folder, store="rocksdb:zone", fleet=None) as server:
            self.assertEqual(self.recommended(server), before)
            self.kill(server, "web/1")
            [after] = self.recommended(server)
            self.assertEqual(after["out_of_memory"], "2")
            self.assertEqual([after["kills"][0], len(after["kills"])], [before[0]["kills"][0], 2])

    def test_are_set_where_the_policy_says_so_and_the_decision_says_why(self):
        server = self.serve()
        self.accepted(server.call("ApplyPolicy", {"text": AUTO}))
        self.accepted(server.call("CreateService", {"service": service("web", 2)}))
        was = self.memory(server, "web/0")
        self.kill(server, "web/0")
        self.assertGreaterEqual(self.memory(server, "web/1"), 1.2 * was)
        [decision] = [one["decision"] for one in server.call("ListDecisions").json["decisions"]
                      if one["decision"]["kind"] == "resize"]
        self.assertRegex(decision["why"], r"^memory .*: p98 of the load over a 48 h half-life is ")
        done = server.client("explain", decision["id"])
        self.assertIn("Sized so because memory ", done.stdout)
        metrics = server.get("/metrics").text
        self.assertIn("berth_sizing_resizes_total 1", metrics)
        self.assertIn("berth_sizing_out_of_memory_total 1", metrics)

    def test_the_command_line_shows_them(self):
        server = self.serve()
        self.accepted(server.call("ApplyPolicy", {"text": AUTO}))
        self.accepted(server.call("CreateService", {"service": service("web")}))
        self.kill(server, "web/0")
        done = server.client("get", "recommendations", "--json")
        self.assertEqual(done.returncode, OK, done.stderr)
        [row] = json.loads(done.stdout)
        self.assertEqual((row["service"], row["resource"], row["mode"], row["recommender"]),
                         ("web", "memory", "auto", "window"))
        self.assertEqual(row["now"], row["target"])
        self.assertIn("vpa ", row["others say"])
        done = server.client("get", "recommendations", "--service", "nobody")
        self.assertNotEqual(done.returncode, OK)
        self.assertIn("there is no service 'nobody'", done.stderr)


if __name__ == "__main__":
    unittest.main()
