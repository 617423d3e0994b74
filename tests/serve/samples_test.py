"""Samples of usage and load: taken in batches, read back, kept over restarts."""
import json
import time
import unittest

import grpc

from api import OK, Server, ServerCase, eventually, generated, service

pb, stubs = generated()


class Samples(ServerCase):
    def send(self, server, subject, metric, *points):
        got = server.call("PutSamples", {"series": [
            {"subject": subject, "metric": metric,
             "points": [{"at_ms": at, "value": value} for at, value in points]}]})
        self.assertEqual(got.code, 200, got.text)
        return got.json

    def windows(self, server, subject, metric):
        query = f"?subject={subject}&metric={metric}"
        return server.call("ListSamples", query=query).json["windows"]

    def test_are_there_after_a_restart(self):
        now = int(time.time() * 1000)
        with Server(self.folder, store="rocksdb:zone") as server:
            self.accepted(server.call("CreateService", {"service": service("web")}))
            self.send(server, "web/0", "cpu_milli", (now - 3_600_000, 100), (now, 300))
            before = self.windows(server, "web%2F0", "cpu_milli")
            self.assertEqual([window["max"] for window in before], [100, 300])
        with Server(self.folder, store="rocksdb:zone", fleet=None) as server:
            self.assertEqual(self.windows(server, "web%2F0", "cpu_milli"), before)
            # The same again, as a client does that had no answer.
            again = self.send(server, "web/0", "cpu_milli", (now - 3_600_000, 100), (now, 300))
            self.assertEqual((again["taken"], again["left_out"]), ("0", "2"))
            self.assertEqual(self.windows(server, "web%2F0", "cpu_milli"), before)

    def test_of_a_range_are_asked_for_in_the_query(self):
        server = self.serve()
        self.accepted(server.call("CreateService", {"service": service("web")}))
        window = int(time.time() * 1000) // 300_000 * 300_000
        self.send(server, "web", "load", *((window - ago * 300_000, ago) for ago in (3, 2, 1)))
        got = server.get(f"/v1/samples?subject=web&metric=load&from_ms={window - 600_000}"
                         f"&to_ms={window - 270_000}")
        self.assertEqual(got.code, 200, got.text)
        self.assertEqual([one["mean"] for one in got.json["windows"]], [2, 1])

    def learnt(self, server):
        lines = server.get("/metrics").text.splitlines()
        return {name: float(value) for name, value in
                (line.split() for line in lines if line.startswith("berth_demand_"))}

    def test_of_those_that_end_are_learnt_from(self):
        with Server(self.folder, "--learn", store="rocksdb:zone") as server:
            for name in ("web", "api", "idle"):
                self.accepted(server.call("CreateService", {"service": service(name)}))
            for name in ("web", "api"):
                self.send(server, f"{name}/0", "cpu_milli", (0, 300))
            self.accepted(server.call("DeleteService", name="web"))
            self.accepted(server.call("DeleteService", name="idle"))  # Nobody knows what it took.
            ended = [{"instance": "api/0", "what": "STOPPED"}]
            self.assertEqual(server.call("ReportInstances", {"reports": ended}).json,
                             {"errors": [""]})
            eventually(lambda: self.learnt(server)["berth_demand_learnt_total"] == 2)
        with Server(self.folder, "--learn", store="rocksdb:zone", fleet=None) as server:
            self.assertEqual(self.learnt(server)["berth_demand_models"], 2)
        with Server(self.folder, store="rocksdb:zone", fleet=None) as server:
            self.assertEqual(self.learnt(server)["berth_demand_models"], 0)

    def test_stay_when_their_service_goes(self):
        server = self.serve()
        self.accepted(server.call("CreateService", {"service": service("web")}))
        self.send(server, "web", "load", (0, 5))
        self.accepted(server.call("DeleteService", name="web"))
        self.assertEqual(len(self.windows(server, "web", "load")), 1)
        self.assertIn("there is no service", self.send(server, "web", "load", (0, 5))["errors"][0])

    def test_what_is_no_number_is_refused(self):
        server = self.serve()
        self.accepted(server.call("CreateService", {"service": service("web")}))
        for value in ("NaN", "Infinity"):
            got = self.send(server, "web", "load", (0, value))
            self.assertIn("not a number", got["errors"][0])
        got = self.send(server, "web/0", "memory_bytes", (0, -1))
        self.assertIn("nothing or more", got["errors"][0])

    def test_too_many_at_once_are_refused(self):
        server = self.serve()
        with grpc.insecure_channel(server.grpc) as channel:
            stub = stubs.BerthStub(channel)
            request = pb.PutSamplesRequest()
            series = request.series.add(subject="web", metric="load")
            for _ in range(10_000):
                series.points.add(value=1)
            with self.assertRaises(grpc.RpcError) as raised:
                stub.PutSamples(request, timeout=60)
        self.assertEqual(raised.exception.code(), grpc.StatusCode.INVALID_ARGUMENT)
        self.assertIn("10000 are the most", raised.exception.details())

    def test_the_command_line_shows_them(self):
        server = self.serve()
        self.accepted(server.call("CreateService", {"service": service("web")}))
        self.send(server, "web", "load", (0, 5))
        self.send(server, "web/0", "cpu_milli", (0, 250))
        done = server.client("get", "series", "--json")
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(json.loads(done.stdout), [{"subject": "web", "metric": "load"},
                                                   {"subject": "web/0", "metric": "cpu_milli"}])
        done = server.client("get", "samples", "web/0", "cpu_milli", "--json")
        self.assertEqual([row["mean"] for row in json.loads(done.stdout)], [250])


if __name__ == "__main__":
    unittest.main()
