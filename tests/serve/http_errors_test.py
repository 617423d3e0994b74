"""What is wrong with a request over HTTP is said in one line, and nothing happens."""
import time
import unittest
import urllib.parse

from api import CALLS, OneServerCase, eventually, service

MIB = 1 << 20


class BadRequests(OneServerCase):
    def setUp(self):
        super().setUp()
        self.before = self.server.call("Health").json["revision"]

    def tearDown(self):
        self.assertEqual(self.server.call("Health").json["revision"], self.before)

    def bad(self, response, *parts):
        self.refuses(response, 400, "invalid_argument", *parts)

    def test_unknown_paths(self):
        for path in ("/v1", "/v1/", "/v1/nothing", "/v2/services", "/v1/services/", "/v1//services",
                     "/v1/services//", "/v1/services/web/extra", "/v1/services/web:fly",
                     "/etc/passwd", "/v1/../metrics", "/v1/services/%zz", "/v1/services/%4"):
            with self.subTest(path=path):
                self.refuses(self.server.get(path, "--path-as-is"), 404, "not_found",
                             "there is no ", "proto/berth.proto lists the paths")

    def test_unknown_verbs_name_those_there_are(self):
        self.refuses(self.server.send("PUT", "/v1/services"), 405, "unimplemented", "POST, GET")
        self.refuses(self.server.send("PATCH", "/v1/services/web"), 405, "unimplemented", "GET",
                     "DELETE")
        for call in CALLS.values():
            with self.subTest(call=call.name):
                target = call.at(name="x", id="x", service="x", machine="x", subject="x",
                                 metric="x")
                self.refuses(self.server.send("OPTIONS", target), 405, "unimplemented", call.verb)

    def test_unknown_fields(self):
        self.bad(self.server.call("ListMachines", query="?colour=red"), "'colour'")
        self.bad(self.server.call("CreateService", {"colour": "red"}), "colour")
        self.bad(self.server.call("CreateService", {"service": {"colour": "red"}}), "colour")
        self.bad(self.server.call("ListMachines", query="?machines=1"), "'machines'")

    def test_bad_json(self):
        for body in ('{"service":', "{", "[]", "7", '"text"', "{]", '{"service": {}} x', "nonsense",
                     '{"service": {"name": "\\ud800"}}', "{" * 1000):
            with self.subTest(body=body[:20]):
                self.bad(self.server.send("POST", "/v1/services", body),
                         "the body is no CreateServiceRequest")

    def test_wrong_types(self):
        for group in ({"type": "D2", "count": -1}, {"type": "D2", "count": 1.5},
                      {"type": "D2", "count": "many"}, {"type": "D2", "count": 1 << 32},
                      {"type": 5, "count": 1}, {"type": ["D2"], "count": 1}, "D2"):
            with self.subTest(group=group):
                self.bad(self.server.call(
                    "CreateService", {"service": {"name": "w", "tenant": "acme",
                                                  "groups": [group]}}))
        self.bad(self.server.call("ListServices", query="?page_size=many"), "page_size is 'many'")
        self.bad(self.server.call("ListServices", query="?page_size=-1"), "a whole number")
        self.bad(self.server.call("ListServices", query="?page_size=1001"), "1000 is the most")
        self.bad(self.server.call("ListServices", query="?page_token=x"), "page_token 'x'")
        self.bad(self.server.call("ListInstances", query="?pending=yes"), "true or false")
        self.bad(self.server.call("Watch", query="?from=now"), "from is 'now'")
        self.bad(self.server.call("ListMachines", query="?health=well"), "ready, draining")

    def test_values_out_of_range_are_named(self):
        def create(**fields):
            return self.server.call("CreateService", {"service": {**service("w"), **fields}})
        self.bad(create(name="a b"), "service.name 'a b' is not a name")
        self.bad(create(name=""), "service.name")
        self.bad(create(name="x" * 129), "1 to 128")
        self.bad(create(groups=[]), "groups is empty")
        self.bad(create(groups=[{"type": "D2", "count": 2001}]), "2001", "2000")
        self.bad(create(constraints={"max_per_rack": 2001}), "constraints.max_per_rack")
        self.bad(create(constraints={"within": "GALAXY"}), "within")
        self.bad(create(constraints={"within": 9}), "constraints.within")
        for fields, kind in (({"tenant": "nobody"}, "tenant"), ({"class": "tin"}, "class"),
                             ({"groups": [{"type": "D9", "count": 1}]}, "type"),
                             ({"constraints": {"labels": {"colour": "red"}}}, "label")):
            self.refuses(create(**fields), 404, "not_found", f"there is no {kind}"
                         if kind != "label" else "there is no machine with the label")
        self.bad(self.server.call("ResizeService", {"type": "D2", "limit": {"cpu_milli": -5}},
                                  name="w"), "limit: ", "-5")
        self.bad(self.server.call("CreateService", {"service": service("w"),
                                                    "idempotency_key": "k" * 257}), "256")
        self.bad(self.server.call("ReportInstances", {"reports": [], "idempotency_key": "k" * 257}),
                 "256")
        self.bad(self.server.call("ReportInstances", {"reports": [{"instance": "w/0"}] * 1001}),
                 "1001", "1000 are the most")
        self.bad(self.server.call("ChangeFleet", {"remove_types": ["x"] * 10001}), "10001",
                 "10000 are the most")
        self.bad(self.server.call("ApplyPolicy", {"text": "#" * (MIB + 1)}), str(MIB))
        self.refuses(self.server.call("DrainMachine", name="c9-0001"), 404, "not_found", "c9-0001")

    def test_a_body_over_4_mib(self):
        self.refuses(self.server.send("POST", "/v1/services", " " * (4 * MIB + 1)), 413,
                     "invalid_argument", str(4 * MIB + 1), str(4 * MIB))
        far_over = self.server.send("POST", "/v1/services", " " * (9 * MIB))
        self.assertEqual(far_over.code, 0)  # Not read: the connection is closed.
        self.bad(self.server.send("POST", "/v1/services", " " * (4 * MIB)))

    def test_a_path_over_8_kib(self):
        def longer(length):
            target = "/v1/services?name_prefix="
            return self.server.get(target + "x" * (length - len(target)))
        self.assertEqual(longer(8 << 10).code, 200)
        self.refuses(longer((8 << 10) + 1), 414, "invalid_argument", "8192")
        self.assertEqual(longer(40 << 10).code, 0)

    def test_too_many_and_too_long_headers_are_not_read(self):
        many = [part for i in range(70) for part in ("--header", f"X-{i}: y")]
        self.assertEqual(self.server.get("/v1/health", *many).code, 0)
        self.assertEqual(self.server.get("/v1/health", "--header", "X: " + "y" * 9000).code, 0)
        self.assertEqual(self.server.get("/v1/health").code, 200)

    def test_percent_escapes(self):
        self.assertEqual(self.server.get("/v1/machines/%63%31-0001").json["machine"]["name"],
                         "c1-0001")
        self.assertEqual(self.server.call("ListMachines", query="?name_prefix=%73pare")
                         .json["machines"][0]["machine"]["name"], "spare")
        for name in ("a/b", "a:b", "a?b", "a b", "ü", "\0", "a%b", "a+b"):
            with self.subTest(name=name):
                escaped = urllib.parse.quote(name, safe="")
                self.refuses(self.server.call("GetService", name=escaped), 404, "not_found",
                             "there is no service")
        self.bad(self.server.call("ListMachines", query="?name_prefix=%g1"), "hexadecimal")
        self.bad(self.server.call("GetService", name="%ff%fe"), "give UTF-8")

    def test_timeouts_that_are_none(self):
        for value in ("0", "-1", "soon", "86400001", "1.5"):
            with self.subTest(value=value):
                self.bad(self.server.call("Health", None, "--header", f"Berth-Timeout-Ms: {value}"),
                         "Berth-Timeout-Ms", "1 to 86400000")

    def test_the_front_page_names_what_is_there(self):
        got = self.server.get("/")
        self.assertEqual((got.code, got.headers["content-type"]),
                         (200, "text/plain; charset=utf-8"))
        self.assertIn("/v1/machines", got.text)
        self.assertEqual(got.headers["x-content-type-options"], "nosniff")


class Deadlines(OneServerCase):
    def test_a_call_that_comes_too_late_does_nothing(self):
        for i in range(40):
            created = self.server.call("CreateService", {"service": service(f"late-{i}")},
                                       "--header", "Berth-Timeout-Ms: 1")
            there = self.server.call("GetService", name=f"late-{i}").code == 200
            self.assertIn(created.code, (200, 504))
            self.assertEqual(there, created.code == 200)

    def test_a_call_in_time_is_answered(self):
        self.accepted(self.server.call("CreateService", {"service": service("early")},
                                       "--header", "Berth-Timeout-Ms: 86400000"))


class Pages(OneServerCase):
    """Small pages give what one large page gives, and nothing twice."""

    ITEMS = {"ListServices": "services", "ListInstances": "instances", "ListMachines": "machines",
             "ListTypes": "types", "ListTenants": "tenants", "ListDecisions": "decisions",
             "ListSamples": "windows", "ListSeries": "series", "ListPending": "pending",
             "ListRecommendations": "recommendations", "ListPlans": "plans"}
    NEEDS = {"ListSamples": "&subject=s0&metric=load"}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for i in range(9):
            cls.server.call("CreateService", {"service": service(f"s{i}", 1 + i % 3)})
        cls.server.call("DeleteService", name="s4")
        nowhere = {"class": "bronze", "constraints": {"labels": {"memory": "reduced"}}}
        for i in range(3):
            cls.server.call("CreateService", {"service": service(f"w{i}", **nowhere)})
        now = int(time.time() * 1000)
        points = [{"at_ms": now - i * 600_000, "value": i} for i in range(20)]
        cls.server.call("PutSamples", {"series": [
            {"subject": "s0", "metric": "load", "points": points},
            {"subject": "s0/0", "metric": "cpu_milli", "points": points[:1]},
            {"subject": "s1", "metric": "load", "points": points[:1]}]})
        cls.server.call("ApplyPolicy", {"text": "applications:\n" + "".join(
            f"  - {{name: a{i}, services: [{{name: s{i}}}], scaling: {{autoscaler: hpa}}}}\n"
            for i in range(3))})
        eventually(lambda: cls.server.call("ListPlans").json["plans"], "applications are planned")
        # A kill is enough for a recommendation.
        cls.server.call("ReportInstances", {"reports": [
            {"instance": f"s{i}/0", "what": "RAN_OUT_OF_MEMORY"} for i in range(4)]})

    def pages(self, call, size):
        token = ""
        while True:
            query = f"?page_size={size}&page_token={urllib.parse.quote(token)}"
            page = self.server.call(call, query=query + self.NEEDS.get(call, "")).json
            items = page[self.ITEMS[call]]
            # How those that wait stand changes with the time, and so do plans.
            name = {"ListPending": "id", "ListPlans": "application"}.get(call)
            yield items if name is None else [item[name] for item in items]
            token = page["next_page_token"]
            if not token:
                return

    def test_every_list_is_paged(self):
        lists = {name for name in CALLS if name.startswith("List")}
        self.assertEqual(lists, set(self.ITEMS))

    def test_small_pages_give_what_a_large_one_gives(self):
        for call in self.ITEMS:
            [whole] = self.pages(call, 1000)
            self.assertGreater(len(whole), 1)
            for size in (1, 2, 7):
                with self.subTest(call=call, size=size):
                    pages = list(self.pages(call, size))
                    self.assertEqual([item for page in pages for item in page], whole)
                    # Such a page may be longer by what more there is of its last service.
                    together = call in ("ListInstances", "ListRecommendations")
                    most = size + 2 if together else size
                    self.assertLessEqual(max(map(len, pages)), most)

    def test_the_last_page_may_lie_past_the_end(self):
        got = self.server.call("ListServices", query="?page_token=999999").json
        self.assertEqual(got, {"services": [], "next_page_token": ""})


if __name__ == "__main__":
    unittest.main()
