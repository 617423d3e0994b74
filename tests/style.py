"""The style guide as a test: what is banned, and what to use instead.

    python3 tests/style.py [top of the tree]

A rule is a function from {path: text} to (path, line, message), named in RULES. style_test.py holds
for each a snippet that it must refuse.
"""
import pathlib
import re
import subprocess
import sys

CPP = (".h", ".cc", ".def")
SOURCES = CPP + (".py", ".cmake", ".ts", ".js", ".mjs", ".css", ".html", ".proto")
FILE_LINES_MAX = 600
# Which file may be longer, and why.
FILE_LINES_ALLOWED = {
    "proto/berth.proto": "one file is the API: clients of any language are made of it alone",
}
LINE_COLUMNS_MAX = 100

# Who may read a real clock, and why. Everyone else is handed an Executor.
CLOCK_ALLOWED = {
    "src/base/stopwatch.h": "the one for metrics of what a disk or a server took",
    "src/base/thread_executor.cc": "the Executor that live threads are handed",
    "src/base/thread_executor_test.cc": "waits for the threads of the one above",
    "src/cli/client.cc": "gRPC wants deadlines on the system's clock",
    "src/serve/grpc_server.cc": "gRPC tells and wants deadlines on the system's clock",
    "src/store/faulty_files.cc": "a slow disk: the thread that syncs waits, as for the device",
}
CLOCK_ALLOWED_FOLDERS = {
    "bench/": "measures wall time",
}
# Who may make temporary files by other means than a TempFolder, and why.
TEMPORARY_ALLOWED = {
    "tests/support/temp_folder.h": "the TempFolder itself",
}
TEMPORARY_ALLOWED_FOLDERS = {
    "bench/": "one benchmark runs at a time",
}
# Who may have a third-party include in a header, and why: nobody yet.
THIRD_PARTY_ALLOWED = {}

# What headers use of the standard library, and where that is.
STANDARD = {
    "array": "array", "atomic": "atomic", "bitset": "bitset", "clamp": "algorithm",
    "condition_variable": "condition_variable", "deque": "deque", "function": "functional",
    "initializer_list": "initializer_list", "make_shared": "memory", "make_unique": "memory",
    "map": "map", "max": "algorithm", "min": "algorithm", "mutex": "mutex", "nullopt": "optional",
    "numeric_limits": "limits", "optional": "optional", "ranges": "algorithm", "set": "set",
    "shared_ptr": "memory", "span": "span", "sqrt": "cmath", "string": "string",
    "string_view": "string_view", "thread": "thread", "tuple": "tuple", "unique_ptr": "memory",
    "unordered_map": "unordered_map", "unordered_set": "unordered_set", "variant": "variant",
    "vector": "vector", "visit": "variant", "weak_ptr": "memory",
}
STANDARD_NAME = re.compile(r"\bstd::(" + "|".join(STANDARD) + r")\b")

# Comments and literals, which may say what code may not do.
PROSE = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
                   r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])*'", re.S)
RAW_STRING = re.compile(r'R"([^(\s]*)\(.*?\)\1"', re.S)
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')
RANDOM = re.compile(r"std::(?:random_device|mt19937(?:_64)?|default_random_engine|minstd_rand0?"
                    r"|\w+_distribution|shuffle|sample|rand)\b|(?<![\w.>:])s?rand(?:_r)?(?=\s*\()")
CLOCK = re.compile(r"\b(?:system_clock|steady_clock|high_resolution_clock|utc_clock)\b"
                   r"|\b(?:gettimeofday|clock_gettime|sleep_for|sleep_until)\b"
                   r"|std::(?:time|clock)(?=\s*\()|(?<!\w)::time(?=\s*\()"
                   r"|(?<![\w.>:])time(?=\(\s*(?:nullptr|NULL|0|&\s*\w+)?\s*\)\s*[;,)])")
TEMPORARY = re.compile(r"\btesting::TempDir\b|\b(?:mkdtemp|tmpnam|temp_directory_path)\b")
# Clang 14 cannot compile libstdc++ 12's views, nor the algorithms that return one.
VIEWS = re.compile(r"std::(?:views|ranges::views)::\w+|std::ranges::(?:unique|remove|remove_if"
                   r"|partition|stable_partition|rotate|search|search_n|find_end|equal_range)\b"
                   r"|std::source_location\b")
TYPE = re.compile(r"(?:class|struct|enum class|union) (\w+)(?: final)?(?= :| \{)")
# Written in pieces, so that this file does not hold what it refuses.
MARKER = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX)\b")
MACHINE_PATH = re.compile(r"(?<![\w.\-])/(?:wo" r"rk|ro" r"ot)/")


def is_header(path):
    return path.endswith(".h")


def code_of(text):
    """The text without comments and literals, line for line."""
    return PROSE.sub(lambda found: "\n" * found[0].count("\n") or " ", text)


def matches(files, wanted, pattern, message, text_of=lambda text: text):
    for path, text in files.items():
        if wanted(path):
            for number, line in enumerate(text_of(text).splitlines(), 1):
                found = pattern.search(line)
                if found:
                    yield path, number, message(found[0])


def includes(files, wanted):
    for path, text in files.items():
        if wanted(path):
            for number, line in enumerate(text.splitlines(), 1):
                found = INCLUDE.match(line)
                if found:
                    yield path, number, found[1]


def is_source(path):
    """Ours to read and edit: not data, not what a tool wrote."""
    if path.startswith("testdata/") or path.endswith("package-lock.json"):
        return False
    return (path.endswith(SOURCES) or path.startswith(("scripts/", ".ci/"))
            or pathlib.PurePath(path).name in ("Makefile", "CMakeLists.txt"))


def randomness_is_rng(files):
    return matches(files, lambda path: path.endswith(CPP), RANDOM,
                   lambda found: f"{found} is banned, use berth::Rng", code_of)


def time_is_handed_in(files):
    def wanted(path):
        return (path.endswith(CPP) and path not in CLOCK_ALLOWED
                and not path.startswith(tuple(CLOCK_ALLOWED_FOLDERS)))
    return matches(files, wanted, CLOCK,
                   lambda found: f"{found} is banned, use the berth::Executor you were handed "
                                 "(exceptions, with reason: CLOCK_ALLOWED in tests/style.py)",
                   code_of)


def tests_write_into_folders_of_their_own(files):
    """Tests run at the same time: a name that two share is removed by one and used by the other."""
    def wanted(path):
        return (path.endswith(CPP) and path not in TEMPORARY_ALLOWED
                and not path.startswith(tuple(TEMPORARY_ALLOWED_FOLDERS)))
    return matches(files, wanted, TEMPORARY,
                   lambda found: f"{found} is banned, use testing::TempFolder of "
                                 "support/temp_folder.h", code_of)


def both_compilers_can_read_it(files):
    return matches(files, lambda path: path.endswith(CPP), VIEWS,
                   lambda found: f"{found} does not compile with clang 14, use a loop or the "
                                 "algorithm over iterators", code_of)


def headers_are_cheap(files):
    for path, number, target in includes(files, is_header):
        if target in ("regex", "iostream", "sstream"):
            yield path, number, f"<{target}> is banned in headers, include it in the .cc"


def headers_name_what_they_use(files):
    """They are compiled alone, but with the commonest of these precompiled."""
    for path, text in files.items():
        if not is_header(path):
            continue
        named = {found[1] for found in map(INCLUDE.match, text.splitlines()) if found}
        for number, line in enumerate(code_of(text).splitlines(), 1):
            for used in STANDARD_NAME.findall(line):
                if STANDARD[used] not in named:
                    yield path, number, f"includes <{STANDARD[used]}>, as it uses std::{used}"


def headers_hide_third_parties(files):
    """A standard header has neither a folder nor a suffix in its name; ours are in quotes. Headers
    for tests, x_testing.h, may have GoogleTest."""
    def wanted(path):
        return (is_header(path) and path.startswith(("include/", "src/"))
                and not path.endswith("_testing.h") and path not in THIRD_PARTY_ALLOWED)
    for path, number, target in includes(files, wanted):
        line = files[path].splitlines()[number - 1]
        if "<" in line and not re.fullmatch(r"[a-z0-9_]+", target):
            yield path, number, f"<{target}> is not standard C++, include it in the .cc"


def cli11_is_in_one_file(files):
    users = {}
    for path, number, target in includes(files, lambda path: path.endswith(CPP)):
        if target.startswith("CLI/"):
            users.setdefault(path, number)
    if len(users) > 1:
        for path, number in users.items():
            yield path, number, f"CLI11 costs 5 s a file: one file includes it, not {len(users)}"


def headers_say_pragma_once(files):
    for path, text in files.items():
        if is_header(path) and "#pragma once" not in text.splitlines():
            yield path, 1, "a header needs #pragma once"


def nothing_is_left_for_later(files):
    return matches(files, lambda path: is_source(path) or path.endswith(".md"), MARKER,
                   lambda found: f"{found}: do it, or open an issue")


def documents_have_one_title(files):
    for path, text in files.items():
        if not path.endswith(".md"):
            continue
        titles, fenced = [], False
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith(("```", "~~~")):
                fenced = not fenced
            elif not fenced and line.startswith("# "):
                titles.append(number)
        if len(titles) != 1:
            yield path, (titles + [1, 1])[1], f"a document has one title, this has {len(titles)}"


def files_are_short(files):
    for path, text in files.items():
        lines = len(text.splitlines())
        exempt = path.endswith((".css", ".html")) or path in FILE_LINES_ALLOWED
        if is_source(path) and not exempt and lines > FILE_LINES_MAX:
            yield path, FILE_LINES_MAX + 1, f"{lines} lines: split files over {FILE_LINES_MAX}"


def lines_are_short(files):
    """But for addresses and raw strings, which cannot be broken."""
    for path, text in files.items():
        if path.endswith(CPP + (".py",)) or path.startswith(("scripts/", ".ci/")):
            if path.endswith(CPP):
                text = RAW_STRING.sub(lambda found: "\n" * found[0].count("\n"), text)
            for number, line in enumerate(text.splitlines(), 1):
                if len(line) > LINE_COLUMNS_MAX and "://" not in line:
                    yield path, number, f"{len(line)} columns: break lines over {LINE_COLUMNS_MAX}"


def types_have_names_of_their_own(files):
    """Two types of one name in one namespace are undefined behaviour that no compiler sees."""
    places = {}
    for path, text in files.items():
        if not is_header(path) or not path.startswith(("include/", "src/")):
            continue
        spaces = re.findall(r"^namespace ([\w:]+) \{", text, re.MULTILINE)
        for number, line in enumerate(code_of(text).splitlines(), 1):
            found = TYPE.match(line)
            if found:
                places.setdefault((*spaces, found[1]), []).append((path, number))
    for (*_, name), where in places.items():
        for path, number in where[1:]:
            yield path, number, f"{where[0][0]} has a {name} too, give this another name"


def sources_have_the_names_we_build(files):
    for path in files:
        if path.endswith((".cpp", ".cxx", ".c++", ".C", ".c", ".hpp", ".hh", ".hxx")):
            yield path, 1, "C++ files end in .cc and .h: no target picks this one up"


def no_machine_is_named(files):
    return matches(files, lambda path: True, MACHINE_PATH,
                   lambda found: f"{found}: a path of one machine")


RULES = [
    randomness_is_rng,
    time_is_handed_in,
    tests_write_into_folders_of_their_own,
    both_compilers_can_read_it,
    headers_are_cheap,
    headers_name_what_they_use,
    headers_hide_third_parties,
    cli11_is_in_one_file,
    headers_say_pragma_once,
    nothing_is_left_for_later,
    documents_have_one_title,
    files_are_short,
    lines_are_short,
    types_have_names_of_their_own,
    sources_have_the_names_we_build,
    no_machine_is_named,
]


def file_names(top):
    """What git tracks or would; without git, all but what is built or fetched."""
    try:
        listed = subprocess.run(
            ["git", "-C", str(top), "ls-files", "-z", "-c", "-o", "--exclude-standard"],
            capture_output=True, check=True, text=True).stdout.split("\0")
        return sorted({name for name in listed if name})
    except (OSError, subprocess.CalledProcessError):
        names = (path.relative_to(top).as_posix() for path in top.rglob("*"))
        return sorted(name for name in names
                      if not re.match(r"(?:build|\.git)/|(?:.*/)?node_modules/|web/dist/", name))


def read_files(top):
    files = {}
    for name in file_names(top):
        try:
            files[name] = (top / name).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            pass  # Binary, deleted but not yet committed, or a submodule: nothing to read.
    return files


def check(files):
    found = {complaint for rule in RULES for complaint in rule(files)}
    return [f"{path}:{number}: {message}" for path, number, message in sorted(found)]


def main():
    default = pathlib.Path(__file__).resolve().parent.parent
    files = read_files(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default)
    if not files:
        print("found no files to check")
        return 1
    complaints = check(files)
    print("\n".join(complaints) if complaints else f"{len(files)} files follow {len(RULES)} rules")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
