"""The dashboard in a real browser, on a real server: every page, live, by role.

    BERTH_BINARY_DIR=build/ci python3 -m unittest -v tests.dashboard.dashboard_test
"""
import contextlib
import json
import pathlib
import tempfile
import time
import unittest

from tests.browser import chromium
from tests.dashboard.browser import PIXEL, Browser
from tests.serve.api import Server, curl, eventually, service

PAGES = {"fleet": "Fleet", "machines/c1-0001": "Machine c1-0001", "decisions": "Decisions",
         "levels": "Service levels", "rightsizing": "Rightsizing", "scaling": "Scaling",
         "what-if": "What if"}
SECRETS = {role: f"secret-of-{role}-0123456789" for role in ("read", "operate")}
TOKENS = "tokens:\n" + "".join(
    f"  - {{name: {role}er, role: {role}, token: {secret}}}\n" for role, secret in SECRETS.items())
PLANNED = """
applications:
  - name: shop
    services: [{name: web}]
    scaling:
      autoscaler: space
      step: 5m
      horizon: 1h
      services:
        default:
          min: 1
          max: 99
          groups:
            - name: load
              calculator: {name: per_instance, metric: requests_per_second, target: 10}
              metrics:
                - name: requests_per_second
                  forecaster: {name: seasonal_naive, seasons: [6], history: 5h}
"""
ROWS = "[...document.querySelectorAll('tbody tr')].map(row => row.innerText)"

APPLY_OFF = ("[...document.querySelectorAll('.action')]"
             ".find(button => button.innerText === 'Put into force…').disabled")


@unittest.skipIf(chromium.missing(), chromium.missing())
class Dashboard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = contextlib.ExitStack()
        cls.addClassCleanup(cls.all.close)
        folder = pathlib.Path(cls.all.enter_context(tempfile.TemporaryDirectory()))
        (folder / "tokens").write_text(TOKENS)
        cls.server = cls.all.enter_context(Server(folder))
        cls.guarded = cls.all.enter_context(Server(folder, "--tokens", "tokens"))
        cls.page = Browser()
        cls.all.callback(cls.page.close)
        for name in ("web", "db"):
            cls.server.call("CreateService", {"service": service(name, 3)})

    def see(self, page, **how):
        self.page.visit(self.server, page, **how)
        self.page.wait_for("!document.querySelector('[aria-busy]')")
        self.page.draw()

    def drawn(self):
        """The fleet page, once its map is there."""
        self.see("fleet")
        self.page.wait_for("document.querySelector('.readout').innerText.includes('machines at')")
        self.page.draw()

    def test_every_page_is_there_sound_and_fits(self):
        for page, title in PAGES.items():
            for width, scheme in ((1280, "light"), (390, "dark")):
                with self.subTest(page=page, width=width, scheme=scheme):
                    self.see(page, width=width, scheme=scheme)
                    self.assertEqual(self.page.text("main h1"), title)
                    self.assertEqual(self.page.complaints(), [])
                    needed = self.page.evaluate("document.documentElement.scrollWidth")
                    self.assertLessEqual(needed, width)
                    self.assertEqual(self.page.breaches(), [])

    def test_asks_its_own_server_only_under_a_strict_policy(self):
        self.see("fleet")
        home = self.server.url("/")
        self.assertEqual([url for url in self.page.requests() if not url.startswith(home)], [])
        head = curl(home, "--header", "Accept: text/html", "--header", "Accept-Encoding: gzip",
                    "--output", "/dev/null", "--dump-header", "-").headers
        self.assertEqual(head["content-encoding"], "gzip")
        policy = head["content-security-policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertIn("Berth serves its API here", curl(home).text)

    def test_nothing_is_asked_again_while_the_fleet_changes(self):
        for page in PAGES:
            with self.subTest(page=page):
                self.see(page)
                self.page.settle()
                self.page.forget()
                self.server.call("CreateService", {"service": service(f"q-{page[:5]}", 1)})
                self.server.call("DeleteService", name=f"q-{page[:5]}")
                time.sleep(1.5)
                self.assertEqual(self.page.requests(), [])

    def test_an_allocation_shows_by_itself(self):
        self.see("decisions")
        self.page.wait_for(f"{ROWS}.some(row => row.includes('web'))")
        self.page.forget()
        self.server.call("CreateService", {"service": service("fresh", 2)})
        self.page.wait_for(f"{ROWS}.some(row => row.includes('fresh') && row.includes('accepted'))")
        self.assertEqual(self.page.requests(), [])
        self.page.click("tbody .link")
        self.page.wait_for("document.querySelectorAll('.funnel-step').length > 3")
        self.assertIn("looked at", self.page.text(".funnel"))

    def test_rows_stay_where_they_are_while_one_is_chosen(self):
        self.see("decisions")
        self.page.wait_for(f"{ROWS}.some(row => row.includes('web'))")
        self.page.focus("tbody .link")
        before = self.page.evaluate(ROWS)
        self.server.call("CreateService", {"service": service("held", 1)})
        self.page.wait_for("document.body.innerText.includes('1 newer, shown when')")
        self.assertEqual(self.page.evaluate(ROWS), before)
        self.page.evaluate("document.activeElement.blur()")
        self.page.wait_for(f"{ROWS}[0].includes('held')")
        self.assertNotIn("newer, shown when", self.page.text("main"))

    def test_machines_have_the_colour_of_their_state(self):
        self.drawn()
        places = self.page.machines_on_the_map()
        listed = self.server.call("ListMachines", query="?page_size=1000").json["machines"]
        self.assertEqual(set(places), {each["machine"]["name"] for each in listed})
        stops = [self.page.css(f"--heat-{i}") for i in range(1, 6)]
        for each in listed:
            name = each["machine"]["name"]
            x, y, said = places[name]
            capacity = int(each["machine"]["capacity"]["cpu_milli"])
            share = int(each["allocated"]["cpu_milli"]) / capacity
            health = each["machine"]["health"]
            with self.subTest(machine=name):
                self.assertIn(health.lower(), said)
                if health == "READY":
                    self.assertIn(f"cpu allocated {int(100 * share + 0.5)} %", said)
                    self.assertEqual(self.page.pixel(x, y), ramp(stops, int(100 * share + 0.5)))
                else:
                    self.assertEqual(self.page.pixel(x, y), self.page.css(f"--{health.lower()}"))

    def test_a_machine_that_fails_turns_red_by_itself(self):
        self.drawn()
        x, y, _ = self.page.machines_on_the_map()["c2-0003"]
        down = self.page.css("--down")
        self.assertNotEqual(self.page.pixel(x, y), down)
        self.page.forget()
        self.server.call("FailMachine", {}, name="c2-0003")
        self.page.wait_for(f"({pixel_script(x, y)}) === '{down}'")
        self.assertEqual(self.page.requests(), [])
        self.server.call("RestoreMachine", {}, name="c2-0003")

    def test_a_machine_is_found_zoomed_to_and_opened_by_keys(self):
        self.drawn()
        self.page.fill("input[type=search]", "c2-0004")
        self.page.key("Enter")
        self.page.focus(".map")
        self.page.key("Enter")
        self.page.wait_for("document.querySelector('h1').innerText === 'Machine c2-0004'")

    def test_a_machine_is_drained_from_its_page(self):
        self.see("machines/c2-0005")
        self.assertEqual(self.page.text(".health"), "ready")
        self.page.click(".action", "Drain")
        self.page.click("dialog .action", "Drain")
        self.page.wait_for("document.querySelector('.health').innerText === 'draining'")
        state = self.server.call("GetMachine", name="c2-0005").json
        self.assertEqual(state["machine"]["health"], "DRAINING")
        self.server.call("RestoreMachine", {}, name="c2-0005")
        self.page.wait_for("document.querySelector('.health').innerText === 'ready'")

    def test_says_why_not_and_what_a_policy_would_change(self):
        self.see("decisions")
        self.page.fill("form input >> nth=0", "web")
        self.page.fill("form input >> nth=1", "c1-0007")
        self.page.key("Enter")
        said = "document.querySelector('form + div pre')?.innerText ?? ''"
        self.page.wait_for(f"({said}).includes('c1-0007')")
        self.see("what-if")
        self.page.wait_for("document.querySelector('textarea').value.length > 10")
        self.page.click("button[type=submit]")
        self.page.wait_for("document.querySelectorAll('.detail .fact').length > 1")

    def write_policy(self, text):
        self.page.fill("textarea", text)

    def try_policy(self):
        """What changes in its lines, once that is shown."""
        self.page.click("button[type=submit]", "Try")
        self.page.wait_for("document.querySelector('.detail:not([aria-busy]) .difference') !== null"
                           " && document.querySelectorAll('.detail .fact').length > 1")
        return self.page.text(".detail .difference").splitlines()

    def test_a_policy_is_picked_tried_and_put_into_force(self):
        before = self.server.call("GetPolicy").json["text"]
        self.addCleanup(self.server.call, "ApplyPolicy", {"text": before})
        self.see("what-if")
        self.page.wait_for("document.querySelectorAll('form option').length === 5")
        self.assertEqual(self.page.evaluate("document.querySelector('textarea').value"), before)
        self.page.choose("form select", "production")
        picked = self.page.evaluate("document.querySelector('textarea').value")
        self.assertTrue(self.page.evaluate(APPLY_OFF), "it was not tried")
        shown = self.try_policy()
        self.assertIn("+ name: production", shown)
        self.assertIn("− name: shipped", shown)
        self.assertFalse(self.page.evaluate(APPLY_OFF))
        self.write_policy(picked + "# Ours.\n")
        self.assertTrue(self.page.evaluate(APPLY_OFF), "this one was not tried")
        self.assertIn("+ # Ours.", self.try_policy())
        self.assertEqual(self.server.call("GetPolicy").json["text"], before)
        self.page.click(".action", "Put into force…")
        self.page.wait_for("document.querySelector('dialog pre') !== null")
        self.assertIn("+ # Ours.", self.page.text("dialog pre"))
        self.page.click("dialog .action", "Put into force")
        self.page.wait_for("document.querySelector('.detail').innerText.startsWith('In force: ')")
        self.assertEqual(self.server.call("GetPolicy").json["text"], picked + "# Ours.\n")

    def test_lines_that_change_places_are_a_difference(self):
        self.see("what-if")
        self.page.wait_for("document.querySelector('textarea').value.length > 10")
        text = self.page.evaluate("document.querySelector('textarea').value")
        [first, second] = [line for line in text.splitlines(True)
                           if line.startswith(("  clusters:", "  retries:"))]
        self.write_policy(text.replace(first + second, second + first))
        marked = [line for line in self.try_policy() if line[0] in "−+"]
        self.assertEqual(sorted(marked), sorted(f"{sign} {marked[0][2:]}" for sign in "−+"))
        self.assertIn(marked[0][2:], (first.rstrip(), second.rstrip()))

    def test_shows_how_promises_stand(self):
        self.see("levels")
        self.page.wait_for("document.querySelectorAll('.level').length === 3")
        self.assertIn("gold", self.page.text(".level"))

    def test_a_service_opts_in_after_the_change_was_shown(self):
        got = self.server.call("ReportInstances", {"reports": [
            {"instance": "db/0", "what": "RAN_OUT_OF_MEMORY"}]})
        self.assertEqual(got.json["errors"], [""])
        self.put_samples("db/0", "memory_bytes", [2e9 + 1e8 * i for i in range(20)])
        self.see("rightsizing")
        self.page.click("tbody .link", "db")
        self.page.wait_for("document.querySelector('.heat canvas') !== null")
        lines = self.page.evaluate(
            "[...document.querySelectorAll('.heat-lines li')].map(line => line.innerText)")
        self.assertEqual(lines, ["limit", "killed for want of memory", "recommended"])
        self.assertIn("are known: 1. Points mark the last one", self.page.text(".heat .note"))
        self.page.click("tbody .action", "Opt in")
        self.page.wait_for("document.querySelector('dialog pre') !== null")
        self.assertIn('{name: "db", mode: auto}', self.page.text("dialog pre"))
        self.assertNotIn("auto", self.server.call("GetPolicy").json["text"])
        self.page.click("dialog .action", "Put into force")
        self.page.wait_for(f"{ROWS}.some(row => row.includes('follows by itself'))")
        self.assertIn("mode: auto", self.server.call("GetPolicy").json["text"])

    def test_load_is_drawn_with_what_comes_next(self):
        self.put_samples("web", "requests_per_second", [100 + 10 * (i % 6) for i in range(60)])
        self.see("scaling")
        self.page.wait_for("document.querySelector('.plot canvas') !== null")
        lines = self.page.evaluate(
            "[...document.querySelectorAll('.legend tbody th')].map(name => name.innerText)")
        self.assertEqual(lines, ["measured", "forecast", "lower, 95 %", "upper, 95 %"])

    def test_plans_are_drawn_and_listed(self):
        self.put_samples("web", "requests_per_second", [100 + 10 * (i % 6) for i in range(60)])
        got = self.server.call("ApplyPolicy", {"text": PLANNED})
        self.assertEqual(got.code, 200, got.text)
        eventually(lambda: self.server.call("GetPlan", service="web").json.get("states"),
                   "there is a plan")
        self.see("scaling")
        self.page.wait_for("[...document.querySelectorAll('h2, h3, h4')]"
                           ".some(head => head.innerText === 'Cores that shop takes')")
        rows = self.page.evaluate(
            "document.querySelectorAll('[aria-label=\"Table: Plan of shop\"] tbody tr').length")
        self.assertEqual(rows, len(self.server.call("GetPlan", service="web").json["states"]))
        self.assertEqual(self.page.breaches(), [])

    def put_samples(self, subject, metric, values):
        """The last one is of ten minutes ago, those before of five minutes each before."""
        now = int(time.time() * 1000)
        points = [{"at_ms": str(now - (len(values) - i + 1) * 300_000), "value": value}
                  for i, value in enumerate(values)]
        got = self.server.call("PutSamples", {"series": [
            {"subject": subject, "metric": metric, "points": points}]})
        self.assertEqual(got.json["errors"], [""], got.text)

    def visit_guarded(self, page, role):
        self.page.visit(self.guarded, page)
        self.page.fill("dialog input", SECRETS[role])
        self.page.key("Enter")

    def test_a_reader_may_try_a_policy_and_not_put_it_into_force(self):
        self.guarded.call("CreateService", {"service": service("web")}, "--header",
                          f"Authorization: Bearer {SECRETS['operate']}")
        self.visit_guarded("what-if", "read")
        self.page.wait_for("document.querySelector('textarea')?.value.length > 10")
        text = self.page.evaluate("document.querySelector('textarea').value") + "# Ours.\n"
        self.write_policy(text)
        self.assertIn("+ # Ours.", self.try_policy())
        self.assertTrue(self.page.evaluate(APPLY_OFF))
        code = self.page.evaluate(
            "fetch('/v1/policy', {method: 'PUT', headers: {Authorization: "
            f"'Bearer {SECRETS['read']}'}}, body: JSON.stringify({{text: {json.dumps(text)}}})}})"
            ".then(answer => answer.status)")
        self.assertEqual(code, 403)

    def test_a_token_is_asked_for_kept_in_the_tab_and_rules(self):
        self.visit_guarded("machines/c1-0001", "read")
        self.page.wait_for("document.querySelector('.health')?.innerText === 'ready'")
        self.assertIn("reader, read", self.page.text(".who"))
        disabled = self.page.evaluate(
            "[...document.querySelectorAll('[aria-label=Actions] button')].every(b => b.disabled)")
        self.assertTrue(disabled)
        self.assertFalse([url for url in self.page.requests() if SECRETS["read"] in url])
        # What the page does not offer the server refuses, also when it is asked all the same.
        code = self.page.evaluate(
            "fetch('/v1/machines/c1-0001:drain', {method: 'POST', headers: {Authorization: "
            f"'Bearer {SECRETS['read']}'}}}}).then(answer => answer.status)")
        self.assertEqual(code, 403)

    def test_a_page_from_elsewhere_may_not_call(self):
        got = self.server.call("CreateService", {"service": service("evil")}, "--header",
                               "Origin: http://evil.example")
        self.assertEqual((got.code, got.error[0]), (403, "permission_denied"))
        own = self.server.call("ListTypes", None, "--header", f"Origin: http://{self.server.http}")
        self.assertEqual(own.code, 200)


def pixel_script(x, y):
    return PIXEL.replace("X", str(x), 1).replace("Y", str(y), 1).strip()


def ramp(stops, per_cent):
    """The colour of a share, between the stops of the theme."""
    place = per_cent / 100 * (len(stops) - 1)
    below = min(int(place), len(stops) - 2)
    parts = []
    for i in (1, 3, 5):
        start, end = (int(stop[i:i + 2], 16) for stop in stops[below:below + 2])
        parts.append(int(start + (end - start) * (place - below) + 0.5))
    return "#" + "".join(f"{part:02x}" for part in parts)


if __name__ == "__main__":
    unittest.main()
