"""What is wrong with files that users hand in, said in one line.

    BERTH_BINARY_DIR=build/dev python3 -m unittest -v tests/cli/bad_input_test.py
"""
import pathlib
import tempfile
import unittest

from program import REFUSED, berth, workplace

AT = r"^berth: [^:\n]+:\d+:\d+: "


class BadInput(unittest.TestCase):
    """One line that says what, where and what to do; exit code 1; nothing changed."""

    def check(self, command, text, *parts, name="bad.yaml", at=AT):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / name).write_text(text)
            done = berth(*command, name, cwd=folder)
            left = sorted(path.name for path in pathlib.Path(folder).iterdir())
        self.assertEqual(done.returncode, REFUSED, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertRegex(done.stderr, at)
        self.assertEqual(left, [name])
        for part in parts:
            self.assertIn(part, done.stderr)

    FLEET = ("fleet", "check")
    SERVICE = ("service", "check")
    POLICY = ("policy", "check")
    SCENARIO = ("scenario", "run", "--store", "store")
    SKUS = "zone: z\nskus: [{name: s, cpu: 4, memory: 8Gi}]\n"
    START = "# It holds.\nlabels fast\n"

    def test_unknown_fields(self):
        self.check(self.FLEET, "zone: z\ncolour: red\n", "bad.yaml:2:1", "colour")
        self.check(self.SERVICE, "services:\n  - {name: a, tenant: t, colour: red}\n", "colour")
        self.check(self.POLICY, "allocate: {rules: [fits]}\ncolour: red\n", "bad.yaml:2:1",
                   "colour")

    def test_duplicate_keys_and_ids(self):
        self.check(self.FLEET, "zone: z\nzone: y\n", "bad.yaml:2:1", "zone")
        self.check(self.FLEET, "zone: z\nskus: [{name: s, cpu: 1}, {name: s, cpu: 1}]\n", "s")
        self.check(self.FLEET, self.SKUS + "tenants: [{name: t}, {name: t}]\n", "t")
        self.check(self.POLICY, "allocate: {rules: [fits, fits]}\n", "listed twice")
        group = "instances: [{type: x, count: 1}]"
        self.check(self.SERVICE,
                   f"services: [{{name: a, tenant: t, {group}}}, "
                   f"{{name: a, tenant: t, {group}}}]\n", "a")

    def test_negative_and_overflowing_resources(self):
        self.check(self.FLEET, "zone: z\nskus: [{name: s, cpu: -1}]\n", "cpu")
        self.check(self.FLEET, "zone: z\nskus: [{name: s, memory: 99999999999Pi}]\n", "memory")
        self.check(self.SCENARIO, self.START + "type x: -1cpu\n", "bad.scn:3:9", name="bad.scn")
        self.check(self.SCENARIO, self.START + "type x: 99999999999999999cpu\n", "bad.scn:3:9",
                   name="bad.scn")

    def test_a_machine_in_two_racks(self):
        clusters = "clusters: [{name: c, datacenter: d, sku: s, machines: 1}]\n"
        twice = ("machines:\n  - {name: m, cluster: c, rack: r1}\n"
                 "  - {name: m, cluster: c, rack: r2}\n")
        self.check(self.FLEET, self.SKUS + clusters + twice, "bad.yaml:6:", "m")
        self.check(self.SCENARIO, self.START + "machines r1/a r2/a: 1cpu\n", "bad.scn:3:15",
                   "a machine stands in one rack", name="bad.scn")

    def test_a_request_larger_than_any_machine(self):
        fleet = "testdata/formats/fleet.yaml"
        with workplace() as folder:
            (folder / "bad.yaml").write_text(
                "services:\n  - {name: a, tenant: acme, instances: [{type: D4, count: 1}],\n"
                "     constraints: {labels: {colour: red}}}\n")
            done = berth("service", "check", "bad.yaml", "--fleet", fleet, cwd=folder)
        self.assertEqual(done.returncode, REFUSED)
        self.assertRegex(done.stderr, AT)
        self.assertIn("no machine can take type D4", done.stderr)
        self.check_refused_by_scenario("type huge: 99cpu\ntenant t\nmachines a: 8cpu\n"
                                       "service x: t silver 1 x huge\n", "fits, cure smaller-ask")

    def check_refused_by_scenario(self, text, *parts):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "bad.scn").write_text(self.START + text)
            done = berth("scenario", "run", "bad.scn", cwd=folder)
        self.assertEqual(done.returncode, REFUSED)
        self.assertRegex(done.stderr, AT)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_a_gang_over_2000(self):
        self.check(self.SERVICE,
                   "services:\n  - {name: a, tenant: t, instances: [{type: x, count: 2001}]}\n",
                   "2000")
        self.check(self.SERVICE,
                   "services:\n  - name: a\n    tenant: t\n    instances:\n"
                   "      - {type: x, count: 2000}\n      - {type: y, count: 1}\n", "2001")
        self.check_refused_by_scenario("type x: 1cpu\ntenant t\nservice a: t gold 2001 x x\n",
                                       "asks for 2001 instances; it must be 1 to 2000")

    def test_an_unknown_rule(self):
        self.check(self.POLICY, "allocate:\n  rules:\n    - fitz\n", "bad.yaml:3:7", "fitz", "fits")
        self.check(self.SCENARIO, self.START + "policy\n| allocate: {rules: [fitz]}\n",
                   "bad.scn:4:",
                   "fitz", name="bad.scn")

    def test_a_file_over_64_mb(self):
        self.check(self.FLEET, "# " + "x" * (64 << 20) + "\n", "split the file",
                   # All of it is too much; there is no place.
                   at="^berth: bad.yaml: is over 64 MB")

    def test_a_file_over_64_levels(self):
        self.check(self.POLICY, "allocate: " + "[" * 70 + "]" * 70 + "\n", "bad.yaml:1:", "64")

    def test_a_file_that_is_not_there(self):
        for command in (self.FLEET, self.SERVICE, self.POLICY, ("scenario", "run")):
            done = berth(*command, "nosuch.file")
            self.assertEqual(done.returncode, REFUSED)
            self.assertIn("nosuch.file", done.stderr)

    FILTER = ("series", "filter", "--filter", "holt", "--input")
    SERIES = [("forecast", "--input"), FILTER,
              ("series", "aggregate", "--every", "1h", "--input"),
              ("series", "correlate", "--with", "bad.csv", "--input")]
    IN_CSV = r"^berth: bad\.csv:\d+: "

    def check_series(self, text, *parts, at=IN_CSV):
        for command in self.SERIES:
            with self.subTest(command=command, text=text):
                self.check(command, text, *parts, name="bad.csv", at=at)

    def test_a_series_whose_times_are_wrong(self):
        self.check_series("at_s,value\n0,1\n3600,2\n1800,3\n", "bad.csv:4: column 'at_s'",
                          "before that of the row before; sort the rows")
        self.check_series("at_s,value\n0,1\n3600,2\n3600,3\n", "bad.csv:4: column 'at_s'",
                          "that of the row before; keep one")
        self.check_series("at_s,value\n0,1\n3600,2\n5400,3\n", "bad.csv:4: column 'at_s'",
                          "all must be on that grid")
        self.check_series("at_s,value\n-5,1\n", "-5 is not between 1970 and the year 3000")
        self.check_series("at_s,value\n99999999999999,1\n", "the year 3000")
        self.check_series("at_s,value\n0,1\n1,2\n32503680000,3\n",
                          "longer than 1,000,000 points")
        self.check_series("timestamp,value\nyesterday,1\n", "'yesterday' is not a time; write "
                          "2026-11-15 13:45:00")

    def test_a_series_whose_values_are_no_numbers(self):
        for value in ("much", "nan", "NaN", "inf", "-inf", "1e999", "0x10", "1,5"):
            self.check_series(f"at_s,value\n0,1\n3600,{value}\n", "bad.csv:3")
        self.check_series("at_s,value\n0,1e101\n", "bad.csv:2: column 'value': 1e+101 is beyond "
                          "1e+100")

    def test_a_series_without_points(self):
        for text in ("at_s,value\n", "at_s,value\n0,\n3600,\n"):
            self.check_series(text, "column 'value': there is no value")
        self.check_series("", at="^berth: bad.csv")

    def test_a_series_of_other_columns(self):
        self.check_series("time,value\n0,1\n", "no column of times; name it at_s, at_ms or "
                          "timestamp")
        self.check_series("at_s,cpu,memory\n0,1,2\n", "there is no column 'value', and not just "
                          "one beside the times")
        self.check_series("at_s\n0\n", "there is no column 'value'")
        self.check_series("at_s,value\n0\n", "bad.csv:2")

    def test_a_series_of_one_point(self):
        told = {self.FILTER: "holt takes 4 to 20,000 points, and the series has 1",
                self.SERIES[3]: "bad.csv and bad.csv: nothing to correlate: at no lag have the "
                                "series 8 points in common"}
        for command, message in told.items():
            self.check(command, "at_s,value\n0,7\n", message, name="bad.csv", at="^berth: ")


if __name__ == "__main__":
    unittest.main()
