"""Installs berth into a folder, builds programs against it as another project would, and runs them.

    BERTH_BINARY_DIR=build/dev python3 tests/library/library_test.py
"""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

TOP = pathlib.Path(__file__).parents[2]
SOURCE = pathlib.Path(os.environ.get("BERTH_SOURCE_DIR", TOP)).resolve()
BINARY = pathlib.Path(os.environ["BERTH_BINARY_DIR"]).resolve()
CONSUMER = SOURCE / "tests/library/consumer"
SAID = {
    "placing": "web/0 is on b\nweb/1 is on b\nweb/2 is on a\n",
    "foreseeing": """\
foreseen, hour 1: 120 (116 to 123)
foreseen, hour 2: 130 (127 to 134)
foreseen, hour 3: 141 (138 to 145)
two hours later, hour 1: 148 (145 to 152)
two hours later, hour 2: 162 (158 to 165)
two hours later, hour 3: 175 (171 to 178)
two days held out: MASE 0.15, 100% within the band
the most of the first day: 245
its cpu is 2 hours behind
""",
}


def run(*command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{command}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BINARY, "--prefix", cls.prefix)

    maxDiff = None

    def test_programs_that_use_the_public_headers_build_and_run(self):
        build = self.folder / "build"
        run("cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        for program, said in SAID.items():
            with self.subTest(program=program):
                self.assertEqual(run(build / program), said)

    def test_what_is_installed_is_berth_its_headers_and_its_completions(self):
        names = {path.relative_to(self.prefix).as_posix()
                 for path in self.prefix.rglob("*") if path.is_file()}
        headers = {f"include/berth/{path.name}" for path in (SOURCE / "include/berth").iterdir()}
        self.assertEqual({name for name in names if name.startswith("include/")}, headers)
        self.assertRegex(run(self.prefix / "bin/berth", "version"), r"^berth \d")
        for shell, name in (("bash", "share/bash-completion/completions/berth"),
                            ("zsh", "share/zsh/site-functions/_berth")):
            self.assertEqual((self.prefix / name).read_text(),
                             run(self.prefix / "bin/berth", "completion", shell))
        self.assertIn("share/doc/berth/LICENSE", names)

    def test_nothing_installed_names_the_tree_it_came_from(self):
        for path in self.prefix.rglob("*.cmake"):
            self.assertNotIn(str(SOURCE), path.read_text(), path)


class Page(unittest.TestCase):
    """docs/library.md shows the programs that are built and run here."""

    def test_it_shows_the_programs_their_build_and_what_they_print(self):
        page = (SOURCE / "docs/library.md").read_text()
        sources = [(CONSUMER / f"{program}.cc").read_text() for program in SAID]
        for language, shown in (("cpp", sources),
                                ("cmake", [(CONSUMER / "CMakeLists.txt").read_text()]),
                                ("text", list(SAID.values()))):
            with self.subTest(language=language):
                self.assertEqual(re.findall(rf"```{language}\n(.*?)```", page, re.S), shown)


if __name__ == "__main__":
    unittest.main()
