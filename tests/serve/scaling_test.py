"""Counts by load: shown, set where the policy says so, kept over restarts, fed by samples."""
import json
import unittest

from api import OK, WAIT_SECONDS, Server, ServerCase, eventually, service

# Services are looked at at every whole minute of the clock.
A_LOOK = 60 + WAIT_SECONDS
AUTO = """
scaling:
  services:
    - {name: web, mode: auto, max: 9, scaler: metric, expression: queue / 10}
"""


class Scaling(ServerCase):
    def put(self, server, subject, metric, value):
        got = server.call("PutSamples", {"series": [
            {"subject": subject, "metric": metric, "points": [{"value": value}]}]})
        self.assertEqual(got.json["errors"], [""])

    def counts(self, server, **query):
        got = server.call("ListRecommendations", query="".join(
            f"{'&' if i else '?'}{name}={value}" for i, (name, value) in enumerate(query.items())))
        return [one for one in got.json.get("recommendations", [])
                if one["resource"] == "replicas"]

    def replicas(self, server):
        return len(server.call("GetService", name="web").json["instances"])

    def test_are_set_from_a_metric_and_the_decision_says_why(self):
        with Server(self.folder, store="rocksdb:zone") as server:
            self.accepted(server.call("ApplyPolicy", {"text": AUTO}))
            self.accepted(server.call("CreateService", {"service": service("web", 2)}))
            self.put(server, "web", "queue", 40)
            eventually(lambda: self.replicas(server) == 4, "there are four", A_LOOK)
            [row] = self.counts(server)
            self.assertEqual((row["service"], row["now"], row["target"], row["mode"],
                              row["recommender"], row["why"]),
                             ("web", "4", "4", "auto", "metric", "4: queue / 10"))
            [decision] = [one["decision"] for one in server.call("ListDecisions").json["decisions"]
                          if one["decision"]["kind"] == "scale"]
            done = server.client("explain", decision["id"])
            self.assertIn("Scaled so because 4: queue / 10\n", done.stdout)
            metrics = server.get("/metrics").text
            self.assertIn("berth_scaling_grown_total 1", metrics)
            self.assertIn("berth_scaling_wanted 4", metrics)
            done = server.client("get", "recommendations", "--json")
            self.assertEqual(done.returncode, OK, done.stderr)
            [shown] = [one for one in json.loads(done.stdout) if one["resource"] == "replicas"]
            self.assertEqual((shown["now"], shown["target"]), ("4", "4"))
        with Server(self.folder, store="rocksdb:zone", fleet=None) as server:
            self.assertEqual(self.replicas(server), 4)
            # What it knew of the queue is looked at again.
            eventually(lambda: self.counts(server), "a count is recommended", A_LOOK)
            self.assertEqual(self.replicas(server), 4)

    def test_pages_hold_sizes_and_counts_of_a_type_together(self):
        server = self.serve()
        names = ["a", "b", "c"]
        for name in names:
            self.accepted(server.call("CreateService", {"service": service(name)}))
            self.put(server, f"{name}/0", "cpu_milli", 100)
            server.call("ReportInstances", {"reports": [
                {"instance": f"{name}/0", "what": "RAN_OUT_OF_MEMORY"}]})
        eventually(lambda: len(self.counts(server)) == 3, "all are counted", A_LOOK)
        found, token = [], ""
        while True:
            got = server.call("ListRecommendations",
                              query=f"?page_size=1&page_token={token.replace(' ', '%20')}").json
            rows = [(one["service"], one["resource"]) for one in got["recommendations"]]
            self.assertEqual(len({name for name, _ in rows}), 1)
            found += rows
            token = got.get("next_page_token", "")
            if not token:
                break
        self.assertEqual([row for row in found if row[1] != "cpu"],
                         [(name, what) for name in names for what in ("memory", "replicas")])


if __name__ == "__main__":
    unittest.main()
