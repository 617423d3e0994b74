"""A server whose audit log has no room left: it serves, says so, and writes again when it can."""
import namespaces

namespaces.enter_own()

# pylint: disable=wrong-import-position
import json
import unittest

from api import ServerCase, eventually, service


class FullDisk(ServerCase):
    def test_calls_are_answered_and_what_is_lost_is_said(self):
        disk = self.place.enter_context(namespaces.SmallDisk(self.folder / "log", 1 << 20))
        file = disk.folder / "audit"
        server = self.serve("--audit", file)
        self.accepted(server.call("CreateService", {"service": service("before")}))
        disk.fill()
        for number in range(60):  # More than fits what is left of the file's last block.
            self.accepted(server.call("CreateService", {"service": service(f"w{number}")}))
        eventually(lambda: any("No space left on device" in line for line in server.logged),
                   "the error stream says that lines are lost")
        self.assertIn(str(file), "".join(server.logged))
        self.assertNotIn("w59", file.read_text())
        disk.empty()
        self.accepted(server.call("CreateService", {"service": service("after")}))
        lines = file.read_text().splitlines()
        self.assertEqual(json.loads(lines[1])["subject"], "before")
        # The last before it may be cut off where the disk ended.
        self.assertEqual(json.loads(lines[-1])["subject"], "after")
        for line in lines[:-2]:
            json.loads(line)


if __name__ == "__main__":
    unittest.main()
