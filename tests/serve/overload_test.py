"""What is too much is turned away at once, with when to come back."""
import contextlib
import socket
import threading
import unittest

import grpc

from api import OneServerCase, ServerCase, eventually, generated

pb, stubs = generated()
BOUND = 4
STREAMS_MAX = 256
MIB = 1 << 20


class CallsInFlight(OneServerCase):
    OPTIONS = ("--in-flight", BOUND)

    @contextlib.contextmanager
    def flood(self):
        """More callers than are let in, each with one call after the other."""
        over = threading.Event()
        text = "#" * (MIB // 2) + "\nallocate: {rules: [fits]}\n"

        def call():
            with grpc.insecure_channel(self.server.grpc) as channel:
                stub = stubs.BerthStub(channel)
                while not over.is_set():
                    with contextlib.suppress(grpc.RpcError):
                        stub.ValidatePolicy(pb.ValidatePolicyRequest(text=text), timeout=60)
        callers = [threading.Thread(target=call) for _ in range(2 * BOUND)]
        for caller in callers:
            caller.start()
        try:
            yield
        finally:
            over.set()
            for caller in callers:
                caller.join()

    def test_http_says_429_and_when_to_retry(self):
        def turned_away():
            got = self.server.call("ListTypes")
            return got if got.code != 200 else None
        with self.flood():
            got = eventually(turned_away, "a call is turned away")
        self.refuses(got, 429, "resource_exhausted", f"{BOUND} calls wait already")
        self.assertEqual(got.headers["retry-after"], "1")
        self.assertEqual(self.server.call("ListTypes").code, 200)

    def test_grpc_says_resource_exhausted_and_when_to_retry(self):
        with self.flood(), grpc.insecure_channel(self.server.grpc) as channel:
            stub = stubs.BerthStub(channel)

            def turned_away():
                try:
                    stub.ListTypes(pb.ListTypesRequest(), timeout=60)
                except grpc.RpcError as error:
                    return error
                return None
            error = eventually(turned_away, "a call is turned away")
        self.assertEqual(error.code(), grpc.StatusCode.RESOURCE_EXHAUSTED, error.details())
        self.assertIn(("retry-after", "1"), list(error.trailing_metadata()))


class Rate(ServerCase):
    def test_a_caller_over_its_rate_is_turned_away_and_others_are_not(self):
        (self.folder / "tokens").write_text(
            "tokens:\n  - {name: busy, role: read, token: busy-0123456789ab}\n"
            "  - {name: calm, role: read, token: calm-0123456789ab}\n")
        server = self.serve("--rate", "1", "--tokens", "tokens")

        def call(name, called="ListTypes"):
            return server.call(called, None, "--header",
                               f"Authorization: Bearer {name}-0123456789ab")

        def turned_away():
            got = call("busy")
            return got if got.code != 200 else None
        got = eventually(turned_away, "a call is turned away")
        self.refuses(got, 429, "resource_exhausted", "more than 1 calls a second from busy")
        self.assertEqual(got.headers["retry-after"], "1")
        self.assertEqual(call("calm").code, 200)
        self.assertEqual(call("busy", "Health").code, 200)


def connect(server):
    host, port = server.http.split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def ask(client, target):
    client.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())


class Connections(ServerCase):
    def test_more_wait_until_one_closes(self):
        server = self.serve("--connections", "3")
        held = [connect(server) for _ in range(3)]
        for client in held:
            ask(client, "/v1/health")
            self.assertIn(b"200 OK", client.recv(65536))
        with connect(server) as waiting:
            ask(waiting, "/v1/health")
            # Those that are let in are answered meanwhile, and the one that waits is not.
            for client in held:
                ask(client, "/v1/health")
                self.assertIn(b"200 OK", client.recv(65536))
            waiting.setblocking(False)
            with self.assertRaises(BlockingIOError):
                waiting.recv(1)
            waiting.settimeout(60)
            held.pop().close()
            self.assertIn(b"200 OK", waiting.recv(65536))
        for client in held:
            client.close()

    def test_streams_are_counted_and_let_go(self):
        server = self.serve()
        clients = []
        for _ in range(STREAMS_MAX):
            clients.append(connect(server))
            ask(clients[-1], "/v1/watch")
            self.assertIn(b"200 OK", clients[-1].recv(1024))
        got = server.call("Watch")
        self.refuses(got, 429, "resource_exhausted", f"{STREAMS_MAX} streams are open already")
        for client in clients:
            client.close()


class SlowReaders(ServerCase):
    """They are told everything in the end, and everybody else goes on meanwhile."""

    COMMITS = 64  # Of over a MiB each: more than waits for a reader and than sockets hold.
    LABELS = {f"{i:03}" + "x" * 125: "y" * 128 for i in range(60)}

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.channel = self.place.enter_context(grpc.insecure_channel(self.server.grpc))
        self.stub = stubs.BerthStub(self.channel)

    def commit_much(self):
        machine = self.stub.GetMachine(pb.GetMachineRequest(name="c1-0001")).machine
        machine.labels.update(self.LABELS)
        machines = []
        for i in range(80):
            machines.append(pb.Machine())
            machines[-1].CopyFrom(machine)
            machines[-1].name = f"much-{i}"
        change = pb.ChangeFleetRequest(machines=machines)
        self.assertGreater(change.ByteSize(), MIB)
        for _ in range(self.COMMITS):
            self.assertTrue(self.stub.ChangeFleet(change, timeout=60).accepted)

    def test_over_http(self):
        # The sockets keep their sizes: the kernel feeds a window that was once tiny by drops.
        with connect(self.server) as slow:
            ask(slow, "/v1/watch")
            said = slow.recv(1)
            self.commit_much()
            last = int(self.server.call("Health").json["revision"])
            revisions = []
            while not revisions or revisions[-1] < last:
                got = slow.recv(MIB)
                self.assertTrue(got, said)
                said += got
                lines = said.split(b"\n")
                said = lines.pop()
                revisions += [int(line[4:]) for line in lines if line.startswith(b"id: ")]
        self.assertEqual(revisions, list(range(1, last + 1)))

    def test_over_grpc(self):
        options = [("grpc.http2.lookahead_bytes", 16384), ("grpc.http2.bdp_probe", 0)]
        with grpc.insecure_channel(self.server.grpc, options=options) as channel:
            stream = stubs.BerthStub(channel).Watch(pb.WatchRequest(), timeout=60)
            revisions = [next(stream).revision]
            self.commit_much()
            last = int(self.server.call("Health").json["revision"])
            while revisions[-1] < last:
                revisions.append(next(stream).revision)
            stream.cancel()
        self.assertEqual(revisions, list(range(1, last + 1)))


if __name__ == "__main__":
    unittest.main()
