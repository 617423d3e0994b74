"""The API over gRPC, by a plain client that protoc generates from the proto."""
import contextlib
import struct
import subprocess
import threading
import unittest

import grpc

from api import CALLS, OneServerCase, ServerCase, eventually, generated

pb, stubs = generated()
CODES = grpc.StatusCode


def create_request(name, count=1, key="", kind="D2"):
    return pb.CreateServiceRequest(
        service=pb.Service(name=name, tenant="acme", groups=[pb.Group(type=kind, count=count)]),
        idempotency_key=key)


class GrpcCase(OneServerCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.channel = cls.all.enter_context(grpc.insecure_channel(cls.server.grpc))
        cls.stub = stubs.BerthStub(cls.channel)

    def fails(self, code, call, request, *parts, **more):
        with self.assertRaises(grpc.RpcError) as raised:
            call(request, **more)
        self.assertEqual(raised.exception.code(), code, raised.exception.details())
        for part in parts:
            self.assertIn(part, raised.exception.details())
        return raised.exception


class Calls(GrpcCase):
    def test_create_scale_resize_delete(self):
        created = self.stub.CreateService(create_request("web", 2))
        self.assertTrue(created.accepted)
        self.assertEqual(len(created.decision.placed), 2)
        scaled = self.stub.ScaleService(pb.ScaleServiceRequest(
            name="web", groups=[pb.Group(type="D2", count=3)]))
        self.assertTrue(scaled.accepted)
        self.assertGreater(scaled.revision, created.revision)
        resized = self.stub.ResizeService(pb.ResizeServiceRequest(
            name="web", type="D2", limit=pb.Resources(cpu_milli=1000, memory_bytes=1 << 30)))
        self.assertTrue(resized.accepted)
        state = self.stub.GetService(pb.GetServiceRequest(name="web"))
        self.assertEqual([i.id for i in state.instances], ["web/0", "web/1", "web/2"])
        self.assertEqual({i.limit.cpu_milli for i in state.instances}, {1000})
        self.assertTrue(self.stub.DeleteService(pb.DeleteServiceRequest(name="web")).accepted)
        self.fails(CODES.NOT_FOUND, self.stub.GetService, pb.GetServiceRequest(name="web"), "'web'")

    def test_every_call_of_the_proto_has_a_stub_and_is_known(self):
        for name in CALLS:
            with self.subTest(call=name):
                call = getattr(self.stub, name)
                request = pb.DESCRIPTOR.services_by_name["Berth"].methods_by_name[name].input_type
                empty = getattr(pb, request.name)()
                try:
                    answer = call(empty, timeout=30)
                    if name.startswith("Watch"):
                        first = next(answer)
                        answer.cancel()
                    if name == "Watch":
                        self.assertEqual(first.revision, 1)
                except grpc.RpcError as error:
                    self.assertIn(error.code(), (CODES.INVALID_ARGUMENT, CODES.NOT_FOUND,
                                                 CODES.FAILED_PRECONDITION))

    def test_http_and_grpc_say_the_same(self):
        self.assertTrue(self.stub.CreateService(create_request("same", 2)).accepted)
        over_http = self.server.call("GetService", name="same").json
        over_grpc = self.stub.GetService(pb.GetServiceRequest(name="same"))
        self.assertEqual([(i["id"], i["machine"]) for i in over_http["instances"]],
                         [(i.id, i.machine) for i in over_grpc.instances])

    def test_errors_have_the_right_codes(self):
        stub = self.stub
        self.fails(CODES.INVALID_ARGUMENT, stub.CreateService, create_request("a b"), "not a name")
        self.fails(CODES.INVALID_ARGUMENT, stub.CreateService, create_request("w", 2001), "2000")
        self.fails(CODES.NOT_FOUND, stub.CreateService, create_request("w", kind="D9"), "'D9'")
        self.fails(CODES.NOT_FOUND, stub.GetMachine, pb.GetMachineRequest(name="none"))
        self.fails(CODES.INVALID_ARGUMENT, stub.ListMachines,
                   pb.ListMachinesRequest(page_size=2000))
        self.fails(CODES.INVALID_ARGUMENT, stub.ApplyPolicy, pb.ApplyPolicyRequest(text="x: 1"))
        self.assertTrue(stub.CreateService(create_request("twice", key="first")).accepted)
        self.fails(CODES.INVALID_ARGUMENT, stub.CreateService, create_request("other", key="first"),
                   "used before")
        nothing = self.channel.unary_unary("/berth.v1.Berth/Fly", lambda text: text)
        self.fails(CODES.UNIMPLEMENTED, nothing, b"", "there is no call /berth.v1.Berth/Fly")
        garbled = self.channel.unary_unary("/berth.v1.Berth/CreateService", lambda text: text)
        self.fails(CODES.INVALID_ARGUMENT, garbled, b"\xff\xff\xff", "no CreateServiceRequest")
        self.fails(CODES.RESOURCE_EXHAUSTED, stub.ValidatePolicy,
                   pb.ValidatePolicyRequest(text="#" * (5 << 20)))

    def test_a_refusal_is_an_answer(self):
        refused = self.stub.CreateService(create_request("huge", 2000))
        self.assertFalse(refused.accepted)
        self.assertTrue(refused.decision.refusal.because)
        self.assertTrue(refused.decision.refusal.cure)


class Deadlines(GrpcCase):
    def post(self, name, *headers):
        """A create as bytes on the wire, and the bytes of its answer: no client library sends a
        deadline as short as we want it."""
        message = create_request(name).SerializeToString()
        framed, answer = self.folder / "framed", self.folder / "answer"
        framed.write_bytes(struct.pack(">BI", 0, len(message)) + message)
        answer.write_bytes(b"")
        command = ["curl", "--silent", "--http2-prior-knowledge", "--data-binary", f"@{framed}",
                   "--output", answer, f"http://{self.server.grpc}/berth.v1.Berth/CreateService"]
        for header in ("te: trailers", "content-type: application/grpc", *headers):
            command += ["--header", header]
        subprocess.run(command, timeout=60, check=False)
        return answer.read_bytes()

    def is_there(self, name):
        try:
            return bool(self.stub.GetService(pb.GetServiceRequest(name=name)).instances)
        except grpc.RpcError as error:
            self.assertEqual(error.code(), CODES.NOT_FOUND)
            return False

    @contextlib.contextmanager
    def busy(self):
        """Keeps the thread that decides from its next call for a while, time and again."""
        over = threading.Event()
        text = "#" * (1 << 19) + "\nallocate: {rules: [fits]}\n"

        def ask():
            while not over.is_set():
                self.stub.ValidatePolicy(pb.ValidatePolicyRequest(text=text), timeout=60)
        asking = [threading.Thread(target=ask) for _ in range(3)]
        for thread in asking:
            thread.start()
        try:
            yield
        finally:
            over.set()
            for thread in asking:
                thread.join()

    def test_an_expired_call_does_nothing(self):
        names = (f"late-{i}" for i in range(10_000))

        def expired():
            name = next(names)
            answered = self.post(name, "grpc-timeout: 1n")
            there = self.is_there(name)
            self.assertTrue(there or not answered)
            return not there
        with self.busy():
            eventually(expired, "a call came too late")

    def test_the_same_message_without_a_deadline_is_done(self):
        self.assertTrue(self.post("early"))
        self.assertTrue(self.is_there("early"))

    def test_a_client_that_gave_up_sees_it_and_the_server_goes_on(self):
        try:
            self.stub.ListMachines(pb.ListMachinesRequest(page_size=1000), timeout=0.000001)
        except grpc.RpcError as error:
            self.assertEqual(error.code(), CODES.DEADLINE_EXCEEDED)
        self.assertTrue(self.stub.Health(pb.HealthRequest(), timeout=60).ready)


class Watch(ServerCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve("--agents", "3")
        self.channel = self.place.enter_context(grpc.insecure_channel(self.server.grpc))
        self.stub = stubs.BerthStub(self.channel)

    def take(self, stream, last):
        seen = []
        for commit in stream:
            seen.append(commit)
            if commit.revision >= last:
                break
        stream.cancel()
        return seen

    def test_sees_every_revision_once_in_order_while_services_are_created(self):
        stream = self.stub.Watch(pb.WatchRequest(), timeout=60)
        first = next(stream)
        self.assertEqual(first.revision, 1)
        outcomes = []

        def create(worker):
            for i in range(10):
                outcomes.append(self.stub.CreateService(create_request(f"w{worker}-{i}")))
        workers = [threading.Thread(target=create, args=(worker,)) for worker in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        last = max(outcome.revision for outcome in outcomes)
        seen = [first, *self.take(stream, last)]
        self.assertEqual([commit.revision for commit in seen], list(range(1, last + 1)))
        made = [update.service.name for commit in seen for update in commit.updates
                if update.WhichOneof("record") == "service"]
        self.assertEqual(sorted(made), sorted(f"w{w}-{i}" for w in range(4) for i in range(10)))
        middle = last // 2
        resumed = self.take(self.stub.Watch(pb.WatchRequest(**{"from": middle}), timeout=60), last)
        self.assertEqual(resumed, seen[middle:])

    def test_a_revision_that_never_was_says_where_to_begin_and_ends(self):
        stream = self.stub.Watch(pb.WatchRequest(**{"from": 999999}), timeout=60)
        self.assertGreater(next(stream).compacted, 0)
        with self.assertRaises(grpc.RpcError) as raised:
            next(stream)
        self.assertEqual(raised.exception.code(), CODES.OUT_OF_RANGE)
        self.assertIn("read everything anew", raised.exception.details())

    def test_a_server_that_stops_says_so(self):
        stream = self.stub.Watch(pb.WatchRequest(), timeout=60)
        self.assertEqual(next(stream).revision, 1)
        self.assertEqual(self.server.stop(), 0)
        with self.assertRaises(grpc.RpcError) as raised:
            while True:
                next(stream)
        self.assertEqual(raised.exception.code(), CODES.UNAVAILABLE)
        self.assertIn("stopping", raised.exception.details())


if __name__ == "__main__":
    unittest.main()
