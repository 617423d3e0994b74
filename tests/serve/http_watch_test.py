"""What is told as it happens over HTTP: server-sent events, and metrics."""
import json
import re
import socket
import subprocess
import unittest

from api import SOURCE, OneServerCase, ServerCase, eventually, service


def events(server, query="", *options, until):
    """The events of a stream as they come, until one of them is the last wanted."""
    command = ["curl", "--silent", "--no-buffer", "--max-time", "60", *options,
               server.url("/v1/watch" + query)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        event, seen = {}, []
        for line in process.stdout:
            line = line.rstrip("\n")
            if line:
                name, _, value = line.partition(": ")
                event[name] = value
                continue
            seen.append(event)
            if until(event):
                break
            event = {}
        process.terminate()
    return seen


def at(revision):
    return lambda event: event.get("id") == str(revision)


class Events(OneServerCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for i in range(5):
            cls.server.call("CreateService", {"service": service(f"w{i}")})
        cls.last = int(cls.server.call("Health").json["revision"])

    def test_every_revision_once_and_in_order(self):
        seen = events(self.server, until=at(self.last))
        self.assertEqual([int(event["id"]) for event in seen], list(range(1, self.last + 1)))
        commits = [json.loads(event["data"]) for event in seen]
        self.assertEqual([commit["revision"] for commit in commits],
                         [event["id"] for event in seen])
        told = [update["key"] for commit in commits for update in commit["updates"]]
        self.assertIn("machine c1-0001", told)
        self.assertIn("service w4", told)
        self.assertIn("instance w4/0", told)
        self.assertFalse([key for key in told if key.startswith(("lease", "idempotency"))])

    def test_resumes_after_a_revision(self):
        middle = self.last - 3
        for seen in (events(self.server, f"?from={middle}", until=at(self.last)),
                     events(self.server, "", "--header", f"Last-Event-ID: {middle}",
                            until=at(self.last)),
                     events(self.server, "?from=1", "--header", f"Last-Event-ID: {middle}",
                            until=at(self.last))):
            self.assertEqual([int(event["id"]) for event in seen],
                             list(range(middle + 1, self.last + 1)))

    def test_is_what_the_standard_says(self):
        with socket.create_connection(self.server.http.split(":")) as client:
            client.sendall(b"GET /v1/watch HTTP/1.1\r\nHost: localhost\r\n\r\n")
            said = b""
            while b"\r\n\r\n" not in said:
                said += client.recv(4096)
        head = said.split(b"\r\n\r\n")[0].lower()
        self.assertIn(b"content-type: text/event-stream", head)
        self.assertIn(b"cache-control: no-store", head)

    def test_a_revision_that_never_was_says_where_to_begin(self):
        seen = events(self.server, "?from=999999", until=lambda event: "event" in event)
        told = json.loads(seen[0]["data"])
        self.assertGreater(int(told["compacted"]), 0)
        self.assertEqual(seen[-1]["event"], "end")
        self.assertEqual(json.loads(seen[-1]["data"])["error"]["code"], "out_of_range")


class StreamsAtTheEnd(ServerCase):
    def test_a_server_that_stops_says_so(self):
        server = self.serve()
        with subprocess.Popen(["curl", "--silent", "--no-buffer", server.url("/v1/watch")],
                              stdout=subprocess.PIPE, text=True) as watcher:
            self.assertEqual(watcher.stdout.readline(), "id: 1\n")
            self.assertEqual(server.stop(), 0)
            said = watcher.stdout.read()
        self.assertEqual(watcher.returncode, 0)
        self.assertRegex(said, r'event: end\ndata: {"error":{"code":"unavailable".*stopping')


class Metrics(OneServerCase):
    POLICY = ("experiment: {name: trial, percent: 50, allocate: {rules: [worst_fit]}}\n"
              "rightsizing: {rollout: {name: trial, recommender: vpa, percent: 50}}\n")
    OPTIONS = ("--policy", "policy.yaml",
               "--program", f"median={SOURCE}/testdata/external/median.py")

    @classmethod
    def prepare(cls, folder):
        (folder / "policy.yaml").write_text(cls.POLICY)

    LINE = re.compile(r'(\w+)(?:\{((?:\w+="[^"]*",?)*)\})? (\S+)')

    def samples(self):
        got = self.server.get("/metrics")
        self.assertEqual(got.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
        types, samples = {}, {}
        for line in got.text.splitlines():
            if line.startswith("# TYPE "):
                _, _, name, kind = line.split()
                types[name] = kind
            elif not line.startswith("# HELP "):
                found = self.LINE.fullmatch(line)
                self.assertTrue(found, line)
                samples[found[1], found[2] or ""] = float(found[3])
        return types, samples

    def test_every_line_is_a_sample_of_a_declared_metric(self):
        types, samples = self.samples()
        for name, _ in samples:
            family = re.sub(r"_(bucket|count|sum)$", "", name)
            self.assertTrue(name in types or types.get(family) == "histogram", name)

    def test_names_end_as_what_they_count(self):
        types, _ = self.samples()
        self.assertGreater(len(types), 10)
        for name, kind in types.items():
            self.assertTrue(name.startswith("berth_"), name)
            self.assertEqual(name.endswith("_total"), kind == "counter", name)
            self.assertEqual(name.endswith("_seconds"), kind == "histogram", name)

    def test_the_page_lists_every_metric(self):
        types, _ = self.samples()
        page = (SOURCE / "docs/serve.md").read_text()
        listed = dict(re.findall(r"^\| `(berth_\w+)` \| (\w+) \|", page, re.M))
        self.assertEqual(listed, types)

    def test_calls_are_counted_by_name_and_code(self):
        def count(call, code):
            return self.samples()[1].get(("berth_calls_total", f'call="{call}",code="{code}"'), 0)
        before = count("GetService", "not_found")
        for _ in range(3):
            self.server.call("GetService", name="none")
        eventually(lambda: count("GetService", "not_found") == before + 3)
        self.server.call("CreateService", {"service": service("counted")})
        _, samples = self.samples()
        self.assertGreaterEqual(samples["berth_requests_accepted_total", ""], 1)
        self.assertGreaterEqual(samples["berth_call_seconds_count", 'call="CreateService"'], 1)


if __name__ == "__main__":
    unittest.main()
