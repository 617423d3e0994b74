"""Samples that a server fetches from a real Prometheus by itself."""
import contextlib
import http.server
import itertools
import json
import re
import sys
import threading
import time
import unittest

from api import SOURCE, ServerCase, Server, berth, eventually, service

sys.path.append(str(SOURCE / "tests/cli"))
from one_prometheus import one_prometheus  # noqa: E402, in the folder just named.

SOURCE_FILE = """
url: {address}
every: 1s
series:
  - {{metric: cpu_milli, query: 1000 * used_cores, service: app, instance: pod}}
  - {{metric: queue, query: waiting, service: app}}
"""


def steady():
    """From a little before now to a while after: nobody has to scrape."""
    now = int(time.time())
    times = range(now - 60, now + 600, 5)
    series = {("used_cores", f'app="web",pod="{pod}"'): [(at, 0.25 * (pod + 1)) for at in times]
              for pod in range(3)}
    series["waiting", 'app="web"'] = [(at, 7) for at in times]
    series["waiting", 'app="nobody"'] = [(at, 7) for at in times]
    return series


class InOtherWords(http.server.BaseHTTPRequestHandler):
    """Says each time in other words that it cannot answer, as when it tells how long it tried."""

    numbers = itertools.count()

    def do_POST(self):  # noqa: N802, named by http.server.
        body = json.dumps({"status": "error", "error": f"after {next(self.numbers)} ms"})
        self.send_response(503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def server_in_trouble():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), InOtherWords) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class FromPrometheus(ServerCase):
    def windows(self, server, subject, metric):
        got = server.call("ListSamples", query=f"?subject={subject}&metric={metric}")
        return got.json.get("windows", [])

    def test_its_series_are_samples_of_instances_and_services(self):
        with one_prometheus(steady()) as address:
            file = self.folder / "prometheus.yaml"
            file.write_text(SOURCE_FILE.format(address=address))
            with Server(self.folder, "--prometheus", file) as server:
                self.accepted(server.call("CreateService", {"service": service("web", 2)}))
                for subject, metric, value in (("web%2F0", "cpu_milli", 250),
                                               ("web%2F1", "cpu_milli", 500),
                                               ("web", "queue", 7)):
                    [window, *_] = eventually(
                        lambda s=subject, m=metric: self.windows(server, s, m),
                        f"{metric} of {subject} comes")
                    self.assertEqual((window["mean"], window["max"]), (value, value))
                self.assertEqual(self.windows(server, "nobody", "queue"), [])
                eventually(lambda: "berth_scaling_samples_total 0" not in
                           server.get("/metrics").text, "scalers are told")
                metrics = server.get("/metrics").text
                self.assertIn("berth_prometheus_failures_total 0", metrics)
                self.assertNotIn("berth_prometheus_series_refused_total 0", metrics)

    def test_a_server_that_does_not_answer_is_told_of_once(self):
        self.tells_once("http://127.0.0.1:9", "127.0.0.1:9")

    def test_trouble_in_other_words_each_time_is_told_of_once(self):
        with server_in_trouble() as address:
            self.tells_once(address, "after 0 ms")

    def tells_once(self, address, words):
        file = self.folder / "prometheus.yaml"
        file.write_text(SOURCE_FILE.format(address=address))
        with Server(self.folder, "--prometheus", file) as server:
            eventually(lambda: self.failures(server) >= 3, "it failed three times")
        said = [line for line in server.logged if '"event":"prometheus"' in line]
        self.assertEqual(len(said), 1, said)
        self.assertIn(words, said[0])

    def failures(self, server):
        metrics = server.get("/metrics").text
        return int(re.search(r"^berth_prometheus_failures_total (\d+)$", metrics, re.M)[1])

    def test_a_file_that_is_wrong_stops_the_server_before_it_starts(self):
        file = self.folder / "prometheus.yaml"
        file.write_text("url: http://localhost:9090\nseries: []\n")
        done = berth("serve", "--store", "memory", "--listen", "127.0.0.1:0", "--prometheus", file)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("series are 1 to 64, not 0", done.stderr)


if __name__ == "__main__":
    unittest.main()
