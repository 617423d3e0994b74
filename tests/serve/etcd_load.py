"""Load from a process of its own: creates, scales and deletes services at several servers.

    etcd_load.py JOURNAL RUN SEED ADDRESS...

Every call has a key and is repeated under it, at another server each time, until one answers; some
are repeated although they were answered. Each answer is a line in the journal before anything else
is done. Ends what it began when its input is closed.
"""
import json
import random
import sys
import threading
import time

import grpc

from api import generated

pb, stubs = generated()

WORKERS = 8
SERVICES_EACH = 3  # At most so many at a time.
INSTANCES_MAX = 3
PAUSE_SECONDS = 0.005
AGAIN_SECONDS = 0.05
CALL_SECONDS = 1  # Not long: many of its calls are done although it gave up on them.
# Short, so that a server which returns is soon found.
CHANNEL = [("grpc.min_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 500),
           ("grpc.initial_reconnect_backoff_ms", 100)]
WORTH_ANOTHER_TRY = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED,
                     grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.ABORTED,
                     grpc.StatusCode.CANCELLED,
                     # This server has not heard yet of what another one answered.
                     grpc.StatusCode.NOT_FOUND}


class Journal:
    def __init__(self, path):
        self.file = open(path, "a", buffering=1)
        self.lock = threading.Lock()

    def note(self, **line):
        with self.lock:
            self.file.write(json.dumps(line) + "\n")


class Worker:
    """The only one that touches its services, so it knows what must become of them."""

    def __init__(self, name, seed, servers, journal, ended):
        self.name, self.servers, self.journal, self.ended = name, servers, journal, ended
        self.random = random.Random(seed)
        self.counts = {}
        self.made = 0

    def run(self):
        try:
            while not self.ended.is_set():
                self.one()
                time.sleep(PAUSE_SECONDS)
        except Exception as error:  # pylint: disable=broad-except
            self.journal.note(wrong=f"{self.name}: {error!r}")

    def one(self):
        self.made += 1
        key = f"{self.name}-{self.made}"
        room = len(self.counts) < SERVICES_EACH
        what = self.random.choice(["create"] * room + ["scale", "delete"] * bool(self.counts))
        service = key if what == "create" else self.random.choice(list(self.counts))
        count = 0 if what == "delete" else self.random.randint(1, INSTANCES_MAX)
        outcome, tries = self.insist(what, service, count, key)
        self.journal.note(what=what, service=service, count=count, key=key, tries=tries,
                          decision=outcome.decision.id, revision=outcome.revision,
                          duplicate=outcome.duplicate,
                          placed={p.instance: p.machine for p in outcome.decision.placed})
        self.counts[service] = count
        if count == 0:
            del self.counts[service]
        if self.random.random() < 0.1:
            again, _ = self.insist(what, service, count, key)
            assert again.duplicate, f"{key} was done again as {again.decision.id}"
            assert again.decision == outcome.decision, f"{key} had two answers"
            self.journal.note(again=key)

    def insist(self, what, service, count, key):
        """The outcome, and how often it was asked for."""
        first = self.random.randrange(len(self.servers))
        for tries in range(1_000_000):
            server = self.servers[(first + tries) % len(self.servers)]
            try:
                outcome = self.call(server, what, service, count, key)
            except grpc.RpcError as error:
                assert error.code() in WORTH_ANOTHER_TRY, f"{key}: {error.details()}"
                self.journal.note(failed=error.code().name, said=error.details())
            else:
                if outcome.accepted:
                    return outcome, tries + 1
                # Nothing was decided if others were first each time.
                assert outcome.decision.refusal.rule == "retries", outcome
                self.journal.note(failed="refused", said=outcome.decision.refusal.because)
            time.sleep(AGAIN_SECONDS)

    @staticmethod
    def call(server, what, service, count, key):
        groups = [pb.Group(type="D2", count=count)]
        if what == "create":
            made = pb.Service(name=service, tenant="default", groups=groups)
            return server.CreateService(
                pb.CreateServiceRequest(service=made, idempotency_key=key), timeout=CALL_SECONDS)
        if what == "scale":
            return server.ScaleService(
                pb.ScaleServiceRequest(name=service, groups=groups, idempotency_key=key),
                timeout=CALL_SECONDS)
        return server.DeleteService(
            pb.DeleteServiceRequest(name=service, idempotency_key=key), timeout=CALL_SECONDS)


def main(path, run, seed, *addresses):
    journal, ended = Journal(path), threading.Event()
    servers = [stubs.BerthStub(grpc.insecure_channel(address, CHANNEL)) for address in addresses]
    workers = [Worker(f"{run}.{number}", f"{seed} {number}", servers, journal, ended)
               for number in range(WORKERS)]
    threads = [threading.Thread(target=worker.run) for worker in workers]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    ended.set()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
