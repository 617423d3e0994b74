"""The program as the tests call it."""
import contextlib
import functools
import os
import pathlib
import re
import subprocess
import tempfile

TOP = pathlib.Path(__file__).parents[2]
SOURCE = pathlib.Path(os.environ.get("BERTH_SOURCE_DIR", TOP)).resolve()
BERTH = pathlib.Path(os.environ["BERTH_BINARY_DIR"], "berth").resolve()

OK, REFUSED, USAGE = 0, 1, 2


def berth(*arguments, cwd=SOURCE, given=None):
    """`given` is standard input."""
    return subprocess.run([BERTH, *arguments], cwd=cwd, capture_output=True, text=True, timeout=120,
                          input=given, check=False)


@contextlib.contextmanager
def workplace():
    """A folder that looks like the top of the tree, to leave things in."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("tests", "testdata", "docs"):
            pathlib.Path(folder, name).symlink_to(SOURCE / name)
        yield pathlib.Path(folder)


@functools.cache
def help_of(path):
    return berth(*path, "--help")


def commands(path=()):
    """Every command below `path`, by following the help."""
    found = re.search(r"Subcommands:\n((?:  .*\n)+)", help_of(path).stdout)
    if not found:
        return [path]
    below = [line.split()[0] for line in found[1].splitlines() if re.match(r"  \S", line)]
    return [command for name in below for command in commands((*path, name))]


def examples(path):
    part = re.search(r"Examples?:\n((?:  .*\n?)+)", help_of(path).stdout)
    return [line.strip() for line in part[1].splitlines()] if part else []
