"""Recommenders that are programs of the user's, live: `berth serve --program NAME=PATH`."""
import subprocess
import unittest

from api import OK, SOURCE, WAIT_SECONDS, Server, ServerCase, berth, eventually, service

MEDIAN = SOURCE / "testdata/external/median.py"
AUTO = "rightsizing: {mode: auto, recommender: 'external:mine'}"
UNKNOWN = "there is no program 'mine' here; start the server with --program mine=PATH"

# Gives half as much again after a kill, and knows how many there were. Told to, it fails then.
MINE = """#!/usr/bin/env python3
import json, pathlib, sys
kills = {}
for line in sys.stdin:
    asked = json.loads(line)
    answer = {"id": asked.get("id", 0)}
    if "berth" in asked:
        answer = {"berth": 1}
    elif "start" in asked:
        kills[asked["id"]] = int(asked["start"]["state"] or 0)
    elif "oom" in asked:
        kills[asked["id"]] += 1
        if pathlib.Path("fail").exists():
            sys.exit(9)
        state = str(kills[asked["id"]])
        answer.update(target=asked["oom"]["used"] * 1.5, why=f"kill {state} of it", state=state)
    print(json.dumps(answer), flush=True)
"""


class Programs(ServerCase):
    def setUp(self):
        super().setUp()
        self.write("mine.py", MINE)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)

    def kill(self, server, instance="web/0"):
        got = server.call("ReportInstances", {"reports": [
            {"instance": instance, "what": "RAN_OUT_OF_MEMORY"}]})
        self.assertEqual(got.json["errors"], [""])

    def recommended(self, server):
        return server.call("ListRecommendations").json.get("recommendations", [])

    def says(self, server, why):
        """Waits until the only recommendation has that in its reason."""
        def find():
            rows = self.recommended(server)
            return len(rows) == 1 and why in rows[0]["why"] and rows[0]
        return eventually(find, f"{why!r} is the reason")

    def fails(self, *options, **more):
        """What a server that does not start says."""
        server = Server(self.folder, *options, **more)
        done = subprocess.run(server.command, cwd=self.folder, capture_output=True, text=True,
                              timeout=WAIT_SECONDS, check=False)
        self.assertNotEqual(done.returncode, OK)
        [line] = [line for line in done.stderr.splitlines() if line.startswith("berth: ")]
        return line

    def test_what_it_says_is_done_and_outlives_the_server(self):
        options = ("--program", "mine=./mine.py")
        with Server(self.folder, *options, store="rocksdb:zone") as server:
            self.accepted(server.call("ApplyPolicy", {"text": AUTO}))
            self.accepted(server.call("CreateService", {"service": service("web", 2)}))
            self.kill(server)
            row = self.says(server, "kill 1 of it")
            self.assertEqual((row["recommender"], row["mode"]), ("external:mine", "auto"))
            eventually(lambda: self.recommended(server)[0]["now"] == row["target"], "it is set")
            [decision] = [one["decision"] for one in server.call("ListDecisions").json["decisions"]
                          if one["decision"]["kind"] == "resize"]
            self.assertRegex(decision["why"], r"^memory 12Gi: kill 1 of it")
            self.assertIn('berth_program_answers_total{program="mine"} 1',
                          server.get("/metrics").text)
        with Server(self.folder, *options, store="rocksdb:zone", fleet=None) as server:
            self.says(server, "kill 1 of it")
            self.kill(server)
            self.says(server, "kill 2 of it")
        self.assertIn("the policy in force:1:40: rightsizing.recommender: " + UNKNOWN,
                      self.fails(store="rocksdb:zone", fleet=None))

    def test_one_that_fails_leaves_what_it_said(self):
        with Server(self.folder, "--program", "mine=./mine.py") as server:
            self.accepted(server.call("ApplyPolicy", {"text": AUTO}))
            self.accepted(server.call("CreateService", {"service": service("web")}))
            self.kill(server)
            self.says(server, "kill 1 of it")
            self.write("fail", "")
            self.kill(server)
            self.says(server, "kill 1 of it; the program has not answered since 20")
            metrics = server.get("/metrics").text
            self.assertIn('berth_program_failures_total{program="mine"} 1', metrics)
            self.assertIn('berth_program_dropped_total{program="mine"} 0', metrics)
            self.assertIn('berth_program_waiting{program="mine"} 0', metrics)
            self.assertEqual(server.stop(), OK)
            [event] = [line for line in server.audit() if line.get("event") == "program"]
            self.assertEqual(event["detail"],
                             "external:mine: it ended with status 9; the last advice stays")

    def test_a_name_that_nobody_gave_is_refused(self):
        server = self.serve("--program", f"median={MEDIAN}")
        where = "policy:1:40: rightsizing.recommender: "
        self.refuses(server.call("ApplyPolicy", {"text": AUTO}), 400, "invalid_argument",
                     where + UNKNOWN)
        got = server.call("ValidatePolicy", {"text": AUTO}).json
        self.assertEqual((got["valid"], got["error"]), (False, where + UNKNOWN))
        path = f"scaling: {{scaler: 'external:{MEDIAN}'}}"
        self.refuses(server.call("ApplyPolicy", {"text": path}), 400, "invalid_argument",
                     "policy:1:19: scaling.scaler: ", "is no name of a program")
        self.write("policy.yaml", AUTO)
        self.assertIn(UNKNOWN, self.fails("--policy", "policy.yaml"))
        # Where there is no server nobody can say.
        self.assertEqual(berth("policy", "check", self.folder / "policy.yaml").returncode, OK)

    def test_one_that_cannot_be_had_keeps_the_server_from_starting(self):
        self.write("other.sh", "#!/bin/sh\nread line; echo '{\"berth\": 2}'; read line\n")
        self.assertIn("--program p=./none: external:./none: cannot start './none': No such file",
                      self.fails("--program", "p=./none"))
        self.assertIn("--program p=./other.sh: external:./other.sh: its greeting:1:11: berth:",
                      self.fails("--program", "p=./other.sh"))
        self.assertIn("--program p: is NAME=PATH", self.fails("--program", "p"))
        self.assertIn("'p' is there twice", self.fails("--program", "p=./mine.py", "--program",
                                                       "p=./mine.py"))


if __name__ == "__main__":
    unittest.main()
