"""Every call over HTTP/JSON, by curl: what it answers and what it looks like.

    BERTH_BINARY_DIR=build/dev python3 -m unittest -v http_calls_test
"""
import contextlib
import json
import re
import time
import unittest

from api import CALLS, SOURCE, OneServerCase, berth, eventually, service


def test_name(call):
    return "test_" + re.sub(r"(?<!^)(?=[A-Z])", "_", call).lower()


class EveryCall(OneServerCase):
    """A test a call, named for it."""

    def create(self, name, *more, **fields):
        return self.accepted(self.server.call(
            "CreateService", {"service": service(name, *more, **fields)}))

    def health_of(self, machine):
        return self.server.call("GetMachine", name=machine).json["machine"]["health"]

    def test_get_experiment(self):
        self.assertEqual(self.server.call("GetExperiment").json, {"arms": []})

    def test_every_call_of_the_proto_has_a_test(self):
        self.assertGreater(len(CALLS), 20)
        missing = [name for name in CALLS if not hasattr(self, test_name(name))]
        self.assertEqual(missing, [])

    def test_create_service(self):
        outcome = self.create("made", 3, constraints={"max_per_machine": 1})
        self.assertEqual(set(outcome), {"accepted", "duplicate", "revision", "decision"})
        self.assertFalse(outcome["duplicate"])
        self.assertGreater(int(outcome["revision"]), 0)
        decision = outcome["decision"]
        self.assertEqual((decision["kind"], decision["subject"]), ("create", "made"))
        self.assertRegex(decision["id"], r"^a0-\d+$")
        self.assertEqual([placed["instance"] for placed in decision["placed"]], [0, 1, 2])
        self.assertEqual(len({placed["machine"] for placed in decision["placed"]}), 3)
        self.assertGreater(decision["funnels"][0]["machines"], 40)

    def test_a_refusal_is_an_answer_that_says_what_could_cure_it(self):
        response = self.server.call("CreateService", {"service": service("huge", 2000)})
        self.assertEqual(response.code, 200, response.text)
        self.assertFalse(response.json["accepted"])
        refusal = response.json["decision"]["refusal"]
        for part in ("rule", "because", "cure", "advice"):
            self.assertTrue(refusal[part], refusal)
        self.refuses(self.server.call("GetService", name="huge"), 404, "not_found", "'huge'")

    def test_get_service(self):
        self.create("shown", 2, **{"class": "silver"})
        shown = self.server.call("GetService", name="shown").json
        self.assertEqual(shown["service"]["class"], "silver")
        self.assertEqual([i["id"] for i in shown["instances"]], ["shown/0", "shown/1"])
        instance = shown["instances"][0]
        self.assertEqual(instance["phase"], "PLACED")
        self.assertEqual(instance["limit"]["cpu_milli"], "2000")
        self.assertEqual(instance["limit"]["memory_bytes"], str(8 << 30))
        self.assertTrue(instance["machine"])

    def test_list_services(self):
        for name in ("listed-a", "listed-b"):
            self.create(name)
        got = self.server.call("ListServices", query="?name_prefix=listed-").json
        self.assertEqual([item["service"]["name"] for item in got["services"]],
                         ["listed-a", "listed-b"])
        self.assertEqual([(item["placed"], item["pending"]) for item in got["services"]],
                         [(1, 0), (1, 0)])
        other = self.server.call("ListServices", query="?tenant=platform").json
        self.assertEqual(other, {"services": [], "next_page_token": ""})

    def test_scale_service(self):
        self.create("scaled")
        self.accepted(self.server.call(
            "ScaleService", {"groups": [{"type": "D2", "count": 4}]}, name="scaled"))
        self.assertEqual(len(self.server.call("GetService", name="scaled").json["instances"]), 4)

    def test_resize_service(self):
        self.create("resized")
        limit = {"cpu_milli": 3000, "memory_bytes": str(4 << 30)}
        self.accepted(self.server.call(
            "ResizeService", {"type": "D2", "limit": limit}, name="resized"))
        [instance] = self.server.call("GetService", name="resized").json["instances"]
        self.assertEqual(instance["limit"]["cpu_milli"], "3000")

    def test_delete_service(self):
        self.create("deleted")
        self.accepted(self.server.call("DeleteService", name="deleted"))
        self.refuses(self.server.call("GetService", name="deleted"), 404, "not_found")

    def test_list_instances(self):
        self.create("counted", 3)
        got = self.server.call("ListInstances", query="?service=counted").json["instances"]
        self.assertEqual([i["id"] for i in got], ["counted/0", "counted/1", "counted/2"])
        there = self.server.call(
            "ListInstances", query=f"?service=counted&machine={got[0]['machine']}").json
        self.assertIn("counted/0", [i["id"] for i in there["instances"]])
        self.assertTrue(all(i["machine"] == got[0]["machine"] for i in there["instances"]))
        waiting = self.server.call("ListInstances", query="?service=counted&pending=true").json
        self.assertEqual(waiting["instances"], [])

    def test_list_pending(self):
        self.create("patient", 2000, tenant="platform", **{"class": "bronze"})
        try:
            waiting = self.server.call("ListPending", query="?class=bronze&page_size=2").json
            self.assertEqual([one["id"] for one in waiting["pending"]], ["patient/0", "patient/1"])
            self.assertTrue(waiting["next_page_token"])
            one = waiting["pending"][0]
            self.assertEqual((one["class"], one["target"], one["ran_ms"]), ("bronze", 0.5, "0"))
            self.assertGreaterEqual(0, int(one["leeway_ms"]))
            silver = self.server.call("ListPending", query="?class=silver").json
            self.assertEqual(silver["pending"], [])
        finally:
            self.accepted(self.server.call("DeleteService", name="patient"))
        self.refuses(self.server.call("ListPending", query="?class=tin"), 404, "not_found", "'tin'")

    def test_get_service_levels(self):
        self.create("promised", 2, **{"class": "silver"})
        levels = {level["class"]: level
                  for level in self.server.call("GetServiceLevels").json["classes"]}
        self.assertEqual(sorted(levels), ["bronze", "gold", "silver"])
        silver = levels["silver"]
        self.assertEqual(silver["target"], 0.9)
        self.assertGreaterEqual(int(silver["instances"]), 2)
        self.assertEqual(silver["instances"], silver["fulfilled"])
        self.assertEqual((silver["next_violation_ms"], silver["penalty_cpu_hours"]), ("-1", 0))

    def test_report_instances(self):
        self.create("reported", 2)
        reports = [{"instance": "reported/0", "what": "STARTED"},
                   {"instance": "reported/7", "what": "STARTED"},
                   {"instance": "reported", "what": "STOPPED"},
                   {"instance": "reported/1", "what": "FAILED"}]
        errors = self.server.call("ReportInstances", {"reports": reports}).json["errors"]
        self.assertEqual([bool(error) for error in errors], [False, True, True, False])
        self.assertIn("like web/3", errors[2])
        instances = self.server.call("GetService", name="reported").json["instances"]
        self.assertEqual(instances[0]["phase"], "RUNNING")
        self.assertEqual(instances[1]["failures"], 1)

    def test_put_samples(self):
        self.create("sampled", 1)
        series = [{"subject": "sampled", "metric": "load", "points": [{"value": 7}]},
                  {"subject": "sampled/9", "metric": "cpu_milli", "points": [{"value": 7}]},
                  {"subject": "sampled/0", "metric": "load", "points": [{"value": 7}]}]
        got = self.server.call("PutSamples", {"series": series}).json
        self.assertEqual((got["taken"], got["left_out"]), ("1", "0"))
        self.assertEqual(got["errors"][0], "")
        self.assertIn("there is no instance 'sampled/9'", got["errors"][1])
        self.assertIn("give one of cpu_milli, memory_bytes", got["errors"][2])

    def test_list_samples(self):
        self.create("measured", 1)
        points = [{"at_ms": 1_000 * i, "value": i} for i in (1, 3)]
        got = self.server.call("PutSamples", {"series": [
            {"subject": "measured", "metric": "load", "points": points}]}).json
        self.assertIn("at most 35 days old", got["errors"][0])
        self.server.call("PutSamples", {"series": [
            {"subject": "measured", "metric": "load", "points": [{"value": 2}]}]})
        [window] = self.server.call(
            "ListSamples", query="?subject=measured&metric=load").json["windows"]
        self.assertEqual({k: window[k] for k in ("count", "mean", "min", "max")},
                         {"count": "1", "mean": 2, "min": 2, "max": 2})

    def test_list_series(self):
        self.create("listed", 1)
        for metric in ("b", "a"):
            self.server.call("PutSamples", {"series": [
                {"subject": "listed", "metric": metric, "points": [{"value": 1}]}]})
        got = self.server.call("ListSeries", query="?subject=listed").json["series"]
        self.assertEqual(got, [{"subject": "listed", "metric": "a"},
                               {"subject": "listed", "metric": "b"}])

    def test_list_recommendations(self):
        self.create("killed", 2)
        self.server.call("ReportInstances", {"reports": [
            {"instance": "killed/1", "what": "RAN_OUT_OF_MEMORY"}]})
        got = self.server.call("ListRecommendations", query="?service=killed").json
        [one] = got["recommendations"]
        self.assertEqual((one["service"], one["resource"], one["mode"], one["recommender"]),
                         ("killed", "memory", "dry_run", "window"))
        self.assertGreaterEqual(int(one["target"]), 1.2 * int(one["now"]))
        self.assertIn(": p98 of the load over a 48 h half-life is ", one["why"])
        self.assertEqual((one["out_of_memory"], one["held_back"], got["arms"]), ("1", "", []))
        self.refuses(self.server.call("ListRecommendations", query="?service=none"), 404,
                     "not_found", "'none'")
        self.refuses(self.server.call("ListRecommendations", query="?page_token=x"), 400,
                     "invalid_argument", "page_token")

    @contextlib.contextmanager
    def planned(self, *names):
        """Each service is an application of its own; afterwards the policy is as before."""
        before = self.server.call("GetPolicy").json["text"]
        self.server.call("ApplyPolicy", {"text": "applications:\n" + "".join(
            f"  - {{name: of-{name}, services: [{{name: {name}}}], scaling: {{autoscaler: hpa}}}}\n"
            for name in names)})
        eventually(lambda: self.made_for(names), "these applications are planned")
        yield
        self.server.call("ApplyPolicy", {"text": before})

    def made_for(self, names):
        plans = self.server.call("ListPlans").json["plans"]
        return [one["services"][0] for one in plans] == sorted(names)

    def test_list_plans(self):
        with self.planned("soon", "later"):
            got = self.server.call("ListPlans").json
            self.assertEqual([(one["application"], one["mode"], one["services"], one["trouble"])
                              for one in got["plans"]],
                             [(f"of-{name}", "dry_run", [name], f"there is no service {name} yet")
                              for name in ("later", "soon")])
            self.refuses(self.server.call("ListPlans", query="?page_token=x"), 400,
                         "invalid_argument", "page_token")

    def test_get_plan(self):
        self.create("ahead", 2)
        with self.planned("ahead"):
            plan = eventually(lambda: self.made("ahead"), "there is a plan")
            self.assertEqual((plan["application"], plan["services"], plan["states"]),
                             ("of-ahead", ["ahead"], []))
        self.refuses(self.server.call("GetPlan", service="nobody"), 404, "not_found", "'nobody'")

    def made(self, service_name):
        plan = self.server.call("GetPlan", service=service_name).json
        return plan if plan.get("made_ms", "0") != "0" else None

    def test_list_machines(self):
        ready = self.server.call("ListMachines", query="?cluster=c2&page_size=1000").json
        names = [item["machine"]["name"] for item in ready["machines"]]
        self.assertEqual(len(names), 9)
        self.assertIn("spare", names)
        down = self.server.call("ListMachines", query="?health=down&sku=gen4").json["machines"]
        self.assertIn("c1-0007", [item["machine"]["name"] for item in down])
        rack = self.server.call("ListMachines", query="?rack=k09&name_prefix=sp").json["machines"]
        self.assertEqual([item["machine"]["name"] for item in rack], ["spare"])

    def test_get_machine(self):
        got = self.server.call("GetMachine", name="c1-0007").json
        self.assertEqual(got["machine"]["labels"],
                         {"generation": "4", "memory": "reduced", "ssd": "yes"})
        self.assertEqual(got["machine"]["health"], "DOWN")
        self.assertEqual(got["machine"]["capacity"]["memory_bytes"], str(128 << 30))
        self.assertEqual(got["instances"], 0)
        self.refuses(self.server.call("GetMachine", name="c9-0001"), 404, "not_found", "c9-0001")

    def test_cordon_machine(self):
        self.accepted(self.server.call("CordonMachine", name="c1-0030"))
        self.assertEqual(self.health_of("c1-0030"), "UPDATING")

    def test_drain_machine(self):
        self.accepted(self.server.call("DrainMachine", name="c1-0031"))
        self.assertEqual(self.health_of("c1-0031"), "DRAINING")

    def test_fail_machine(self):
        self.accepted(self.server.call("FailMachine", name="c1-0032"))
        self.assertEqual(self.health_of("c1-0032"), "DOWN")

    def test_restore_machine(self):
        self.accepted(self.server.call("FailMachine", name="c1-0033"))
        self.accepted(self.server.call("RestoreMachine", name="c1-0033"))
        self.assertEqual(self.health_of("c1-0033"), "READY")

    def test_remove_machine(self):
        self.accepted(self.server.call("RemoveMachine", name="c1-0034"))
        self.refuses(self.server.call("GetMachine", name="c1-0034"), 404, "not_found")
        self.refuses(self.server.call("RemoveMachine", name="c1-0034"), 404, "not_found")

    def test_change_fleet(self):
        machine = self.server.call("GetMachine", name="c1-0001").json["machine"]
        self.accepted(self.server.call("ChangeFleet", {
            "tenants": [{"name": "new", "quota": {"cpu_milli": 8000, "memory_bytes": "-1"}}],
            "types": [{"name": "tiny", "size": {"cpu_milli": 100}}],
            "machines": [{**machine, "name": "c1-9001"}]}))
        self.assertEqual(self.server.call("GetMachine", name="c1-9001").json["machine"]["rack"],
                         machine["rack"])
        self.create("small", kind="tiny", tenant="new")
        self.accepted(self.server.call("DeleteService", name="small"))
        self.accepted(self.server.call(
            "ChangeFleet", {"remove_tenants": ["new"], "remove_types": ["tiny"]}))
        names = [t["tenant"]["name"] for t in self.server.call("ListTenants").json["tenants"]]
        self.assertNotIn("new", names)

    def test_list_types(self):
        types = self.server.call("ListTypes").json["types"]
        found = {item["name"]: item for item in types}
        self.assertEqual(found["D4"]["skus"], ["gen4"])
        self.assertEqual(found["D4"]["requires_labels"], {"ssd": "yes"})
        self.assertEqual(found["D2"]["size"]["cpu_milli"], "2000")

    def test_list_tenants(self):
        self.create("owned", 2)
        tenants = self.server.call("ListTenants").json["tenants"]
        found = {item["tenant"]["name"]: item for item in tenants}
        self.assertEqual(found["acme"]["tenant"]["quota"]["cpu_milli"], "400000")
        self.assertEqual(found["acme"]["tenant"]["quota"]["gpu_milli"], "-1")
        self.assertGreaterEqual(found["acme"]["services"], 1)
        self.assertNotIn("quota", found["platform"]["tenant"])
        self.assertIn("default", found)

    def test_get_decision(self):
        made = self.create("decided")["decision"]
        shown = self.server.call("GetDecision", id=made["id"]).json
        self.assertEqual(shown["decision"], made)
        self.assertIn("decided", shown["summary"])
        self.assertIn("best_fit", shown["explanation"])
        self.refuses(self.server.call("GetDecision", id="a0-999999"), 404, "not_found")
        self.refuses(self.server.call("GetDecision", id="nonsense"), 400, "invalid_argument",
                     "like a0-17")

    def test_list_decisions(self):
        for name in ("first", "second"):
            self.create(name)
        query = "?kind=create&page_size=1000"
        subjects = [item["decision"]["subject"]
                    for item in self.server.call("ListDecisions", query=query).json["decisions"]]
        self.assertLess(subjects.index("second"), subjects.index("first"))
        [one] = self.server.call("ListDecisions", query="?subject=first").json["decisions"]
        self.assertEqual((one["decision"]["subject"], one["explanation"]), ("first", ""))
        refused = self.server.call("ListDecisions", query="?refused=true").json["decisions"]
        self.assertTrue(all("refusal" in item["decision"] for item in refused))

    def test_why_not(self):
        self.create("asked")
        got = self.server.call("WhyNot", service="asked", machine="c1-0007").json
        self.assertFalse(got["valid"])
        self.assertTrue(any(reason.startswith("healthy") for reason in got["reasons"]), got)
        self.assertIn("c1-0007", got["explanation"])
        one = self.server.call("WhyNot", service="asked%2F0", machine="c1-0007").json
        self.assertIn("asked/0", one["explanation"])
        self.refuses(self.server.call("WhyNot", service="none", machine="c1-0007"), 404,
                     "not_found", "no service 'none'")

    def test_get_policy(self):
        got = self.server.call("GetPolicy").json
        self.assertIn("best_fit", got["text"])

    def test_get_shipped_policies(self):
        listed = self.server.call("GetShippedPolicies").json["policies"]
        self.assertEqual(listed[0]["name"], "shipped")
        for each in listed:
            with self.subTest(policy=each["name"]):
                shown = berth("policy", "show", "--name", each["name"]).stdout
                self.assertEqual(each["text"], shown)
                self.assertTrue(self.server.call("ValidatePolicy", {"text": shown}).json["valid"])

    def test_validate_policy(self):
        text = self.server.call("GetPolicy").json["text"]
        good = self.server.call("ValidatePolicy", {"text": text}).json
        self.assertEqual(good, {"valid": True, "error": ""})
        bad = self.server.call("ValidatePolicy", {"text": "allocate:\n  rules:\n    - fitz\n"}).json
        self.assertFalse(bad["valid"])
        self.assertRegex(bad["error"], r"^policy:3:7: .*fitz")

    def test_apply_policy(self):
        text = "# Ours.\n" + self.server.call("GetPolicy").json["text"]
        outcome = self.accepted(self.server.call("ApplyPolicy", {"text": text}))
        got = self.server.call("GetPolicy").json
        self.assertEqual((got["text"], got["revision"]), (text, outcome["revision"]))
        self.refuses(self.server.call("ApplyPolicy", {"text": "allocate: 5"}), 400,
                     "invalid_argument", "policy:1:")

    def test_what_if_defragment(self):
        self.create("moved")
        before = self.server.call("Health").json["revision"]
        plan = self.server.call("WhatIfDefragment", query="?moves=3").json
        self.assertEqual(set(plan), {"before", "after", "moves", "emptied", "note"})
        self.assertLessEqual(len(plan["moves"]), 3)
        self.assertGreaterEqual(plan["before"]["machines_in_use"],
                                plan["after"]["machines_in_use"])
        self.assertEqual(self.server.call("Health").json["revision"], before)
        self.refuses(self.server.call("WhatIfDefragment", query="?moves=1001"), 400,
                     "invalid_argument", "1000 is the most")

    def test_get_forecast(self):
        self.create("foreseen")
        before_ms = int(time.time() * 1000) - 2 * 3_600_000
        self.server.call("PutSamples", {"series": [
            {"subject": "foreseen", "metric": "load",
             "points": [{"at_ms": before_ms, "value": 30}]}]})
        got = self.server.call("GetForecast", subject="foreseen", metric="load",
                               query="?horizon=2").json
        self.assertEqual([point["mean"] for point in got["points"]], [30, 30])
        self.assertEqual(got["history"], 1)
        self.refuses(self.server.call("GetForecast", subject="foreseen", metric="none"), 404,
                     "not_found", "no samples")

    def test_what_if_balance(self):
        self.create("watched", 2)
        now = str(int(time.time() * 1000))
        self.server.call("PutSamples", {"series": [
            {"subject": "watched/0", "metric": "cpu_milli",
             "points": [{"at_ms": now, "value": 7}]}]})
        before = self.server.call("Health").json["revision"]
        plan = self.server.call("WhatIfBalance", query="?moves=3").json
        self.assertLessEqual(len(plan["moves"]), 3)
        self.assertLessEqual(int(plan["after"]["violated_now"]),
                             int(plan["before"]["violated_now"]))
        self.assertLessEqual(plan["after"]["energy"], plan["before"]["energy"])
        self.assertLess(int(plan["not_observed"]), int(plan["instances"]))
        self.assertEqual(self.server.call("WhatIfBalance", query="?moves=3&seed=1").json, plan)
        self.assertEqual(self.server.call("Health").json["revision"], before)
        self.refuses(self.server.call("WhatIfBalance", query="?moves=1001"), 400,
                     "invalid_argument", "1000 is the most")

    def test_plan_capacity(self):
        data = SOURCE / "testdata/capacity"
        asked = {"forecast": (data / "forecast.json").read_text(),
                 "model": (data / "model.yaml").read_text(),
                 "prices": (data / "prices.yaml").read_text()}
        plan = self.server.call("PlanCapacity", asked).json
        self.assertEqual(plan["currency"], "USD")
        self.assertEqual(plan["quantile"], 0.975)
        self.assertGreaterEqual(plan["cost"], plan["cost_at_least"])
        self.assertAlmostEqual(plan["cost"], sum(step["cost"] for step in plan["steps"]))
        self.assertTrue(all(step["instances"]["web"] >= 2 for step in plan["steps"]))
        cheaper = self.server.call("PlanCapacity", {**asked, "quantile": 0.5}).json
        self.assertLess(cheaper["cost"], plan["cost"])
        south = self.server.call("PlanCapacity", {**asked, "provider": "south"}).json
        self.assertTrue(all(vm.startswith("south/")
                            for step in south["steps"] for vm in step["vms"]))
        self.refuses(self.server.call("PlanCapacity", {**asked, "model": "services: 5"}), 400,
                     "invalid_argument", "model:1:")
        self.refuses(self.server.call("PlanCapacity", {**asked, "quantile": 1}), 400,
                     "invalid_argument", "above 0 and below 1")

    def test_what_if_policy(self):
        self.create("replayed")
        text = self.server.call("GetPolicy").json["text"]
        told = self.server.call("WhatIfPolicy", {"text": text}).json
        self.assertTrue(told["paragraphs"])
        self.assertTrue(all(fact["name"] for fact in told["facts"]))
        self.assertTrue(json.loads(told["report"]))
        self.refuses(self.server.call("WhatIfPolicy", {"text": "allocate: 5"}), 400,
                     "invalid_argument", "policy:1:")

    def test_watch(self):
        got = self.server.call("Watch", None, "--max-time", "1")
        self.assertEqual(got.code, 0)  # It does not end; what it says is http_watch_test's.

    def test_watch_fleet(self):
        got = self.server.call("WatchFleet", None, "--max-time", "1")
        self.assertEqual(got.code, 0)  # As Watch; what it says is fleet_news_test's.

    def test_watch_service_levels(self):
        got = self.server.call("WatchServiceLevels", None, "--max-time", "1")
        self.assertEqual(got.code, 0)

    def test_get_caller(self):
        self.assertEqual(self.server.call("GetCaller").json, {"name": "anyone", "role": "operate"})

    def test_health(self):
        health = self.server.call("Health").json
        self.assertEqual(set(health), {"ready", "version", "revision", "store"})
        self.assertTrue(health["ready"])
        self.assertEqual(health["store"], "memory")


if __name__ == "__main__":
    unittest.main()
