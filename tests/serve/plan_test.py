"""Plans of applications: made from samples, shown, kept over restarts, and enforced in auto."""
import json
import math
import re
import time
import unittest

from api import OK, REFUSED, SOURCE, Server, ServerCase, eventually, service

PAGE = (SOURCE / "docs/predictive-scaling.md").read_text()
WINDOW_MS = 300_000
DAY = 288
POLICY = """
applications:
  - name: shop
    mode: {mode}
    services:
      - {{name: web, boot: 1m, calls: [search]}}
      - {{name: search}}
    scaling:
      autoscaler: space
      sync: {sync}
      step: 5m
      horizon: 2h
      services:
        default:
          min: 2
          max: 9
          groups:
            - name: load
              calculator: {{name: per_instance, metric: load, target: 10}}
              metrics:
                - name: load
                  of: application
                  forecaster: {{name: seasonal_naive, seasons: [24], history: 1d}}
"""


def load(window):
    """A season of two hours: 25 in its first half, 65 in its second."""
    return 25 if window % 24 < 12 else 65


def load_of_a_day(window):
    """From 120 at four in the morning to 480 at four in the afternoon, give or take 10."""
    return 300 - 180 * math.cos(2 * math.pi * (window / DAY - 1 / 6)) + window * 7919 % 21 - 10


def shapes(text):
    """Of its lines, whatever numbers and times they are about."""
    return {re.sub(r"[ -]+", " ", re.sub(r"\d+", "1", line)) for line in text.splitlines()}


class Plans(ServerCase):
    def begin(self, server, mode, sync="5m"):
        self.start(server, POLICY.format(mode=mode, sync=sync), "load", load, 240)

    def start(self, server, policy, metric, load_at, windows):
        self.accepted(server.call("ApplyPolicy", {"text": policy}))
        for name in ("web", "search"):
            self.accepted(server.call("CreateService", {"service": service(name, 2)}))
        self.window = int(time.time() * 1000) // WINDOW_MS
        sent = server.call("PutSamples", {"series": [{
            "subject": "web", "metric": metric,
            "points": [{"at_ms": window * WINDOW_MS + 1000, "value": load_at(window)}
                       for window in range(self.window - windows, self.window)]}]})
        self.assertEqual(sent.json["errors"], [""])

    def plan(self, server, name="web"):
        got = server.call("GetPlan", service=name)
        return got.json if got.code == 200 else {}

    def made(self, server):
        return eventually(lambda: self.plan(server).get("states") and self.plan(server),
                          "there is a plan")

    def instances(self, server, name):
        return len(server.call("GetService", name=name).json["instances"])

    def test_shows_the_coming_hours(self):
        server = self.serve()
        self.begin(server, "dry_run")
        plan = self.made(server)
        self.assertEqual((plan["application"], plan["mode"], plan["services"]),
                         ("shop", "dry_run", ["web", "search"]))
        counts = {tuple(state["instances"]) for state in plan["states"]}
        self.assertLessEqual(counts, {(2, 2), (3, 3), (7, 7), (7, 3), (3, 7)})
        self.assertTrue(any(7 in pair for pair in counts), plan)
        # Web takes a minute to boot: it is ordered the step before it is needed.
        for state in plan["states"]:
            window = int(state["at_ms"]) // WINDOW_MS
            if window > self.window + 1:
                self.assertEqual(state["instances"][0],
                                 max(-(-load(window + ahead) // 10) for ahead in (0, 1)), plan)
        self.assertIn("web", plan["states"][0]["why"])
        [listed] = server.call("ListPlans").json["plans"]
        self.assertEqual((listed["application"], listed["states"]), ("shop", []))
        self.assertEqual((self.instances(server, "web"), self.instances(server, "search")), (2, 2))

    def test_the_command_line_shows_it(self):
        server = self.serve()
        self.begin(server, "dry_run")
        plan = self.made(server)
        done = server.client("plan", "search")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("web from-to", done.stdout)
        self.assertEqual(done.stdout.count("\n20"), len(plan["states"]), done.stdout)
        done = server.client("plan", "web", "--json")
        states = json.loads(done.stdout)["states"]
        self.assertEqual(states[0]["instances"],
                         dict(zip(plan["services"], plan["states"][0]["instances"])))
        done = server.client("plan", "db")
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("'db' is a service of no application that is planned; name it in the section "
                      "applications", done.stderr)
        done = server.client("plan", "web", "--load", "f.csv")
        self.assertIn("--load is for a plan from files", done.stderr)

    def test_the_page_shows_one(self):
        live = PAGE.partition("\n## Live\n")[2]
        [policy] = re.findall(r"^```yaml\n(.*?)^```", live, re.S | re.M)
        [shown] = re.findall(r"^\$ berth plan web\n(.*?)^```", live, re.S | re.M)
        server = self.serve()
        self.start(server, policy, "requests_per_second", load_of_a_day, 7 * DAY)
        self.made(server)
        self.assertEqual(shapes(server.client("plan", "web").stdout.rstrip("\n")), shapes(shown))

    def test_in_auto_there_are_as_many_and_the_decision_says_why(self):
        with Server(self.folder, store="rocksdb:zone") as server:
            self.begin(server, "auto")
            self.made(server)
            # At least the three that the lower half of the season takes.
            eventually(lambda: self.instances(server, "web") >= 3, "web has grown")
            scaled = [one["decision"] for one in server.call("ListDecisions").json["decisions"]
                      if one["decision"]["kind"] == "scale"]
            done = server.client("explain", scaled[0]["id"])
            self.assertIn("plan of shop: ", done.stdout)
            rows = server.call("ListRecommendations", query="?service=web").json["recommendations"]
            [row] = [one for one in rows if one["resource"] == "replicas"]
            self.assertEqual((row["recommender"], row["mode"]), ("plan", "auto"))
            metrics = server.get("/metrics").text
            self.assertIn("berth_plan_applications 1", metrics)
            self.assertRegex(metrics, r"berth_plan_made_total [1-9]")
            before = self.plan(server)
        with Server(self.folder, store="rocksdb:zone", fleet=None) as server:
            after = self.plan(server)
            # The same, or one made anew since.
            self.assertGreaterEqual(int(after["made_ms"]), int(before["made_ms"]))
            self.assertEqual(after["services"], before["services"])
            self.assertGreaterEqual(self.instances(server, "web"), 3)

    def test_says_why_there_is_none(self):
        server = self.serve()
        self.accepted(server.call("ApplyPolicy",
                                  {"text": POLICY.format(mode="dry_run", sync="5s")}))
        eventually(lambda: self.plan(server).get("trouble"), "there is trouble")
        self.assertEqual(self.plan(server)["trouble"], "there is no service web yet")
        done = server.client("plan", "web")
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("there is no plan of shop yet: there is no service web yet", done.stderr)
        wrong = POLICY.format(mode="dry_run", sync="5s").replace("seasonal_naive", "oracle")
        got = server.call("ValidatePolicy", {"text": wrong})
        self.assertIn("oracle", got.text)

    def test_without_samples_everything_stays(self):
        server = self.serve()
        self.accepted(server.call("ApplyPolicy", {"text": POLICY.format(mode="auto", sync="5s")}))
        for name in ("web", "search"):
            self.accepted(server.call("CreateService", {"service": service(name, 4)}))
        plan = eventually(lambda: self.plan(server).get("notes") and self.plan(server),
                          "a plan says what it lacks", 120)
        self.assertIn("there is no metric 'load' of web", " ".join(plan["notes"]))
        self.assertEqual(self.instances(server, "web"), 4)


if __name__ == "__main__":
    unittest.main()
