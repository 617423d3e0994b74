"""Operations on series: what comes out, and one command after another.

    cd tests/cli && BERTH_BINARY_DIR=../../build/dev python3 -m unittest -v series_test
"""
import json
import pathlib
import tempfile
import unittest

from program import OK, REFUSED, SOURCE, berth

HOUR_MS = 3_600_000


class Series(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, values, step_s=3600, first_s=0):
        rows = "".join(f"{first_s + step_s * i},{value}\n" for i, value in enumerate(values))
        (self.folder / name).write_text("at_s,value\n" + rows)
        return name

    def berth(self, *arguments, given=None):
        return berth(*arguments, cwd=self.folder, given=given)

    def ok(self, *arguments, given=None, said=""):
        done = self.berth(*arguments, given=given)
        self.assertEqual(done.returncode, OK, done.stderr)
        self.assertEqual(done.stderr, said)
        return done.stdout

    def refused(self, *arguments):
        done = self.berth(*arguments)
        self.assertEqual(done.returncode, REFUSED, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def points(self, csv):
        head, *rows = csv.splitlines()
        self.assertEqual(head, "at_ms,value")
        return [(int(at), float(value) if value else None)
                for at, value in (row.split(",") for row in rows)]


class Filter(Series):
    def filter(self, *arguments, **kept):
        return self.ok("series", "filter", "--input", *arguments, **kept)

    def test_a_gap_takes_the_value(self):
        gaps = self.write("gaps.csv", [1, "", 3])
        shown = self.filter(gaps, "--filter", "default_na", "--value", "-5")
        self.assertEqual(shown, f"at_ms,value\n0,1\n{HOUR_MS},-5\n{2 * HOUR_MS},3\n")
        as_json = json.loads(self.filter(gaps, "--filter", "default_na", "--json"))
        self.assertEqual(as_json[1], {"at_ms": HOUR_MS, "value": 0})

    def test_a_trend_by_hand(self):
        # A penalty of 1, and 0, 3, 0 bends by -6: the trend's bend is a seventh of it.
        shown = self.points(self.filter(self.write("bend.csv", [0, 3, 0]), "--filter",
                                        "hodrick_prescott", "--period", "6"))
        for (_, value), wanted in zip(shown, (6 / 7, 9 / 7, 6 / 7)):
            self.assertAlmostEqual(value, wanted)

    def test_outliers_with_a_season_without_and_with_one_that_is_too_long(self):
        values = [i % 2 for i in range(25)]
        values[13] = 100
        name = self.write("spike.csv", values)
        kept = self.points(self.filter(name, "--filter", "outlier_remover", "--season", "none"))
        self.assertEqual([value for _, value in kept], values[:13] + [0] + values[14:])
        # Of every other point the season is all there is.
        self.filter(name, "--filter", "outlier_remover", "--season", "2")
        self.assertEqual(self.refused("series", "filter", "--input", name, "--filter",
                                      "outlier_remover"),
                         "berth: outlier_remover takes a season of at most half of the 25 points, "
                         "not 24; give a shorter one or none\n")

    def test_a_season_is_a_number_of_points_or_none(self):
        name = self.write("few.csv", range(20))
        for season in ("", "daily", "-3", "2.5", "1", "9223372036854775808"):
            with self.subTest(season=season):
                said = self.refused("series", "filter", "--input", name, "--filter",
                                    "holt_winters", "--season", season)
                self.assertRegex(said, "^berth: a season is .*none")
        said = self.refused("series", "filter", "--input", name, "--filter", "outlier_remover",
                            "--season", "9223372036854775807")
        self.assertIn("at most half of the 20 points", said)


class Aggregate(Series):
    def aggregate(self, name, *arguments, **kept):
        return self.ok("series", "aggregate", "--input", name, *arguments, **kept)

    def test_windows_by_hand(self):
        name = self.write("day.csv", [5, 1, "", 2, 8, 9])
        for aggregator, wanted in (("sum", [6, 2, 17]), ("max", [5, 2, 9]), ("mean", [3, 2, 8.5])):
            shown = self.points(self.aggregate(name, "--every", "2h", "--aggregator", aggregator))
            self.assertEqual(shown, [(2 * HOUR_MS * i, value) for i, value in enumerate(wanted)])

    def test_windows_at_the_ends_that_are_not_whole_are_left_out(self):
        name = self.write("days.csv", [1] * 51, first_s=22 * 3600)
        self.assertEqual(
            self.points(self.aggregate(
                name, "--every", "1d", "--aggregator", "sum",
                said="berth: left out at the ends, as the series does not cover them: "
                     "2 windows\n")),
            [(24 * HOUR_MS, 24), (48 * HOUR_MS, 24)])

    def test_where_no_window_is_whole_it_says_so(self):
        name = self.write("short.csv", [1] * 27, first_s=22 * 3600)
        self.assertEqual(self.refused("series", "aggregate", "--input", name, "--every", "2d"),
                         "berth: short.csv: 27 points of 1h cover no window of 2d, which begins at "
                         "a multiple of it since 1970; take a shorter one\n")


class Chained(Series):
    LOAD = str(SOURCE / "testdata/forecast/load.csv")

    def test_a_forecast_of_sums_does_not_end_on_a_part_of_one(self):
        # Three weeks of 100 an hour, and an hour of the day after.
        name = self.write("flat.csv", [100] * (21 * 24 + 1))
        sums = self.ok("series", "aggregate", "--input", name, "--every", "1d", "--aggregator",
                       "sum", said="berth: left out at the ends, as the series does not cover "
                                   "them: 1 window\n")
        foreseen = json.loads(self.ok("forecast", "--input", "-", "--method", "last_value",
                                      "--horizon", "2", "--json", given=sums))
        self.assertEqual([point["mean"] for point in foreseen["forecast"]], [2400, 2400])
        self.assertEqual(foreseen["forecast"][0]["at_ms"], 21 * 24 * HOUR_MS)

    def test_each_command_reads_what_each_writes(self):
        smooth = self.ok("series", "filter", "--input", self.LOAD, "--filter", "butterworth")
        again = self.ok("series", "filter", "--input", "-", "--filter", "default_na", given=smooth)
        self.assertEqual(again, smooth)
        done = self.berth("series", "aggregate", "--input", "-", "--every", "6h", given=smooth)
        days = self.ok("series", "filter", "--input", "-", "--filter", "outlier_remover",
                       "--season", "4", given=done.stdout)
        self.assertEqual(len(self.points(days)), len(self.points(done.stdout)))
        found = json.loads(self.ok("series", "correlate", "--input", "-", "--with", self.LOAD,
                                   "--lags", "1", "--json", given=days))
        self.assertEqual(found["step_s"], 6 * 3600)
        self.assertEqual(found["lag"], 0)


class Correlate(Series):
    def test_series_that_go_against_each_other(self):
        first = [(7 * i * i) % 23 for i in range(60)]
        self.write("first.csv", first)
        self.write("second.csv", [0, 0] + [-value for value in first])
        shown = self.ok("series", "correlate", "--input", "first.csv", "--with", "second.csv",
                        "--lags", "4")
        self.assertIn("Greatest at a lag of 2h: -1.000.", shown)

    def test_constants_do_not_correlate(self):
        self.write("one.csv", [0.1] * 20)
        self.write("other.csv", [0.7] * 20)
        self.assertEqual(
            self.refused("series", "correlate", "--input", "one.csv", "--with", "other.csv"),
            "berth: one.csv and other.csv: nothing to correlate: at no lag have the series 8 "
            "points in common of which both change\n")

    def test_steps_that_do_not_divide_each_other(self):
        self.write("week.csv", range(20), step_s=7 * 60)
        self.write("hour.csv", range(20))
        self.assertEqual(
            self.refused("series", "correlate", "--input", "week.csv", "--with", "hour.csv"),
            "berth: week.csv and hour.csv: the first series has a point every 7m, the second every "
            "1h, and neither is a multiple of the other; aggregate both to a step that is one of "
            "both first\n")


if __name__ == "__main__":
    unittest.main()
