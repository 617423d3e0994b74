"""An experiment: a share of the services is placed by other rules, and both are counted."""
import json
import re
import unittest

from api import OK, OneServerCase, service

POLICY = """
allocate: {rules: [best_fit]}
experiment: {name: spread-out, percent: 40, allocate: {rules: [worst_fit]}}
"""
SERVICES = 30


class Experiment(OneServerCase):
    OPTIONS = ("--policy", "policy.yaml")

    @classmethod
    def prepare(cls, folder):
        (folder / "policy.yaml").write_text(POLICY)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.arm_of = {}
        for i in range(SERVICES):
            got = cls.server.call("CreateService", {"service": service(f"s{i}", 2)})
            cls.arm_of[f"s{i}"] = got.json["decision"]["arm"]

    def in_arm(self, name):
        return sum(arm == name for arm in self.arm_of.values())

    def test_every_service_is_in_one_of_both_arms(self):
        self.assertEqual(set(self.arm_of.values()), {"control", "spread-out"})

    def test_its_later_decisions_are_in_the_same(self):
        for name, arm in list(self.arm_of.items())[:6]:
            got = self.server.call("ScaleService", {"groups": [{"type": "D2", "count": 2}]},
                                   name=name)
            self.assertEqual(self.accepted(got)["decision"]["arm"], arm)

    def test_arms_are_listed_side_by_side(self):
        arms = {arm["name"]: arm for arm in self.server.call("GetExperiment").json["arms"]}
        self.assertEqual(set(arms), {"control", "spread-out"})
        for name, percent in (("control", 60), ("spread-out", 40)):
            self.assertEqual(arms[name]["percent"], percent)
            self.assertEqual(int(arms[name]["services"]), self.in_arm(name))
            self.assertEqual(int(arms[name]["placed"]), 2 * self.in_arm(name))
            self.assertGreaterEqual(int(arms[name]["accepted"]), self.in_arm(name))
        done = self.server.client("get", "arms", "--json")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual({row["arm"]: row["services"] for row in json.loads(done.stdout)},
                         {name: self.in_arm(name) for name in arms})

    def test_decisions_can_be_listed_by_arm(self):
        got = self.server.call("ListDecisions", query="?arm=spread-out&kind=create&page_size=100")
        listed = {item["decision"]["subject"] for item in got.json["decisions"]}
        self.assertEqual(listed, {name for name, arm in self.arm_of.items() if arm != "control"})

    def test_an_explanation_says_the_arm(self):
        name = next(name for name, arm in self.arm_of.items() if arm == "spread-out")
        got = self.server.call("ListDecisions", query=f"?subject={name}&kind=create")
        decision = got.json["decisions"][0]["decision"]["id"]
        done = self.server.client("explain", decision)
        self.assertIn("in the arm spread-out", done.stdout)
        self.assertIn("worst_fit", done.stdout)

    def test_both_are_measured(self):
        text = self.server.get("/metrics").text
        for arm in ("control", "spread-out"):
            accepted = re.search(rf'^berth_arm_accepted_total{{arm="{arm}"}} (\d+)', text, re.M)
            timed = re.search(rf'^berth_arm_call_seconds_count{{arm="{arm}"}} (\d+)', text, re.M)
            self.assertGreaterEqual(int(accepted[1]), self.in_arm(arm))
            self.assertGreaterEqual(int(timed[1]), self.in_arm(arm))


class WithoutOne(OneServerCase):
    def test_decisions_are_in_no_arm(self):
        self.accepted(self.server.call("CreateService", {"service": service("web")}))
        got = self.server.call("ListDecisions", query="?subject=web")
        self.assertEqual(got.json["decisions"][0]["decision"].get("arm", ""), "")

    def test_a_bad_section_is_refused_whole(self):
        for text, part in (("experiment: {name: x, percent: 200, allocate: {rules: [fits]}}",
                            "percent"),
                           ("experiment: {name: x, percent: 1}", "allocate")):
            got = self.server.call("ApplyPolicy", {"text": text})
            self.refuses(got, 400, "invalid_argument", part)
        self.assertEqual(self.server.call("GetExperiment").json, {"arms": []})


if __name__ == "__main__":
    unittest.main()
