"""What bash and zsh offer when a user presses the tab key.

    cd tests/cli && BERTH_BINARY_DIR=../../build/dev python3 -m unittest -v completion_test
"""
import contextlib
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import unittest

from program import OK, berth, commands, workplace

WAIT_MAX_S = 60  # Far longer than a shell takes.
START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source ./script"),
    "zsh": (["zsh", "-f", "-i"],
            "bindkey -e; autoload -U compinit; compinit -u -D; source ./script"),
}


class Terminal:
    """A shell with the script, on a terminal of its own."""

    def __init__(self, shell, folder):
        (pathlib.Path(folder) / "script").write_text(berth("completion", shell).stdout)
        command, start = START[shell]
        env = {"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "vt100", "LC_ALL": "C",
               "INPUTRC": "/dev/null"}
        ours, theirs = pty.openpty()
        self.file = ours
        self.unread = ""
        self.shell = subprocess.Popen(  # pylint: disable=consider-using-with
            command, cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs,
            start_new_session=True)
        os.close(theirs)
        # In two pieces, so that the prompt is not found in its own command.
        self.type(f"{start}; PS1='REA''DY>'\n")
        self.read_until(r"READY>")

    def type(self, keys):
        os.write(self.file, keys.encode())

    def read_until(self, pattern):
        while not (found := re.search(pattern, self.unread)):
            ready, _, _ = select.select([self.file], [], [], WAIT_MAX_S)
            if not ready:
                raise AssertionError(f"no {pattern} in {self.unread!r}")
            self.unread += os.read(self.file, 4096).decode(errors="replace")
        self.unread = self.unread[found.end():]
        return found

    def complete(self, line):
        """The words of the line after the tab key."""
        # To the start of the line, so that it becomes the arguments of printf.
        self.type(line + "\t\x01printf '<%s>' \x05\n")
        words = self.read_until(r"(?s)((?:<[^<>%]*>)+).*?READY>")[1]
        # Zsh takes the slash after a folder back when the cursor leaves it.
        return [word.removesuffix("/") for word in words[1:-1].split("><")]

    def close(self):
        self.shell.kill()
        self.shell.wait()
        os.close(self.file)


class Completion(unittest.TestCase):
    def setUp(self):
        place = contextlib.ExitStack()
        self.addCleanup(place.close)
        self.folder = place.enter_context(workplace())
        (self.folder / "zone.yaml").touch()
        (self.folder / "stores").mkdir()

    def check(self, shell):
        terminal = Terminal(shell, self.folder)
        self.addCleanup(terminal.close)
        for line, words in (
                ("berth veri", "berth verify"),
                ("berth scen", "berth scenario"),
                ("berth scenario r", "berth scenario run"),
                ("berth simulate packing --refr", "berth simulate packing --refresh-when-idle"),
                ("berth policy show --name prod", "berth policy show --name production"),
                ("berth verify --store roc", "berth verify --store rocksdb:"),
                ("berth verify --store sto", "berth verify --store stores"),
                ("berth verify --store rocksdb:sto", "berth verify --store rocksdb:stores"),
                ("berth simulate packing --trace azu", "berth simulate packing --trace azure_v1:"),
                ("berth simulate packing --trace azure_v1:zo",
                 "berth simulate packing --trace azure_v1:zone.yaml"),
                ("berth fleet check zo", "berth fleet check zone.yaml"),
                ("berth simulate packing --json --fleet zo",
                 "berth simulate packing --json --fleet zone.yaml"),
                # A number has nothing to offer.
                ("berth get machines --limit zo", "berth get machines --limit zo")):
            with self.subTest(shell=shell, line=line):
                self.assertEqual(terminal.complete(line), words.split())

    def test_bash_completes_what_is_typed(self):
        self.check("bash")

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_completes_what_is_typed(self):
        self.check("zsh")

    def offered(self, line):
        script = (f"{berth('completion', 'bash').stdout}\nCOMP_LINE='{line}'\n"
                  "COMP_POINT=${#COMP_LINE}\n_berth\nprintf '%s\\n' \"${COMPREPLY[@]}\"")
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, capture_output=True,
                              text=True, timeout=WAIT_MAX_S, check=False)
        self.assertEqual((done.returncode, done.stderr), (OK, ""))
        return done.stdout.split()

    def test_bash_offers_every_command_and_option(self):
        for command in commands():
            for depth, word in enumerate(command):
                self.assertIn(word, self.offered(" ".join(("berth", *command[:depth])) + " "))
            shown = re.findall(r"^  (?:-h,)?(--[a-z-]+)", berth(*command, "--help").stdout, re.M)
            self.assertEqual(sorted(self.offered(" ".join(("berth", *command)) + " -")),
                             sorted(set(shown)))

    def test_both_scripts_are_what_their_shell_can_read(self):
        for shell in ("bash", "zsh"):
            if shutil.which(shell):
                done = subprocess.run([shell, "-n"], input=berth("completion", shell).stdout,
                                      capture_output=True, text=True, timeout=WAIT_MAX_S,
                                      check=False)
                self.assertEqual((done.returncode, done.stderr), (OK, ""))


if __name__ == "__main__":
    unittest.main()
