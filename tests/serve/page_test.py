"""docs/serve.md says what is: its calls, its limits, and what its example shows."""
import re
import subprocess
import unittest

from api import BERTH, CALLS, FLEET, SOURCE, WAIT_SECONDS, ServerCase

PAGE = (SOURCE / "docs/serve.md").read_text()
UNITS = {"KiB": 1 << 10, "MiB": 1 << 20}


def number(expression):
    """Of a constant as C++ writes it."""
    text = re.sub(r"(?:std::)?\w+(?:::\w+)*[({](\d[\d']*)[)}]", r"\1", expression).replace("'", "")
    found = re.fullmatch(r"(\d+)(?: << (\d+))?", text.strip())
    if not found:
        raise AssertionError(f"cannot read {expression!r}")
    return int(found[1]) << int(found[2] or 0)


def constant(file, name):
    path = SOURCE / file if file.startswith("include/") else SOURCE / "src" / file
    found = re.search(rf"\b{name}(?: = ([^;]*)|\((\d+)\));", path.read_text())
    return number(found[1] or found[2]) if found else None


class Page(ServerCase):
    def test_the_table_of_calls_is_the_proto(self):
        rows = re.findall(r"^\| `(\w+)` \| `(\w+) (/v1/\S+)` \| (\w+) \|$", PAGE, re.M)
        self.assertEqual(rows, [tuple(call) for call in CALLS.values()])

    def test_every_limit_is_the_one_in_the_code(self):
        rows = re.findall(r"^\| [^|]+ \| ([\d,]+) ?(\w*) \| `([^`]+)` `(\w+)` \|$", PAGE, re.M)
        self.assertGreater(len(rows), 20)
        for amount, unit, file, name in rows:
            with self.subTest(file=file, name=name):
                self.assertEqual(constant(file, name),
                                 int(amount.replace(",", "")) * UNITS.get(unit, 1))

    def test_every_error_has_its_http_code(self):
        rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (\d+(?:, \d+)*) \|", PAGE, re.M)
        listed = {name: code for names, codes in rows for name in re.findall(r"\w+", names)
                  for code in codes.split(", ")[:1]}
        source = (SOURCE / "src/serve/http_route.cc").read_text()
        mapped = {}
        waiting = []
        for name, code in re.findall(r"case Code::k(\w+):|return (\d+);", source):
            if name:
                waiting.append(re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower())
            else:
                mapped.update((word, code) for word in waiting)
                waiting = []
        mapped.pop("ok")
        mapped["internal"] = "500"
        self.assertEqual(listed, mapped)

    def test_the_example_is_what_happens(self):
        server = self.serve(store="berth-zone", fleet=FLEET)
        shown = 0
        for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S):
            for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M):
                with self.subTest(command=command):
                    run = command.replace("127.0.0.1:7400", server.http)
                    if run.startswith("berth "):
                        run = f"{BERTH}{run[len('berth'):]} --server {server.grpc}"
                    done = subprocess.run(["bash", "-c", run], cwd=self.folder, text=True,
                                          capture_output=True, timeout=WAIT_SECONDS, check=False)
                    self.assertEqual((done.stdout + done.stderr).rstrip("\n"),
                                     output.rstrip("\n"))
                    shown += 1
        self.assertGreater(shown, 8)


if __name__ == "__main__":
    unittest.main()
