"""Two servers over three members of etcd, under load: one dies, is cut off, has no room left.

Nothing that was acknowledged is lost or doubled, and service returns. BERTH_SEED repeats a run.
"""
import namespaces

namespaces.enter_own()  # Before gRPC has threads.

# pylint: disable=wrong-import-position
import collections
import contextlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import grpc

from api import BERTH, FLEET, OK, Server, berth, eventually, generated, service
from etcd_cluster import Cluster

pb, stubs = generated()

QUOTA_BYTES = 32 << 20
DISK_BYTES = 224 << 20  # etcd reserves twice 64 MiB for its log; the rest is for its database.
PORT = 7400
GOES_ON = 50  # So many more acknowledged calls.


class Watcher(threading.Thread):
    """Follows a server from the first revision on, also when it dies and returns."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.stub = stubs.BerthStub(grpc.insecure_channel(address))
        self.commits, self.wrong = [], None
        self.start()

    @property
    def last(self):
        return len(self.commits)

    def run(self):
        while self.wrong is None:
            with contextlib.suppress(grpc.RpcError):
                self.follow()
            time.sleep(0.1)

    def follow(self):
        for commit in self.stub.Watch(pb.WatchRequest(**{"from": self.last})):
            if commit.revision != self.last + 1:
                self.wrong = f"after {self.last} came {commit.revision}"
                return
            self.commits.append(commit)


class Load:
    """The process that asks for something all the time, and what it was answered."""

    def __init__(self, journal, run, seed, addresses):
        self.journal = journal
        journal.touch()
        program = pathlib.Path(__file__).parent / "etcd_load.py"
        self.process = subprocess.Popen(
            [sys.executable, "-B", program, journal, run, str(seed), *addresses],
            stdin=subprocess.PIPE)

    def lines(self):
        # The last one may not be whole yet.
        lines = [json.loads(line) for line in self.journal.read_text().splitlines(True)
                 if line.endswith("\n")]
        wrong = [line["wrong"] for line in lines if "wrong" in line]
        assert not wrong, wrong
        return lines

    def acknowledged(self):
        return [line for line in self.lines() if "key" in line]

    def goes_on(self):
        wanted = len(self.acknowledged()) + GOES_ON
        eventually(lambda: len(self.acknowledged()) >= wanted, "the load is answered again")

    def end(self):
        """All that was asked for is answered in the end."""
        self.process.stdin.close()
        assert self.process.wait(60) == 0


class RealThing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.seed = int(os.environ.get("BERTH_SEED") or random.randrange(1 << 32))
        print(f"BERTH_SEED={cls.seed}", file=sys.stderr)
        cls.random = random.Random(cls.seed)
        cls.all = contextlib.ExitStack()
        cls.addClassCleanup(cls.all.close)
        cls.folder = pathlib.Path(cls.all.enter_context(tempfile.TemporaryDirectory()))
        room = cls.all.enter_context(namespaces.Room())
        cls.to_etcd, cls.to_clients = room.cable(), room.cable()
        cls.cluster = Cluster(cls.folder, ["127.0.0.1", cls.to_etcd.here],
                              ["--quota-backend-bytes", str(QUOTA_BYTES)])
        cls.tight = cls.cluster.members[-1]
        cls.disk = cls.all.enter_context(namespaces.SmallDisk(cls.tight.folder, DISK_BYTES))
        cls.all.enter_context(cls.cluster)
        cls.store = f"etcd:{cls.cluster.endpoints()}/zone"
        elsewhere = f"etcd:{cls.cluster.endpoints(cls.to_etcd.here)}/zone"
        # One beside etcd, and one in the room.
        cls.starts = [
            lambda: Server(cls.folder, store=cls.store, fleet=FLEET,
                           listen=f"127.0.0.1:{PORT}"),
            lambda: Server(cls.folder, "--insecure", store=elsewhere, fleet=FLEET,
                           listen=f"{cls.to_clients.there}:{PORT}", program=(*room.enter, BERTH))]
        cls.servers = [cls.all.enter_context(start()) for start in cls.starts]
        cls.watchers = [Watcher(server.grpc) for server in cls.servers]
        cls.probes = 0
        cls.acknowledged = []  # Of all loads and probes until now.

    def setUp(self):
        run = self.id().rsplit(".", 1)[-1]
        self.unanswered = []  # Calls whose answer was that it could not be done.
        self.load = Load(self.folder / f"{run}.journal", run, self.random.random(),
                         [server.grpc for server in self.servers])
        self.addCleanup(self.load.process.kill)
        self.load.goes_on()

    # What goes wrong, and what makes it good again.

    def kill_one_server_then_the_other(self):
        for which, start in enumerate(self.starts):
            self.servers[which].stop(signal.SIGKILL)
            self.load.goes_on()
            self.servers[which] = self.all.enter_context(start())

    def kill_the_leader(self):
        leader = self.cluster.leader()
        self.cluster.kill(leader)
        self.load.goes_on()
        self.expect_service()
        self.cluster.start(leader)
        self.cluster.leader()

    def kill_most_members(self):
        leader = self.cluster.leader()
        others = [member for member in self.cluster.members if member is not leader]
        most = [leader, self.random.choice(others)]
        for member in most:
            self.cluster.kill(member)
        for server in self.servers:
            self.expect_no_etcd(server)
        for member in most:
            self.cluster.start(member)
        self.cluster.leader()

    def cut_a_server_off(self):
        self.to_etcd.pull()
        self.expect_no_etcd(self.servers[1])
        self.load.goes_on()
        self.to_etcd.put_back()

    def pull_a_servers_cable_briefly(self):
        """What it has in flight is asked again when it is back."""
        self.to_etcd.pull()
        self.load.goes_on()
        self.to_etcd.put_back()

    def fill_the_leaders_disk(self):
        eventually(lambda: self.cluster.lead(self.tight), f"{self.tight.name} leads")
        self.disk.fill()
        eventually(lambda: self.tight.process.poll() is not None, "the full member gave up")
        self.load.goes_on()
        self.disk.empty()
        self.cluster.start(self.tight)
        self.cluster.leader()

    def exceed_the_quota(self):
        junk = "x" * (1 << 20)
        eventually(lambda: "database space exceeded" in
                   self.cluster.control("put", "junk", input=junk).stderr, "etcd is full")
        for server in self.servers:
            self.assertIn("is full", self.expect_failure(server))
            self.assertEqual(server.call("ListServices").code, 200)
        self.make_room()

    def make_room(self):
        """As docs/operations.md tells operators."""
        self.cluster.insist("del", "junk")
        status = json.loads(self.cluster.insist("endpoint", "status", "--write-out", "json"))
        revision = max(each["Status"]["header"]["revision"] for each in status)
        self.cluster.insist("compact", "--physical", revision)
        self.cluster.insist("defrag")
        self.cluster.insist("alarm", "disarm")

    FAULTS = (kill_one_server_then_the_other, kill_the_leader, pull_a_servers_cable_briefly,
              fill_the_leaders_disk, exceed_the_quota)

    # What must hold whatever went wrong.

    def probe(self):
        type(self).probes += 1
        return f"probe-{self.probes}"

    def create(self, server, name):
        return server.call("CreateService", {
            "service": service(name, tenant="default"), "idempotency_key": name})

    def note(self, name, outcome):
        placed = {p["instance"]: p["machine"] for p in outcome["decision"]["placed"]}
        self.acknowledged.append({
            "what": "create", "service": name, "count": 1, "key": name, "placed": placed,
            "decision": outcome["decision"]["id"], "revision": int(outcome["revision"])})

    def expect_service(self):
        """Every server takes something new, soon."""
        for server in self.servers:
            name = self.probe()
            answer = eventually(lambda: self.taken(server, name), f"{server.http} serves again")
            self.note(name, answer)

    def taken(self, server, name):
        answer = self.create(server, name)
        return answer.json if answer.code == 200 and answer.json["accepted"] else None

    def expect_failure(self, server):
        """What it says of something that it cannot do; that is done elsewhere, or later."""
        name = self.probe()
        failed = self.create(server, name)
        while failed.code == 200:  # It still could.
            self.note(name, failed.json)
            name = self.probe()
            failed = self.create(server, name)
        self.assertIn(failed.code, (429, 503), failed.text)
        self.unanswered.append((server, name))
        return failed.error[1]

    def expect_no_etcd(self, server):
        said = self.expect_failure(server)
        self.assertIn("did not answer within", said)
        self.assertIn("check that it runs and has a leader", said)
        # Who only reads is told what was known last.
        self.assertEqual(server.call("ListServices").code, 200)

    def ask_again(self):
        for server, name in self.unanswered:
            other = self.servers[server is self.servers[0]]
            self.note(name, eventually(lambda: self.taken(other, name), f"{name} is taken"))

    def check(self):
        self.expect_service()
        self.ask_again()
        self.load.end()
        answers = self.load.acknowledged()
        type(self).acknowledged += answers
        self.tell(answers, self.load.lines())
        self.check_members()
        self.check_log()
        self.check_state()
        verified = berth("verify", "--store", self.store)
        self.assertEqual(verified.returncode, OK,
                         f"{verified.stdout}{verified.stderr}")

    def check_members(self):
        """If they never agree, etcd itself is damaged, and nothing else can hold."""
        found = []

        def agree():
            found[:] = [self.cluster.disagreements()]
            return not found[0]
        try:
            eventually(agree, "the members of etcd hold the same")
        except AssertionError:
            some = dict(list(found[0].items())[:20])
            self.fail(f"etcd's members do not hold the same of {len(found[0])} keys, as {some}")

    @staticmethod
    def tell(answers, lines):
        """How much this test had to do with."""
        failed = collections.Counter(line["failed"] for line in lines if "failed" in line)
        print(f"\n{len(answers)} calls answered, "
              f"{sum(answer['tries'] > 1 for answer in answers)} of them asked again until then, "
              f"of which {sum(answer['duplicate'] for answer in answers)} had been done; "
              f"{sum('again' in line for line in lines)} asked again although answered; "
              f"{dict(failed)}", file=sys.stderr, end=" ")

    def check_log(self):
        """Both tell every revision once and in order, and in them each answer once."""
        revisions = eventually(self.agreed_revision, "both servers are at the same revision")
        for watcher in self.watchers:
            eventually(lambda: watcher.wrong or watcher.last == revisions, "the watch is told all")
            self.assertIsNone(watcher.wrong)
        self.assertEqual(*(watcher.commits for watcher in self.watchers))
        told = collections.defaultdict(list)
        for commit in self.watchers[0].commits:
            for update in commit.updates:
                if update.WhichOneof("record") == "decision":
                    told[update.decision.subject].append((update.decision.id, commit.revision))
        answered = collections.defaultdict(list)
        for line in self.acknowledged:
            answered[line["service"]].append((line["decision"], line["revision"]))
        for name, decisions in answered.items():
            self.assertEqual([id for id, _ in decisions], [id for id, _ in told[name]], name)
            for (_, said), (_, is_at) in zip(decisions, told[name]):
                self.assertIn(said, (is_at, 0))  # 0: the answer came at a later try.

    def agreed_revision(self):
        revisions = {int(server.call("Health").json["revision"]) for server in self.servers}
        return revisions.pop() if len(revisions) == 1 else None

    def check_state(self):
        """Both servers and etcd itself hold what was acknowledged, and nothing else."""
        counts, placed = {}, {}
        for line in self.acknowledged:
            counts[line["service"]] = line["count"]
            for number, machine in line["placed"].items():
                placed[f"{line['service']}/{number}"] = machine
        rows = self.read_the_same("instances")
        found = collections.Counter(row["instance"].rsplit("/", 1)[0] for row in rows)
        self.assertEqual(found - collections.Counter(counts), {})
        self.assertEqual(collections.Counter(counts) - found, {})
        self.assertEqual(len({row["instance"] for row in rows}), len(rows))
        for row in rows:
            self.assertEqual(row["machine"], placed[row["instance"]], row)
        self.assertEqual({row["service"] for row in self.read_the_same("services")}, set(found))
        self.read_the_same("machines")

    def read_the_same(self, what):
        arguments = ("get", what, "--limit", "100000", "--json")
        read = [server.client(*arguments) for server in self.servers]
        read.append(berth(*arguments, "--store", self.store))
        rows = []
        for each in read:
            self.assertEqual(each.returncode, OK, each.stderr)
            rows.append(sorted(json.loads(each.stdout), key=lambda row: row[what[:-1]]))
            self.assertEqual(rows[-1], rows[0])
        return rows[0]


    def test_a_server_is_killed(self):
        self.kill_one_server_then_the_other()
        self.check()

    def test_the_leader_of_etcd_is_killed(self):
        self.kill_the_leader()
        self.check()

    def test_most_members_of_etcd_are_killed(self):
        self.kill_most_members()
        self.check()

    def test_a_server_is_cut_off_from_etcd(self):
        self.cut_a_server_off()
        self.check()

    def test_the_disk_of_the_leader_is_full(self):
        self.fill_the_leaders_disk()
        self.check()

    def test_etcd_is_over_its_quota(self):
        self.exceed_the_quota()
        self.check()

    @unittest.skipUnless("BERTH_SOAK" in os.environ, "make soak runs it: no two runs are alike")
    def test_one_after_another(self):
        faults = list(self.FAULTS)
        self.random.shuffle(faults)
        for fault in faults:
            print(fault.__name__, file=sys.stderr, end=" ", flush=True)
            fault(self)
        self.check()
        fresh = self.all.enter_context(Server(self.folder, store=self.store, fleet=None))
        watcher = Watcher(fresh.grpc)
        eventually(lambda: watcher.wrong or watcher.last == self.watchers[0].last,
                   "one that is new tells all from the first revision on")
        self.assertEqual(watcher.commits, self.watchers[0].commits)


if __name__ == "__main__":
    unittest.main()
