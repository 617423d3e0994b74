"""Every command's help, and every example in it.

    BERTH_BINARY_DIR=build/dev python3 -m unittest -v tests/cli/help_test.py
"""
import shlex
import signal
import sys
import time
import unittest

from one_prometheus import one_prometheus
from program import OK, SOURCE, berth, commands, examples, help_of, workplace

sys.path.append(str(SOURCE / "tests/serve"))
from api import Server, eventually, service  # noqa: E402, in the folder just named.


def prometheus_of_today():
    """With the series that the examples ask for."""
    labels = 'service="web",instance="0"'
    now = int(time.time())
    minutes = range(now - 24 * 3600, now, 60)
    return one_prometheus({
        ("process_cpu_seconds_total", labels): [(at, 0.1 * (at - minutes[0])) for at in minutes],
        ("process_resident_memory_bytes", labels): [(at, 1_000_000) for at in minutes]})


class Help(unittest.TestCase):
    def test_every_command_and_group_has_help_with_an_example(self):
        paths = {command[:depth] for command in commands() for depth in range(len(command) + 1)}
        self.assertGreater(len(paths), 10)
        for path in sorted(paths):
            with self.subTest(path=path):
                self.assertEqual(help_of(path).returncode, OK, help_of(path).stderr)
                self.assertIn("Usage: berth", help_of(path).stdout)
                self.assertTrue(examples(path))

    def test_every_example_runs(self):
        listed = [example for command in commands() for example in examples(command)]
        self.assertGreater(len(listed), 10)
        # Stores are made before they are read, and the policy that examples are about goes last.
        listed.sort(key=lambda example: (not example.startswith("berth scenario run"),
                                         example.startswith("berth policy apply")))
        with workplace() as folder, Server(folder) as server, prometheus_of_today() as address:
            self.send_samples(server)
            for example in listed:
                words = shlex.split(example.replace("http://localhost:9090", address))[1:]
                with self.subTest(example=example):
                    if words[0] == "serve":
                        self.check_served(Server(folder, *words[1:], fleet=None))
                        continue
                    if "--store" not in words and self.asks_a_server(words):
                        words += ["--server", server.grpc]
                    done = berth(*words, cwd=folder)
                    self.assertEqual(done.returncode, OK, done.stdout + done.stderr)

    def send_samples(self, server):
        """Of the service that examples about samples name."""
        server.call("CreateService", {"service": service("shop")})
        before_ms = int(time.time() * 1000) - 2 * 3_600_000
        sent = server.call("PutSamples", {"series": [
            {"subject": "shop", "metric": "requests_per_second",
             "points": [{"at_ms": before_ms, "value": 120}]}]})
        self.assertEqual(sent.json["taken"], "1")
        server.call("ApplyPolicy", {"text": "applications: [{name: shop, services: "
                                            "[{name: shop}], scaling: {autoscaler: hpa}}]"})
        eventually(lambda: server.call("GetPlan", service="shop").json.get("made_ms", "0") != "0",
                   "there is a plan")

    def check_served(self, server):
        with server:
            self.assertEqual(server.get("/v1/health").code, 200)
            self.assertEqual(server.stop(signal.SIGINT), OK)

    def asks_a_server(self, words):
        return "--server" in berth(*words, "--help").stdout


if __name__ == "__main__":
    unittest.main()
