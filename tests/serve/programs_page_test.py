"""The example of docs/external.md of programs that recommend live. It waits for a real window."""
import re
import subprocess
import unittest

from api import BERTH, SOURCE, WAIT_SECONDS, ServerCase, eventually

PAGE = (SOURCE / "docs/external.md").read_text()
# A window of five minutes closes a minute after its end, at the latest in so long.
A_WINDOW = 360 + WAIT_SECONDS


class ProgramsPage(ServerCase):
    def test_the_example_of_the_page_is_what_happens(self):
        live = re.search(r"^## Live\n(.*?)^## ", PAGE, re.S | re.M)[1]
        options = re.search(r"^berth serve (.*)$", live, re.M)[1]
        options = re.sub(r"\btestdata/", f"{SOURCE}/testdata/", options).split()
        server = self.serve(*options, fleet=None)
        shown = 0
        for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", live, re.M):
            run = command.replace("127.0.0.1:7400", server.http)
            if run.startswith("berth "):
                run = f"{BERTH}{run[len('berth'):]} --server {server.grpc}"

            def said(run=run):
                done = subprocess.run(["bash", "-c", run], cwd=self.folder, text=True,
                                      capture_output=True, timeout=WAIT_SECONDS, check=False)
                return (done.stdout + done.stderr).rstrip("\n")
            with self.subTest(command=command):
                if command == "berth get recommendations":
                    eventually(lambda: said().count("\n") == output.rstrip("\n").count("\n"),
                               "limits and a count are recommended", A_WINDOW)
                self.assertEqual(said(), output.rstrip("\n"))
                shown += 1
        self.assertGreater(shown, 3)


if __name__ == "__main__":
    unittest.main()
