"""What the tests of `berth serve` share: a server on free ports, curl, the calls of the proto."""
import contextlib
import importlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import typing
import unittest

TOP = pathlib.Path(__file__).parents[2]
SOURCE = pathlib.Path(os.environ.get("BERTH_SOURCE_DIR", TOP)).resolve()
BERTH = pathlib.Path(os.environ["BERTH_BINARY_DIR"], "berth").resolve()
FLEET = SOURCE / "testdata/formats/fleet.yaml"
PROTO = SOURCE / "proto/berth.proto"
WAIT_SECONDS = 60
OK, REFUSED, USAGE = 0, 1, 2


class Call(typing.NamedTuple):
    name: str
    verb: str
    path: str
    role: str  # "read"; "none" for what needs no token.

    def at(self, **fields):
        return re.sub(r"\{(\w+)\}", lambda found: fields[found[1]], self.path)


def read_calls():
    """The calls of the proto, in its order."""
    found = re.findall(r'rpc (\w+)\(.*?option \(http\) = \{(\w+): "([^"]+)"\};'
                       r"(?:\s*option \(needs\) = (\w+);)?", PROTO.read_text(), re.S)
    return {name: Call(name, verb.upper(), path, needs.lower() or "none")
            for name, verb, path, needs in found}


CALLS = read_calls()


def eventually(what, wanted="it holds", seconds=WAIT_SECONDS):
    """Asks until the answer is true, and returns it."""
    end = time.monotonic() + seconds
    while True:
        answer = what()
        if answer:
            return answer
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s until {wanted}")
        time.sleep(0.02)


def berth(*arguments, cwd=SOURCE):
    return subprocess.run([BERTH, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
                          timeout=WAIT_SECONDS, check=False)


class Response(typing.NamedTuple):
    code: int
    headers: dict
    text: str

    @property
    def json(self):
        return json.loads(self.text)

    @property
    def error(self):
        return self.json["error"]["code"], self.json["error"]["message"]


def curl(url, *options, body=None):
    """One request by curl itself; code 0 when there was no answer."""
    command = ["curl", "--silent", "--include", "--http1.1", "--max-time", str(WAIT_SECONDS)]
    # Without the pause that curl makes before it sends much.
    command += ["--header", "Expect:", *options, url]
    if body is not None:
        command += ["--header", "Content-Type: application/json", "--data-binary", "@-"]
        body = body if isinstance(body, str) else json.dumps(body)
    done = subprocess.run(command, input=body, capture_output=True, text=True, check=False,
                          timeout=2 * WAIT_SECONDS)
    head, _, text = done.stdout.partition("\n\n")  # Text mode makes "\r\n" one character.
    lines = head.splitlines()
    if done.returncode != 0 or not lines:
        return Response(0, {}, done.stderr)
    pairs = (line.split(": ", 1) for line in lines[1:])
    headers = {name.lower(): value for name, value in pairs}
    return Response(int(lines[0].split()[1]), headers, text)


class Server:
    """A `berth serve` of our own. As a context it is stopped and must end well."""

    def __init__(self, folder, *options, store="memory", fleet=FLEET, program=(BERTH,),
                 listen="127.0.0.1:0"):
        self.folder = pathlib.Path(folder)
        self.command = [*program, "serve", "--store", store, "--listen", listen]
        if fleet is not None:
            self.command += ["--fleet", str(fleet)]
        self.command += map(str, options)
        self.said, self.logged = [], []
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen(self.command, cwd=self.folder, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.readers = [threading.Thread(target=lines.extend, args=(stream,), daemon=True)
                        for lines, stream in ((self.said, self.process.stdout),
                                              (self.logged, self.process.stderr))]
        for reader in self.readers:
            reader.start()
        eventually(lambda: "Ctrl-C stops it.\n" in self.said or self.process.poll() is not None,
                   "the server has started")
        if self.process.poll() is not None:
            self.__exit__(None, None, None)
            raise AssertionError(f"the server did not start: {self.logged}")
        found = re.search(r" on (\w+)://([^\s]+) and gRPC on ([^\s]+)\.", self.said[0])
        self.scheme, self.http, self.grpc = found.groups()
        return self

    def __exit__(self, kind, value, trace):
        if self.process.poll() is None:
            self.stop()
        for reader in self.readers:
            reader.join()
        self.process.stdout.close()
        self.process.stderr.close()

    def stop(self, how=signal.SIGTERM):
        """Its exit code."""
        self.process.send_signal(how)
        code = self.process.wait(WAIT_SECONDS)
        for reader in self.readers:
            reader.join()
        return code

    def url(self, target):
        return f"{self.scheme}://{self.http}{target}"

    def get(self, target, *options):
        return curl(self.url(target), *options)

    def send(self, verb, target, body=None, *options):
        return curl(self.url(target), "--request", verb, *options, body=body)

    def call(self, called, body=None, *options, query="", **fields):
        """A call of the proto by its name."""
        call = CALLS[called]
        return self.send(call.verb, call.at(**fields) + query, body, *options)

    def client(self, *arguments):
        """A command of the command line client, asking this server."""
        return berth(*arguments, "--server", self.grpc, cwd=self.folder)

    def audit(self):
        return [json.loads(line) for line in self.logged]


def service(name, count=1, kind="D2", tenant="acme", **more):
    return {"name": name, "tenant": tenant, "groups": [{"type": kind, "count": count}], **more}


def stored_instances(folder, store):
    done = berth("get", "instances", "--store", store, "--limit", "100000", "--json", cwd=folder)
    assert done.returncode == OK, done.stderr
    return json.loads(done.stdout)


class ServerCase(unittest.TestCase):
    """A folder of its own for each test, with what is started in it ended after."""

    def setUp(self):
        self.place = contextlib.ExitStack()
        self.addCleanup(self.place.close)
        self.folder = pathlib.Path(self.place.enter_context(tempfile.TemporaryDirectory()))

    def serve(self, *options, **more):
        return self.place.enter_context(Server(self.folder, *options, **more))

    def accepted(self, response):
        self.assertEqual(response.code, 200, response.text)
        self.assertTrue(response.json["accepted"], response.text)
        return response.json

    def refuses(self, response, code, name, *parts):
        """An error with these words in its message."""
        self.assertEqual(response.code, code, response.text)
        self.assertEqual(response.headers["content-type"], "application/json")
        self.assertEqual(response.error[0], name)
        self.assertNotIn("\n", response.error[1])
        for part in parts:
            self.assertIn(part, response.error[1])


class OneServerCase(ServerCase):
    """One server for all tests of the class."""

    OPTIONS = ()

    @classmethod
    def setUpClass(cls):
        cls.all = contextlib.ExitStack()
        cls.addClassCleanup(cls.all.close)
        folder = pathlib.Path(cls.all.enter_context(tempfile.TemporaryDirectory()))
        cls.prepare(folder)
        cls.server = cls.all.enter_context(Server(folder, *cls.OPTIONS))

    @classmethod
    def prepare(cls, folder):
        """Puts into the folder what the options name."""


_GENERATED = contextlib.ExitStack()


def generated():
    """The Python modules that protoc makes of the proto: messages, and stubs."""
    if "berth_pb2" not in sys.modules:
        folder = _GENERATED.enter_context(tempfile.TemporaryDirectory())
        plugin = subprocess.run(["which", "grpc_python_plugin"], capture_output=True, text=True,
                                check=True).stdout.strip()
        subprocess.run(["protoc", f"--proto_path={PROTO.parent}", f"--python_out={folder}",
                        f"--grpc_python_out={folder}",
                        f"--plugin=protoc-gen-grpc_python={plugin}", PROTO.name], check=True)
        sys.path.insert(0, folder)
    return importlib.import_module("berth_pb2"), importlib.import_module("berth_pb2_grpc")
