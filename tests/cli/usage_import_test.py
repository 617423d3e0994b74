"""Usage from a real Prometheus server.

    BERTH_BINARY_DIR=build/dev python3 -m unittest -v tests/cli/usage_import_test.py
"""
import contextlib
import csv
import gzip
import http.server
import pathlib
import ssl
import sys
import tempfile
import threading
import unittest
import urllib.request

from one_prometheus import one_prometheus
from program import OK, REFUSED, SOURCE, berth

sys.path.append(str(SOURCE / "tests/serve"))
import certificates  # noqa: E402, in the folder just named.

BEGIN = 1_704_067_200  # A Monday.
MINUTE = 60
# More than the 11,000 points that a server gives at once.
MINUTES = 9 * 24 * 60
END = "2024-01-10 00:00:00"
# Longer than Prometheus looks back for a value.
GAP = range(2000, 2060)


def cores(instance, minute):
    return 0.25 * (instance + 1) + minute % 7 * 0.125


def memory(instance, minute):
    return (instance + 1) * 1_000_000 + minute


def generated():
    minutes = range(MINUTES + 1)
    series = {}
    for instance in range(2):
        labels = f'service="web",instance="{instance}"'
        series["used_cores", labels] = [
            (BEGIN + MINUTE * m, cores(instance, m)) for m in minutes
            if instance == 0 or m not in GAP]
        series["used_bytes", labels] = [
            (BEGIN + MINUTE * m, memory(instance, m)) for m in minutes]
    series["used_cores", 'service="web",instance="0",zone="b"'] = [(BEGIN, 1)]
    return series


@contextlib.contextmanager
def guarded(address, token):
    """The server behind a door that asks for a token."""
    class Door(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers["Authorization"] != f"Bearer {token}":
                self.send_error(401)
                return
            asked = urllib.request.Request(address + self.path, data=body)
            with urllib.request.urlopen(asked) as answer:
                self.send_response(answer.status)
                self.end_headers()
                self.wfile.write(answer.read())

        def log_message(self, *_):
            pass

    door = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Door)
    thread = threading.Thread(target=door.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{door.server_port}"
    finally:
        door.shutdown()
        thread.join()
        door.server_close()


class UsageImport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.address = cls.entered(one_prometheus(generated()))
        cls.folder = pathlib.Path(cls.entered(tempfile.TemporaryDirectory()))

    @classmethod
    def entered(cls, context):
        value = context.__enter__()
        cls.addClassCleanup(context.__exit__, None, None, None)
        return value

    def run_import(self, *more, address=None, last="9d", out="usage.csv.gz"):
        return berth("usage", "import", "--prometheus", address or self.address, "--to", END,
                     "--last", last, "--out", out, *more, cwd=self.folder)

    def refused(self, *more, **options):
        done = self.run_import(*more, **options)
        self.assertEqual(done.returncode, REFUSED, done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def rows(self, name="usage.csv.gz"):
        with gzip.open(self.folder / name, "rt") as file:
            return list(csv.DictReader(file))

    def test_pages_are_one_and_gaps_stay_gaps(self):
        done = self.run_import("--cpu", 'used_cores{zone=""}', "--memory", "used_bytes")
        self.assertEqual(done.returncode, OK, done.stderr)
        seen = set()
        for row in self.rows():
            minute = (int(row["at_ms"]) // 1000 - BEGIN) // MINUTE
            instance = int(row["instance"].removeprefix("web/"))
            self.assertNotIn((instance, minute), seen)
            seen.add((instance, minute))
            self.assertEqual(float(row["memory_bytes"]), memory(instance, minute))
            if instance == 0 or minute not in GAP:
                self.assertEqual(float(row["cpu_milli"]), 1000 * cores(instance, minute))
        self.assertEqual({m for i, m in seen if i == 0}, set(range(MINUTES + 1)))
        left_out = sorted(set(range(MINUTES + 1)) - {m for i, m in seen if i == 1})
        # Prometheus gives the last value for five more minutes.
        self.assertEqual(left_out, list(GAP)[-len(left_out):])
        self.assertIn(len(GAP) - len(left_out), (4, 5))
        self.assertEqual(done.stderr, f"usage.csv.gz: {len(seen):,} rows of 2 instances; "
                                      f"{len(left_out)} points had only one of cpu and memory and "
                                      "were left out\n")

    def test_what_comes_is_recommended_from(self):
        self.run_import("--cpu", 'used_cores{zone=""}', "--step", "5m", out="five.csv")
        done = berth("recommend", "--usage", "five.csv", "--recommender", "window",
                     cwd=self.folder)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertIn("p90 of the load", done.stdout)

    def test_what_the_server_says_is_told(self):
        self.assertIn("parse error", self.refused("--cpu", "sum("))
        self.assertIn("has no point of 'nothing_at_all' in that time",
                      self.refused("--cpu", "nothing_at_all"))

    def test_series_that_name_no_instance_teach_how_to_ask(self):
        message = self.refused("--cpu", "sum(used_cores)")
        self.assertIn("it needs the labels service and instance; ask for `sum by (service, "
                      "instance) (...)`", message)
        message = self.refused("--cpu", "used_cores")
        self.assertIn("two series of cpu are of the instance web/0", message)

    def test_where_no_server_is(self):
        self.assertIn("http://127.0.0.1:1/api/v1/query_range: ",
                      self.refused("--cpu", "x", address="http://127.0.0.1:1"))
        self.assertIn("is an address as http://localhost:9090",
                      self.refused("--cpu", "x", address="localhost:9090"))
        self.assertIn("is it the address of a server",
                      self.refused("--cpu", "x", address=self.address + "/nowhere"))
        self.assertIn("give a query with --cpu, --memory, or both", self.refused())
        self.assertIn("take longer steps", self.refused("--cpu", "x", "--step", "1s",
                                                        last="3650d"))
        self.assertFalse(list(self.folder.glob("*.part")))

    def test_a_token_is_sent(self):
        (self.folder / "token").write_text("secret\n")
        with guarded(self.address, "secret") as door:
            asked = ("--memory", "used_bytes", "--step", "1h")
            self.assertIn("give it a token with --token-file", self.refused(*asked, address=door))
            done = self.run_import(*asked, "--token-file", "token", address=door)
            self.assertEqual(done.returncode, OK, done.stderr)

    def test_over_tls_by_a_certificate_that_is_trusted(self):
        certificates.make_all(self.folder)
        (self.folder / "web.yml").write_text(
            "tls_server_config: {cert_file: server.pem, key_file: server.key}\n")
        context = ssl.create_default_context(cafile=self.folder / "ours.pem")
        series = {("used_bytes", 'service="web",instance="0"'): [(BEGIN, 5)]}
        with one_prometheus(series, f"--web.config.file={self.folder}/web.yml", scheme="https",
                            context=context) as address:
            asked = ("--memory", "used_bytes", "--step", "1m")
            self.assertIn("certificate", self.refused(*asked, address=address))
            self.assertIn("certificate", self.refused(*asked, "--ca", "theirs.pem",
                                                      address=address))
            done = self.run_import(*asked, "--ca", "ours.pem", address=address)
            self.assertEqual(done.returncode, OK, done.stderr)


if __name__ == "__main__":
    unittest.main()
