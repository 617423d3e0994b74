"""What docs/serve.md and docs/operations.md show of several servers over etcd is what happens."""
import namespaces

namespaces.enter_own()  # The pages' ports must be free.

# pylint: disable=wrong-import-position
import contextlib
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from api import BERTH, SOURCE, WAIT_SECONDS, eventually


def section(page, title):
    text = (SOURCE / "docs" / page).read_text()
    return re.search(rf"^#+ {title}\n(.*?)(?=^#+ |\Z)", text, re.M | re.S)[1]


class Pages(unittest.TestCase):
    """A shell in a folder, as a reader of the pages has one."""

    def setUp(self):
        place = contextlib.ExitStack()
        self.addCleanup(place.close)
        self.folder = pathlib.Path(place.enter_context(tempfile.TemporaryDirectory()))
        (self.folder / "testdata").symlink_to(SOURCE / "testdata")
        self.environment = {**os.environ, "PATH": f"{BERTH.parent}:{os.environ['PATH']}"}
        self.variables = ""
        self.started = []
        place.callback(self.end)

    def end(self):
        for process in reversed(self.started):
            os.killpg(process.pid, 15)
            process.wait(WAIT_SECONDS)

    def shell(self, command):
        return subprocess.run(["bash", "-c", self.variables + command], cwd=self.folder, text=True,
                              env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=WAIT_SECONDS, check=False)

    def type(self, command, output):
        """Types a line of the page; what must be there first is waited for."""
        if re.match(r"(export )?\w+=", command):
            self.variables += command + "\n"
        elif "&" in command:
            self.started.append(subprocess.Popen(
                ["bash", "-c", f"{self.variables}{command}\nwait"], cwd=self.folder,
                env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True))
            if "berth serve" in command:
                port = (re.findall(r"--listen \S+:(\d+)", command) or ["7400"])[0]
                self.wait_for(f"curl --silent --fail http://127.0.0.1:{port}/v1/health")
        elif "create" in command:
            self.assertEqual(self.shell(command).stdout, output, command)
        else:
            eventually(lambda: self.shell(command).stdout == output,
                       f"{command} shows what the page says; it shows {self.shell(command).stdout}")

    def wait_for(self, command):
        eventually(lambda: self.shell(command).returncode == 0, command)

    def type_all(self, text):
        for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.M):
            self.type(command, output)

    def test_the_pages_show_what_happens(self):
        self.type_all(re.search(r"```bash\n(.*?)```", section(
            "serve.md", "Several processes over etcd"), re.S)[1])
        commands = re.search(r"```\n(.*?)```", section("operations.md", "etcd is full"), re.S)[1]
        self.variables += "set -e -o pipefail\n"
        for command in commands.splitlines():
            if command.startswith("export"):
                self.variables += command + "\n"
            else:
                done = self.shell(command)
                self.assertEqual(done.returncode, 0, f"{command}: {done.stdout}")


if __name__ == "__main__":
    unittest.main()
