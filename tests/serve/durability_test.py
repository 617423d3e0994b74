"""A key decides once, and what was answered is there: after a retry, a stop, a kill."""
import collections
import signal
import threading
import unittest

import grpc

from api import REFUSED, ServerCase, berth, eventually, generated, service, stored_instances

pb, stubs = generated()


class Keys(ServerCase):
    STORE = "rocksdb:data"

    def create(self, server, name="web", key="k"):
        return server.call("CreateService", {"service": service(name, 2), "idempotency_key": key})

    def instances(self, server):
        return server.call("ListInstances", query="?page_size=1000").json["instances"]

    def test_a_key_decides_once_also_after_a_kill(self):
        with_key = {"service": service("web", 2), "idempotency_key": "k"}
        server = self.serve(store=self.STORE)
        first = self.accepted(server.call("CreateService", with_key))
        self.assertFalse(first["duplicate"])
        placed = self.instances(server)
        again = self.accepted(server.call("CreateService", with_key))
        self.assertTrue(again["duplicate"])
        self.assertEqual(again["decision"], first["decision"])
        self.assertEqual(again["revision"], first["revision"])
        self.assertEqual(self.instances(server), placed)
        server.stop(signal.SIGKILL)

        server = self.serve(store=self.STORE)
        after = self.accepted(server.call("CreateService", with_key))
        self.assertTrue(after["duplicate"])
        self.assertEqual(after["decision"], first["decision"])
        self.assertEqual(after["revision"], first["revision"])
        self.assertEqual(self.instances(server), placed)
        self.refuses(self.create(server, name="other"), 400, "invalid_argument",
                     "used before for a different request")
        self.refuses(server.call("GetService", name="other"), 404, "not_found")

    def test_a_refusal_is_remembered_too(self):
        server = self.serve()
        body = {"service": service("huge", 2000), "idempotency_key": "h"}
        first = server.call("CreateService", body).json
        again = server.call("CreateService", body).json
        self.assertEqual((first["accepted"], again["accepted"]), (False, False))
        self.assertTrue(again["duplicate"])
        self.assertEqual(again["decision"], first["decision"])
        self.assertEqual(again["revision"], first["revision"])

    def test_every_call_that_changes_something_takes_a_key(self):
        server = self.serve()
        self.accepted(self.create(server, key="c"))
        limit = {"cpu_milli": "1000", "memory_bytes": "1024"}
        text = "# Ours.\n" + server.call("GetPolicy").json["text"]
        for call, body, fields in (
                ("ScaleService", {"groups": [{"type": "D2", "count": 3}]}, {"name": "web"}),
                ("ResizeService", {"type": "D2", "limit": limit}, {"name": "web"}),
                ("CordonMachine", {}, {"name": "c1-0020"}),
                ("DrainMachine", {}, {"name": "c1-0021"}),
                ("FailMachine", {}, {"name": "c1-0022"}),
                ("RestoreMachine", {}, {"name": "c1-0022"}),
                ("ChangeFleet", {"tenants": [{"name": "new"}]}, {}),
                ("ApplyPolicy", {"text": text}, {})):
            with self.subTest(call=call):
                body = {**body, "idempotency_key": call}
                first = self.accepted(server.call(call, body, **fields))
                again = self.accepted(server.call(call, body, **fields))
                self.assertEqual((first["duplicate"], again["duplicate"]), (False, True))
                self.assertEqual(first["decision"], again["decision"])
        for call, fields in (("DeleteService", {"name": "web"}),
                             ("RemoveMachine", {"name": "c1-0023"})):
            with self.subTest(call=call):
                query = f"?idempotency_key={call}"
                first = self.accepted(server.call(call, query=query, **fields))
                again = self.accepted(server.call(call, query=query, **fields))
                self.assertEqual((first["duplicate"], again["duplicate"]), (False, True))
                self.assertEqual(first["decision"], again["decision"])
        self.refuses(server.call("RemoveMachine", query="?idempotency_key=other", name="c1-0023"),
                     404, "not_found")

    def test_reports_take_a_key(self):
        server = self.serve()
        self.accepted(self.create(server))
        body = {"reports": [{"instance": "web/0", "what": "FAILED"}], "idempotency_key": "r"}
        for _ in range(2):
            self.assertEqual(server.call("ReportInstances", body).json, {"errors": [""]})
        failures = {i["id"]: i["failures"] for i in self.instances(server)}
        self.assertEqual(failures["web/0"], 1)


class Creators:
    """Threads that create services until the server is gone, and keep what was acknowledged."""

    WORKERS = 6

    def __init__(self, server):
        self.acknowledged = {}
        self.stub = stubs.BerthStub(grpc.insecure_channel(server.grpc))
        self.workers = [threading.Thread(target=self.run, args=(worker,))
                        for worker in range(self.WORKERS)]
        for worker in self.workers:
            worker.start()

    def run(self, worker):
        # Types without a quota in the way: the default tenant has none.
        for i in range(100_000):
            name = f"w{worker}-{i}"
            request = pb.CreateServiceRequest(
                service=pb.Service(name=name, tenant="default",
                                   groups=[pb.Group(type="small", count=2)]),
                idempotency_key=name)
            try:
                outcome = self.stub.CreateService(request, timeout=60)
            except grpc.RpcError:
                return
            if outcome.accepted:
                self.acknowledged[name] = {p.instance: p.machine for p in outcome.decision.placed}

    def wait_for(self, count):
        eventually(lambda: len(self.acknowledged) >= count, f"{count} services are acknowledged")

    def join(self):
        for worker in self.workers:
            worker.join()


class Ends(ServerCase):
    STORE = "rocksdb:data"

    def start(self):
        server = self.serve("--agents", "2", store=self.STORE)
        self.accepted(server.call(
            "ChangeFleet", {"types": [{"name": "small", "size": {"cpu_milli": 1}}]}))
        creators = Creators(server)
        creators.wait_for(60)
        return server, creators

    def check(self, acknowledged):
        found = collections.defaultdict(dict)
        for row in stored_instances(self.folder, "data"):
            name, number = row["instance"].split("/")
            self.assertNotIn(int(number), found[name])
            found[name][int(number)] = row["machine"]
        for name, placed in acknowledged.items():
            self.assertEqual(found[name], placed)
        for name, placed in found.items():
            self.assertEqual(sorted(placed), [0, 1], name)

    def test_sigterm_finishes_what_runs_and_keeps_what_was_acknowledged(self):
        server, creators = self.start()
        self.assertEqual(server.stop(signal.SIGTERM), 0)
        creators.join()
        self.assertIn("Stopping", server.said[-1])
        self.assertEqual(server.audit()[-1]["event"], "stopped")
        self.check(creators.acknowledged)
        again = self.serve(store=self.STORE, fleet=None)
        for name in creators.acknowledged:
            self.assertEqual(again.call("GetService", name=name).code, 200)

    def test_sigint_is_as_good(self):
        server = self.serve(store=self.STORE)
        self.assertEqual(server.stop(signal.SIGINT), 0)

    def test_sigkill_loses_nothing_acknowledged_and_places_nothing_twice(self):
        server, creators = self.start()
        server.stop(signal.SIGKILL)
        creators.join()
        self.check(creators.acknowledged)
        again = self.serve(store=self.STORE, fleet=None)
        name, placed = next(iter(creators.acknowledged.items()))
        retried = self.accepted(again.call("CreateService", {
            "service": {"name": name, "tenant": "default",
                        "groups": [{"type": "small", "count": 2}]}, "idempotency_key": name}))
        self.assertTrue(retried["duplicate"])
        self.assertEqual({p["instance"]: p["machine"] for p in retried["decision"]["placed"]},
                         placed)

    def test_a_store_that_is_served_is_not_served_again(self):
        self.serve(store=self.STORE)
        done = berth("serve", "--store", self.STORE, "--listen", "127.0.0.1:0", cwd=self.folder)
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("another berth uses data", done.stderr)


if __name__ == "__main__":
    unittest.main()
