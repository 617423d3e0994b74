"""Runs a scenario in memory twice and on a directory once; all three must hold and say the same.

    python3 run_twice.py BERTH FILE.scn
"""
import pathlib
import subprocess
import sys
import tempfile


def run(binary, scenario, *options):
    done = subprocess.run([binary, "scenario", "run", scenario, *options], capture_output=True,
                          text=True, timeout=100, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}exit code {done.returncode}")
    return done.stdout


def main(binary, scenario):
    first = run(binary, scenario)
    print(first, end="")
    if run(binary, scenario) != first:
        sys.exit("two runs of one seed differ")
    with tempfile.TemporaryDirectory() as folder:
        stored = run(binary, scenario, "--store", str(pathlib.Path(folder, "store")))
    if stored != first:
        sys.exit(f"on a directory it came out differently:\n{stored}")


main(*sys.argv[1:])
