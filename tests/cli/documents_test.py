"""What the documents show is what the program does.

    BERTH_BINARY_DIR=build/dev python3 -m unittest -v tests/cli/documents_test.py
"""
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

from program import BERTH, OK, SOURCE, berth, commands, examples, workplace


class Documents(unittest.TestCase):
    def test_every_console_block_is_what_the_commands_print(self):
        shown = 0
        for file in sorted((SOURCE / "docs").glob("*.md")):
            with workplace() as folder:
                for block in re.findall(r"```console\n(.*?)```", file.read_text(), re.S):
                    for command, output in re.findall(r"\$ berth (.*)\n((?:(?!\$ ).*\n)*)", block):
                        with self.subTest(file=file.name, command=command):
                            done = berth(*shlex.split(command), cwd=folder)
                            self.assertEqual(done.stdout + done.stderr, output)
                            shown += 1
        self.assertGreater(shown, 3)

    def test_pages_and_help_make_stores_of_their_own(self):
        pages = [(SOURCE / "README.md").read_text()]
        pages += [file.read_text() for file in sorted((SOURCE / "docs").glob("*.md"))]
        pages.append("\n".join(example for command in commands() for example in examples(command)))
        makes = re.compile(r"^(?:\$ )?berth scenario run \S+ --store (\S+)", re.M)
        made = [name for page in pages for name in makes.findall(page)]
        self.assertGreater(len(made), 3)
        self.assertEqual(len(made), len(set(made)), made)

    def test_the_tour_runs_and_keeps_to_its_folder(self):
        text = (SOURCE / "README.md").read_text()
        tour = re.search(r"^## A five-minute tour\n(.*?)^## ", text, re.S | re.M)[1]
        script = "set -e\n" + "".join(re.findall(r"^```\n(.*?)^```", tour, re.S | re.M))
        paths = os.pathsep.join((str(BERTH.parent), os.environ["PATH"]))
        with workplace() as folder:
            before = {path.name for path in folder.iterdir()}
            done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True,
                                  text=True, timeout=300, check=False,
                                  env={**os.environ, "PATH": paths})
            left = {path.name for path in folder.iterdir()} - before
        self.assertEqual(done.returncode, OK, done.stdout + done.stderr)
        self.assertEqual(left, {"tour"})
        shipped, coarse = map(float, re.findall(r"^Packing density +([\d.]+) %", done.stdout, re.M))
        self.assertLess(coarse, shipped)

    def test_the_scenario_in_its_document_holds(self):
        text = (SOURCE / "docs/formats-scenario.md").read_text()
        scenarios = re.findall(r"```scenario\n(.*?)```", text, re.S)
        self.assertTrue(scenarios)
        for scenario in scenarios:
            with tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "shown.scn").write_text(scenario)
                done = berth("scenario", "run", "shown.scn", cwd=folder)
            self.assertEqual(done.returncode, OK, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
