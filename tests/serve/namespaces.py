"""A network, mounts and processes of the test's own: free ports, cables to pull, disks to fill.

All of it is gone when the test is. Needs no root where the kernel lets users make namespaces.
"""
import contextlib
import os
import subprocess
import sys
import typing

UNSHARE = ("unshare", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--mount-proc",
           "--kill-child")


def run(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}: {done.stderr}"
    return done.stdout


def enter_own():
    """Starts this program again in namespaces of its own, unless that has been done."""
    if os.getpid() == 1:
        run("ip", "link", "set", "lo", "up")
        return
    allowed = subprocess.run([*UNSHARE, "true"], capture_output=True, text=True, check=False)
    if allowed.returncode != 0:
        sys.exit("this test needs namespaces, which this machine refuses:\n"
                 f"{' '.join(UNSHARE)}: {allowed.stderr}")
    os.execvp(UNSHARE[0], [*UNSHARE, *sys.orig_argv])


class Cable(typing.NamedTuple):
    """A link between here and a Room, which can be pulled out and put back."""
    interface: str
    here: str
    there: str

    def pull(self):
        run("ip", "link", "set", self.interface, "down")

    def put_back(self):
        run("ip", "link", "set", self.interface, "up")


class Room:
    """A network namespace that only its cables lead to."""

    def __init__(self):
        self.cables = 0

    def __enter__(self):
        with contextlib.ExitStack() as undo:
            self.holder = undo.enter_context(subprocess.Popen(
                ["unshare", "--net", "sh", "-c", "ip link set lo up; echo; exec sleep infinity"],
                stdout=subprocess.PIPE))
            undo.callback(self.holder.kill)
            self.holder.stdout.readline()
            self.enter = ("nsenter", f"--net=/proc/{self.holder.pid}/ns/net")
            self.undo = undo.pop_all()
        return self

    def __exit__(self, kind, value, trace):
        self.undo.close()

    def cable(self):
        self.cables += 1
        subnet = f"198.18.{self.cables}"  # RFC 2544: nobody's.
        cable = Cable(f"cable{self.cables}", f"{subnet}.1", f"{subnet}.2")
        run("ip", "link", "add", cable.interface, "type", "veth", "peer", "name", "plug")
        run("ip", "link", "set", "plug", "netns", self.holder.pid, "name", cable.interface)
        run("ip", "address", "add", f"{cable.here}/30", "dev", cable.interface)
        run("ip", "link", "set", cable.interface, "up")
        run(*self.enter, "ip", "address", "add", f"{cable.there}/30", "dev", cable.interface)
        run(*self.enter, "ip", "link", "set", cable.interface, "up")
        return cable


class SmallDisk:
    """A file system of so many bytes at a folder, which can be filled to the last one."""

    def __init__(self, folder, size):
        self.folder, self.size, self.filler = folder, size, folder / "filler"

    def __enter__(self):
        self.folder.mkdir(parents=True)
        run("mount", "-t", "tmpfs", "-o", f"size={self.size}", "none", self.folder)
        return self

    def __exit__(self, kind, value, trace):
        run("umount", "--lazy", self.folder)

    def fill(self):
        with self.filler.open("ab", buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1):
                with contextlib.suppress(OSError):
                    while file.write(bytes(size)):
                        pass

    def empty(self):
        self.filler.unlink()
