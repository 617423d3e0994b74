"""An etcd cluster of the test's own; namespaces.enter_own() gave it all ports."""
import base64
import contextlib
import json
import signal
import subprocess
import urllib.error
import urllib.request

from api import WAIT_SECONDS, eventually

FIRST_PORT = 2379
EVERYTHING = base64.b64encode(b"\0").decode()  # As a key: from the first; as an end: to the last.


class Member:
    def __init__(self, name, folder, number, hosts):
        self.name, self.folder, self.log = name, folder, folder.with_suffix(".log")
        self.client_port, self.peer_port = FIRST_PORT + 2 * number, FIRST_PORT + 2 * number + 1
        self.peer_url = f"http://127.0.0.1:{self.peer_port}"
        self.client_urls = ",".join(f"http://{host}:{self.client_port}" for host in hosts)
        self.process = None

    def ask(self, call, **request):
        """A call of etcd's API; no answer is an OSError."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.client_port}/v3/{call}",
                                    json.dumps(request).encode(), timeout=WAIT_SECONDS) as answer:
            return json.load(answer)


class Cluster:
    """Members that are started, killed and started again. As a context all are ended."""

    def __init__(self, folder, hosts=("127.0.0.1",), options=(), members=3):
        self.options = options
        self.members = [Member(f"m{number}", folder / f"m{number}", number, hosts)
                        for number in range(members)]

    def __enter__(self):
        for member in self.members:
            self.start(member)
        self.leader()
        return self

    def __exit__(self, kind, value, trace):
        for member in self.members:
            self.kill(member)

    def endpoints(self, host="127.0.0.1"):
        return ",".join(f"{host}:{member.client_port}" for member in self.members)

    def start(self, member):
        everybody = ",".join(f"{each.name}={each.peer_url}" for each in self.members)
        with member.log.open("ab") as log:
            member.process = subprocess.Popen(
                ["etcd", "--name", member.name, "--data-dir", member.folder / "data",
                 "--listen-client-urls", member.client_urls,
                 "--advertise-client-urls", member.client_urls,
                 "--listen-peer-urls", member.peer_url,
                 "--initial-advertise-peer-urls", member.peer_url,
                 "--initial-cluster", everybody, "--log-level", "error", *self.options],
                stdout=log, stderr=log)

    def kill(self, member):
        member.process.send_signal(signal.SIGKILL)
        member.process.wait(WAIT_SECONDS)

    def leader(self):
        """Who leads, once those who run agree on one of them."""
        return eventually(self._leader, "etcd has a leader")

    def _leader(self):
        known, by_id = set(), {}
        for member in self.members:
            if member.process.poll() is None:
                try:
                    status = member.ask("maintenance/status")
                except OSError:
                    return None
                by_id[status["header"]["member_id"]] = member
                known.add(status.get("leader"))
        return by_id.get(known.pop()) if len(known) == 1 else None

    def disagreements(self):
        """The keys of which the members do not hold the same: the revision of each, by member."""
        held = {}
        for member in self.members:
            for each in member.ask("kv/range", key=EVERYTHING, range_end=EVERYTHING,
                                   keys_only=True, serializable=True).get("kvs", ()):
                held.setdefault(base64.b64decode(each["key"]), {})[member.name] = (
                    int(each["mod_revision"]))
        return {key: revisions for key, revisions in held.items()
                if len(revisions) < len(self.members) or len(set(revisions.values())) > 1}

    def control(self, *arguments, **more):
        """What an operator types."""
        return subprocess.run(
            ["etcdctl", "--endpoints", self.endpoints(), *map(str, arguments)],
            env={"ETCDCTL_API": "3", "PATH": "/usr/bin:/bin"}, capture_output=True, text=True,
            timeout=WAIT_SECONDS, check=False, **more)

    def insist(self, *arguments):
        """The same until it is done: a leader may have gone just then."""
        tried = []

        def done():
            tried.append(self.control(*arguments))
            return tried[-1].returncode == 0 or "has been compacted" in tried[-1].stderr
        eventually(done, f"etcdctl {arguments} is done")
        return tried[-1].stdout

    def lead(self, member):
        """Makes it the leader."""
        leader = self.leader()
        if leader is not member:
            status = member.ask("maintenance/status")
            with contextlib.suppress(urllib.error.HTTPError):  # Another was elected just now.
                leader.ask("maintenance/transfer-leadership",
                           targetID=status["header"]["member_id"])
        return self.leader() is member
