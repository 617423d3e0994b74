"""Fails when a file includes a room that its own room may not look into.

layers.txt lists the rooms in order, each with the rooms it may include; itself and the library's
face, include/berth, are always allowed. Includes name the room: "store/memory.h", never "memory.h".

    python3 tests/layers.py [top of the tree]
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'\s*#\s*include\s*"([^"]+)"')
# Folders that are not rooms: the library's face for everyone, the tests' helpers for tests.
FACE = "berth"
TEST_HELPERS = "support"
# What the build makes of proto/, which lies in no room.
GENERATED = re.compile(r"(\w+)(?:\.grpc)?\.pb\.h")


def read_layers(path):
    """{room: rooms it may include}, and the complaints about the list itself."""
    may, complaints = {}, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        room, _, allowed = line.partition(":")
        room = room.strip()
        if room in may:
            complaints.append(f"layers.txt:{number}: {room} is listed twice")
        for other in allowed.split():
            if other not in may:
                complaints.append(f"layers.txt:{number}: {room} names {other}, "
                                  "which is not a room above it")
        may[room] = set(allowed.split())
    return may, complaints


def complaint(room, is_test, target, may, protos=frozenset()):
    """What is wrong with a file of `room` including `target`, or None."""
    generated = GENERATED.fullmatch(target)
    if generated and generated[1] in protos and room != FACE:
        return None
    if "/" not in target:
        return f'include "{target}" by its room: "{room}/..."'
    other = target.split("/")[0]
    if other in (FACE, room) or (other == TEST_HELPERS and is_test):
        return None
    if room == FACE:
        return f"the library's face may not include {other}"
    if other not in may:
        return f'"{target}": {other} is not a room in layers.txt'
    if other not in may[room]:
        return f"{room} may not include {other}"
    return None


def check(top):
    may, complaints = read_layers(top / "layers.txt")
    protos = {path.stem for path in (top / "proto").glob("*.proto")}
    files = [*(top / "src").rglob("*"), *(top / "include" / FACE).rglob("*")]
    for path in sorted(files):
        if path.suffix not in (".h", ".cc", ".def") or not path.is_file():
            continue
        name = path.relative_to(top)
        room = name.parts[1]
        if room != FACE and (len(name.parts) < 3 or room not in may):
            complaints.append(f"{name}:1: {room} is not a room in layers.txt")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            hit = INCLUDE.match(line)
            wrong = hit and complaint(room, path.stem.endswith("_test"), hit[1], may, protos)
            if wrong:
                complaints.append(f"{name}:{number}: {wrong}")
    return complaints


def main():
    default = pathlib.Path(__file__).resolve().parent.parent
    complaints = check(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default)
    print("\n".join(complaints) if complaints else "every include respects layers.txt")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
