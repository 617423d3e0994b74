"""What a server foresees of the samples it was sent."""
import json
import math
import time
import unittest

from api import OK, REFUSED, ServerCase, service

HOUR_MS = 3_600_000


def load(hour):
    return 100 + 40 * math.sin(2 * math.pi * hour / 24)


class Forecasts(ServerCase):
    def send(self, server, subject, metric, points):
        got = server.call("PutSamples", {"series": [
            {"subject": subject, "metric": metric, "points": points}]})
        self.assertEqual(got.code, 200, got.text)
        self.assertEqual(got.json["errors"], [""])

    def sampled(self):
        """Ten days of hours up to the one that has not ended."""
        server = self.serve()
        self.accepted(server.call("CreateService", {"service": service("web")}))
        self.now_hour = int(time.time() * 1000) // HOUR_MS
        self.send(server, "web", "load", [
            {"at_ms": hour * HOUR_MS + 60_000, "value": load(hour)}
            for hour in range(self.now_hour - 240, self.now_hour + 1)])
        return server

    def ask(self, server, path, query=""):
        return server.get(f"/v1/forecasts/{path}{query}")

    def test_continues_what_was_sampled(self):
        server = self.sampled()
        got = self.ask(server, "web/load", "?horizon=12")
        self.assertEqual(got.code, 200, got.text)
        forecast = got.json
        self.assertEqual(forecast["method"], "chooser")
        self.assertEqual(forecast["history"], 240)
        self.assertEqual(forecast["seasons"], [24])
        self.assertIn("no season of 168: the history is of 240 points, not twice as long",
                      forecast["notes"])
        self.assertIn("on the last", forecast["reason"])
        self.assertEqual(forecast["backtest"]["points"], 12)
        self.assertEqual(len(forecast["points"]), 12)
        for i, point in enumerate(forecast["points"]):
            hour = self.now_hour + i
            self.assertEqual(int(point["at_ms"]), hour * HOUR_MS)
            self.assertAlmostEqual(point["mean"], load(hour), delta=5)
            self.assertLessEqual(point["lower"], point["mean"])
            self.assertGreaterEqual(point["upper"], point["mean"])

    def test_is_as_asked_for(self):
        server = self.sampled()
        forecast = self.ask(server, "web/load",
                            "?method=last_value&horizon=2&level_percent=80&season=auto").json
        self.assertEqual(forecast["method"], "last_value")
        self.assertEqual(forecast["reason"], "asked for")
        self.assertEqual(forecast.get("seasons", []), [])
        self.assertIn("no season of 24 points: last_value takes none", forecast["notes"])
        self.assertEqual(forecast["level_percent"], 80)
        self.assertAlmostEqual(forecast["points"][0]["mean"], load(self.now_hour - 1))

    def test_by_the_five_minutes(self):
        server = self.serve()
        self.accepted(server.call("CreateService", {"service": service("web")}))
        now = int(time.time() * 1000)
        self.send(server, "web/0", "cpu_milli",
                  [{"at_ms": now - i * 300_000, "value": 500} for i in range(60, 0, -1)])
        forecast = self.ask(server, "web%2F0/cpu_milli", "?step_minutes=5&horizon=3").json
        self.assertEqual([point["mean"] for point in forecast["points"]], [500, 500, 500])
        begins = [int(point["at_ms"]) for point in forecast["points"]]
        self.assertEqual([begins[1] - begins[0], begins[0] % 300_000], [300_000, 0])

    def test_a_short_history_is_noted(self):
        server = self.serve()
        self.accepted(server.call("CreateService", {"service": service("web")}))
        hour = int(time.time() * 1000) // HOUR_MS
        self.send(server, "web", "load", [{"at_ms": (hour - 1) * HOUR_MS, "value": 7}])
        forecast = self.ask(server, "web/load").json
        self.assertNotIn("backtest", forecast)
        self.assertIn("the last value: chooser needs 24 points", forecast["notes"])
        self.assertEqual(forecast["method"], "last_value")
        self.assertEqual(forecast["reason"], "chooser needs 24 points, and there are 1")
        self.assertEqual(forecast["points"][0]["mean"], 7)

    def test_an_old_series_is_noted(self):
        server = self.serve()
        self.accepted(server.call("CreateService", {"service": service("web")}))
        hour = int(time.time() * 1000) // HOUR_MS
        self.send(server, "web", "load", [
            {"at_ms": (hour - ago) * HOUR_MS, "value": load(ago)} for ago in range(100, 70, -1)])
        for horizon, past in ((24, "all that is foreseen is"), (72, "the first 70 points are")):
            notes = self.ask(server, "web/load", f"?horizon={horizon}").json["notes"]
            self.assertRegex(" ".join(notes), f"the last point ended 2d 22h.* ago: {past} past")

    def test_what_is_beyond_reckoning_is_a_gap(self):
        server = self.sampled()
        self.send(server, "web", "load", [{"at_ms": (self.now_hour - 50) * HOUR_MS + 1_000_000,
                                           "value": 1e300}])
        got = self.ask(server, "web/load")
        self.assertEqual(got.code, 200, got.text)
        self.assertIn("1 window of samples beyond 1e+100 taken as a gap", got.json["notes"])

    def test_what_takes_too_long_is_refused(self):
        server = self.serve()
        self.accepted(server.call("CreateService", {"service": service("web")}))
        now = int(time.time() * 1000)
        self.send(server, "web", "load", [
            {"at_ms": now - ago * 300_000, "value": load(ago)} for ago in range(4_000, 0, -1)])
        got = self.ask(server, "web/load", "?step_minutes=5&method=sarima&season=60")
        self.assertEqual(got.code, 400, got.text)
        self.assertRegex(got.text, "sarima of [34],[0-9]{3} points with a season of 60 takes too "
                                   "long: up to 6 s, and 5 s is the most; give fewer points")
        for query in ("?step_minutes=5&method=average&season=60", "?method=sarima&season=24"):
            got = self.ask(server, "web/load", query)
            self.assertEqual(got.code, 200, got.text)

    def test_what_is_wrong_is_said(self):
        server = self.sampled()
        for path, query, code, words in (
                ("web/nothing", "", 404, "no samples of a whole window of 1h"),
                ("nobody/load", "", 404, "berth get series"),
                ("web/load", "?horizon=1001", 400, "1000 is the most"),
                ("web/load", "?step_minutes=7", 400, "give 60 or 5"),
                ("web/load", "?level_percent=100", 400, "give 1 to 99"),
                ("web/load", "?method=oracle", 400, "there is no method 'oracle'"),
                ("web/load", "?method=sarima+garch", 400, "in an address a + is written %2B"),
                ("web/load", "?season=1", 400, "a season is of 2 to"),
                ("web/load", "?season=soon", 400, "not 'soon'"),
                ("web/%20", "", 400, "is no metric")):
            got = self.ask(server, path, query)
            self.assertEqual(got.code, code, got.text)
            self.assertIn(words, got.text)

    def test_the_command_line_shows_it(self):
        server = self.sampled()
        done = server.client("get", "forecast", "web", "load", "--horizon", "3")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("95 % lower", done.stdout)
        self.assertIn("Why: on the last", done.stdout)
        self.assertIn("Tried on the last 3 points: interval score", done.stdout)
        done = server.client("get", "forecast", "web", "load", "--json", "--method", "average")
        self.assertEqual(json.loads(done.stdout)["method"], "average")
        done = server.client("get", "forecast", "web", "nothing")
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("no samples", done.stderr)

    def test_the_command_line_shows_small_and_huge_values(self):
        server = self.serve()
        self.accepted(server.call("CreateService", {"service": service("web")}))
        hour = int(time.time() * 1000) // HOUR_MS
        for metric, unit in (("errors", 1e-5), ("huge", 1e95)):
            self.send(server, "web", metric, [
                {"at_ms": (hour - ago) * HOUR_MS, "value": (30 + ago % 5) * unit}
                for ago in range(30, 0, -1)])
        for metric, mean in (("errors", "0.00031"), ("huge", "3.100e+96")):
            done = server.client("get", "forecast", "web", metric, "--horizon", "2",
                                 "--method", "last_value")
            self.assertEqual(done.returncode, OK, done.stderr)
            self.assertEqual(done.stdout.count(f"  {mean}"), 2, done.stdout)
            rows = [line for line in done.stdout.splitlines() if line.startswith("20")]
            self.assertLess(max(map(len, rows)), 80, done.stdout)


if __name__ == "__main__":
    unittest.main()
