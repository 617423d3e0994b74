"""style.py refuses what it is for and lets pass what it should: every rule has cases of both."""
import pathlib
import tempfile
import unittest

import style

HEADER = "#pragma once\n"
# Snippets that style.py would refuse in this very file are written in pieces.
LATER = "TO" "DO"
MACHINE = "/wo" "rk/"

# rule: (path, text, line) of files that it must refuse at that line.
BAD = {
    "randomness_is_rng": [
        ("src/sim/a.cc", "int x;\nstd::mt19937 engine(42);\n", 2),
        ("src/sim/a.cc", "std::mt19937_64 engine;\n", 1),
        ("src/sim/a.cc", "std::random_device device;\n", 1),
        ("src/sim/a.cc", "std::uniform_int_distribution<int> d(0, 1);\n", 1),
        ("src/sim/a.cc", "std::shuffle(a.begin(), a.end(), engine);\n", 1),
        ("src/sim/a_test.cc", "int x = rand() % 6;\n", 1),
        ("bench/a.cc", "int x = std::rand();\n", 1),
        ("src/sim/a.h", "/* two\nlines */ srand (1);\n", 2),
    ],
    "time_is_handed_in": [
        ("src/sim/a.cc", "auto now = std::chrono::steady_clock::now();\n", 1),
        ("src/sim/a.cc", "using Clock = std::chrono::system_clock;\n", 1),
        ("src/sim/a_test.cc", "std::this_thread::sleep_for(1ms);\n", 1),
        ("src/base/other.cc", "seed = time(nullptr);\n", 1),
        ("src/base/other.cc", "seed = std::time(nullptr);\n", 1),
        ("src/base/other.cc", "seed = ::time(&t);\n", 1),
        ("src/base/other.cc", "clock_gettime(CLOCK_MONOTONIC, &t);\n", 1),
    ],
    "tests_write_into_folders_of_their_own": [
        ("src/sim/a_test.cc", "\nconst auto path = ::testing::TempDir() + name;\n", 2),
        ("src/sim/a_test.cc", "fs::path folder = fs::temp_directory_path() / name;\n", 1),
        ("tests/store/a.cc", "std::tmpnam(name);\n", 1),
        ("tests/support/a.h", HEADER + "mkdtemp(name.data());\n", 2),
    ],
    "both_compilers_can_read_it": [
        ("src/sim/a.cc", "for (int x : v | std::views::filter(f)) {}\n", 1),
        ("src/sim/a.cc", "v.erase(std::ranges::unique(v).begin(), v.end());\n", 1),
    ],
    "headers_are_cheap": [
        ("src/base/a.h", HEADER + "#include <regex>\n", 2),
        ("src/base/a.h", HEADER + "#include <iostream>\n", 2),
        ("tests/support/a.h", HEADER + "# include <sstream>\n", 2),
    ],
    "headers_name_what_they_use": [
        ("src/base/a.h", HEADER + "std::vector<int> a;\n", 2),
        ("src/base/a.h", HEADER + "#include <map>\nstd::map<int, std::string> a;\n", 3),
    ],
    "headers_hide_third_parties": [
        ("include/berth/a.h", HEADER + "#include <fmt/format.h>\n", 2),
        ("src/store/a.h", HEADER + "#include <rocksdb/db.h>\n", 2),
        ("src/base/a.h", HEADER + "#include <zlib.h>\n", 2),
        ("src/base/a.h", HEADER + "#include <Eigen/Core>\n", 2),
    ],
    "headers_say_pragma_once": [
        ("src/base/a.h", "#ifndef A_H\n#define A_H\n#endif\n", 1),
        ("include/berth/a.h", "// #pragma once is missing\n", 1),
    ],
    "nothing_is_left_for_later": [
        ("src/base/a.cc", f"// {LATER}: finish\n", 1),
        ("docs/a.md", "# A\n\n" + "FIX" "ME: write\n", 3),
        ("scripts/a", "# X" "XX\n", 1),
        ("tests/a/CMakeLists.txt", f"# {LATER}\n", 1),
    ],
    "documents_have_one_title": [
        ("docs/a.md", "# One\n\n# Two\n", 3),
        ("docs/a.md", "## Only a section\n", 1),
    ],
    "files_are_short": [
        ("src/base/a.cc", "int x;\n" * (style.FILE_LINES_MAX + 1), style.FILE_LINES_MAX + 1),
        ("web/src/a.ts", "\n" * (style.FILE_LINES_MAX + 1), style.FILE_LINES_MAX + 1),
    ],
    "lines_are_short": [
        ("src/base/a.cc", "\n//" + "x" * style.LINE_COLUMNS_MAX + "\n", 2),
        ("src/base/a.cc", 'R"(\n)";\n' + "x" * 200 + '\nR"(\n)";\n', 3),
        ("scripts/a", "#" + "x" * style.LINE_COLUMNS_MAX + "\n", 1),
    ],
    "sources_have_the_names_we_build": [
        ("src/base/a.cpp", "", 1),
        ("src/base/a.hpp", HEADER, 1),
    ],
    "no_machine_is_named": [
        ("docs/a.md", f"# A\n\nSee {MACHINE}notes.\n", 3),
        ("scripts/a", "cd /ro" "ot/x\n", 1),
        ("src/base/a.cc", f'open("{MACHINE}x");\n', 1),
    ],
    # These take two files: see OneFileOnly.
    "cli11_is_in_one_file": [],
    "types_have_names_of_their_own": [],
}

# What no rule may refuse.
GOOD = [
    ("src/sim/a.cc", "rng.Shuffle(items); operand(1); brand(2); item.rand(); // std::shuffle\n"),
    ("src/sim/a.cc", 'fail("std::mt19937 is banned"); R"(\nstd::shuffle(\n)"; char c = \'"\';\n'),
    ("src/sim/a.cc", "Time time(3); queue.time(); x->time(0); Uptime(0); x = 1'000; y = '\\'';\n"),
    ("src/sim/a.cc", "std::ranges::sort(v); v.erase(std::unique(v.begin(), v.end()), v.end());\n"),
    ("src/base/thread_executor.cc", "std::chrono::steady_clock::now();\n"),
    ("bench/place/a.cc", "std::chrono::steady_clock::now();\n"),
    ("tests/support/temp_folder.h", HEADER + "mkdtemp(name.data());\n"),
    ("bench/serve/a.cc", "mkdtemp(name.data());\n"),
    ("src/sim/a_test.cc", "const testing::TempFolder folder;  // Not mkdtemp().\n"),
    ("src/base/a.cc", "#include <sstream>\n#include <fmt/format.h>\n#include <CLI/CLI.hpp>\n"),
    ("src/base/a.h", HEADER + '#include <cstdint>\n#include <string_view>\n#include "base/b.h"\n'),
    ("src/fleet/fleet_testing.h", HEADER + "#include <gtest/gtest.h>\n"),
    ("tests/support/a.h", HEADER + "#include <gtest/gtest.h>\n"),
    ("docs/a.md", "# Title\n\n## Section\n\n```\n# a comment\n```\n" + "long " * 50 + "\n"),
    ("docs/a.md", "# Title\n" * 1 + "text\n" * (style.FILE_LINES_MAX * 2)),
    ("src/base/a.cc", "int x;\n" * style.FILE_LINES_MAX),
    ("src/base/a.cc", 'constexpr char kPage[] = R"(\n' + "x" * 200 + '\n)";\n'),
    ("src/base/a.cc", "x" * style.LINE_COLUMNS_MAX + "\n// https://" + "x" * 200 + "\n"),
    ("testdata/fuzz/a/seed", f"{LATER}\n" * (style.FILE_LINES_MAX * 2)),
    ("docs/a.md", "# A\n\nframework/root/cause, network/work/x, `//work` items\n"),
]


class Rules(unittest.TestCase):
    def test_every_rule_has_a_case_that_it_refuses(self):
        self.assertEqual(set(BAD), {rule.__name__ for rule in style.RULES})
        self.assertEqual([name for name, cases in BAD.items() if not cases],
                         ["cli11_is_in_one_file", "types_have_names_of_their_own"])

    def test_refuses(self):
        for rule in style.RULES:
            for path, text, line in BAD[rule.__name__]:
                with self.subTest(rule=rule.__name__, path=path, text=text[:80]):
                    found = [(where, number) for where, number, _ in rule({path: text})]
                    self.assertEqual(found, [(path, line)])

    def test_lets_pass(self):
        for path, text in GOOD:
            with self.subTest(path=path, text=text[:80]):
                self.assertEqual(style.check({path: text}), [])

    def test_says_where_what_and_what_instead(self):
        self.assertEqual(style.check({"src/sim/world.cc": "\nstd::shuffle(a, b, c);\n"}),
                         ["src/sim/world.cc:2: std::shuffle is banned, use berth::Rng"])

    def test_every_exception_has_a_reason(self):
        for table in (style.CLOCK_ALLOWED, style.CLOCK_ALLOWED_FOLDERS, style.TEMPORARY_ALLOWED,
                      style.TEMPORARY_ALLOWED_FOLDERS, style.THIRD_PARTY_ALLOWED):
            for path, reason in table.items():
                self.assertGreater(len(reason), 10, path)


class OneFileOnly(unittest.TestCase):
    def test_cli11(self):
        include = "\n#include <CLI/CLI.hpp>\n"
        one = {"src/cli/app.cc": include, "src/cli/other.cc": "// CLI/CLI.hpp\n"}
        self.assertEqual(list(style.cli11_is_in_one_file(one)), [])
        two = {**one, "src/cli/other.cc": include}
        self.assertEqual([found[:2] for found in style.cli11_is_in_one_file(two)],
                         [("src/cli/app.cc", 2), ("src/cli/other.cc", 2)])

    def test_types(self):
        one = {"src/fleet/a.h": "namespace berth {\nstruct Placement {\n};\n"}
        elsewhere = {"src/sim/a.h": "namespace berth::faults {\nstruct Placement {\n};\n",
                     "src/sim/b.h": "namespace berth {\nstruct Placement;\n"}
        self.assertEqual(list(style.types_have_names_of_their_own({**one, **elsewhere})), [])
        two = {**one, "src/qos/b.h": "namespace berth {\nclass Placement final : public X {\n"}
        self.assertEqual([found[:2] for found in style.types_have_names_of_their_own(two)],
                         [("src/qos/b.h", 2)])


class Tree(unittest.TestCase):
    def test_reads_text_and_passes_over_the_rest(self):
        with tempfile.TemporaryDirectory() as folder:
            top = pathlib.Path(folder)
            (top / "src").mkdir()
            (top / "build").mkdir()
            (top / "src" / "a.cc").write_text("rand();\n")
            (top / "build" / "b.cc").write_text("rand();\n")
            (top / "picture.png").write_bytes(b"\x89PNG\xff")
            self.assertEqual(style.check(style.read_files(top)),
                             ["src/a.cc:1: rand is banned, use berth::Rng"])


if __name__ == "__main__":
    unittest.main()
