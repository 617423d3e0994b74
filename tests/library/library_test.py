"""Installs berth into a folder, builds a program against it as another project would, and runs it.

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
SAID = "web/0 is on b\nweb/1 is on b\nweb/2 is on a\n"


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

    def test_a_program_that_uses_the_public_headers_builds_and_places(self):
        build = self.folder / "build"
        run("cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        self.assertEqual(run(build / "placing"), SAID)

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
    """docs/library.md shows the program that is built and run here."""

    def test_it_shows_the_program_its_build_and_what_it_prints(self):
        page = (SOURCE / "docs/library.md").read_text()
        for language, shown in (("cpp", (CONSUMER / "placing.cc").read_text()),
                                ("cmake", (CONSUMER / "CMakeLists.txt").read_text()),
                                ("text", SAID)):
            with self.subTest(language=language):
                self.assertEqual(re.findall(rf"```{language}\n(.*?)```", page, re.S), [shown])


if __name__ == "__main__":
    unittest.main()
