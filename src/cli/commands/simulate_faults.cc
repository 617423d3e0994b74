#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ostream>
#include <string_view>

#include "base/progress.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "report/faults_report.h"
#include "report/table.h"
#include "sim/faults/seeds.h"

namespace berth {
namespace {

using faults::PlantedBug;

constexpr std::uint64_t kSeedsMax = 1'000'000'000;
constexpr std::uint64_t kStepsMax = 10'000'000;
// Every planted mistake is found within so many.
constexpr std::uint64_t kSeedsOfPlanted = 2'000;

// A check of our own that fails ends the program at once: its last words say in which seed.
char last_words[64];
std::size_t last_words_size = 0;

void SayLastWords(int /*signal*/) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, last_words, last_words_size);
}

void PrepareLastWords(std::uint64_t seed) {
  const auto end = fmt::format_to_n(last_words, sizeof(last_words), "in seed {}\n", seed);
  last_words_size = std::min(end.size, sizeof(last_words));
}

Result<std::uint64_t> NumberWithin(const Invocation& given, std::string_view name,
                                   std::uint64_t most) {
  const std::uint64_t number = given.Number(name);
  if (number >= 1 && number <= most) return number;
  return Status(Code::kInvalidArgument,
                fmt::format("{} must be 1 to {}, not {}", name, most, number));
}

Result<PlantedBug> ReadPlanted(const Invocation& given) {
  if (!given.Has("--plant")) return PlantedBug::kNone;
  if (const auto bug = faults::ParsePlantedBug(given.Text("--plant"))) return *bug;
  std::string names;
  for (const PlantedBug bug : faults::kPlantedBugs) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", ToString(bug));
  }
  return Status(Code::kInvalidArgument, fmt::format("--plant: there is no bug '{}'; there are {}",
                                                    given.Text("--plant"), names));
}

Result<FaultSeedsOptions> ReadFaultOptions(const Invocation& given) {
  FaultSeedsOptions options;
  options.first_seed = given.Number("--seed");
  BERTH_TRY(options.planted, ReadPlanted(given));
  if (options.planted != PlantedBug::kNone) options.seeds = kSeedsOfPlanted;
  if (given.Has("--seeds")) {
    BERTH_TRY(options.seeds, NumberWithin(given, "--seeds", kSeedsMax));
  }
  BERTH_TRY(options.steps, NumberWithin(given, "--steps", kStepsMax));
  return options;
}

// The last lines: what held, or what did not, and how it came to that.
int Conclude(const FaultSeedsOptions& options, const FaultSeedsResult& result, bool json,
             Console& console) {
  const bool planted = options.planted != PlantedBug::kNone;
  const std::string verdict = FaultsVerdict(options, result);
  if (!result.broken_seed) {
    if (planted) return console.Fail(verdict);
    if (!json) console.out << fmt::format("{}  unseed {:016x}\n", verdict, result.sum.unseed);
    return kExitOk;
  }
  if (!json) {
    console.out << "The last steps:\n";
    for (const std::string& line : result.sum.story) console.out << "  " << line << '\n';
  }
  if (!planted) return console.Fail(verdict);
  if (!json) console.out << verdict << '\n';
  return kExitOk;
}

int RunSimulateFaults(const Invocation& given, Console& console) {
  const Result<FaultSeedsOptions> options = ReadFaultOptions(given);
  if (!options.ok()) return console.Fail(options.status());
  const auto before = std::signal(SIGABRT, SayLastWords);
  const FaultSeedsResult result = [&] {
    Progress progress("simulating, seeds", options.value().seeds, WallClock);
    return SimulateFaultSeeds(options.value(), [&](std::uint64_t seed) {
      PrepareLastWords(seed);
      progress.Update(seed - options.value().first_seed);
    });
  }();
  std::signal(SIGABRT, before);
  const Report report = FaultsReport(
      options.value(), result, CommandLine(SimulateFaultsCommand(), given, {"--json", "--report"}));
  const Status written = WriteAskedReport(given, report);
  if (!written.ok()) return console.Fail(written);
  const bool json = given.Has("--json");
  if (json) {
    console.out << ToJson(result) << '\n';
  } else {
    for (const Table& table : FaultTables(result)) console.out << FormatTable(table) << '\n';
    SayWhereReportIs(given, console);
  }
  return Conclude(options.value(), result, json, console);
}

}  // namespace

Command SimulateFaultsCommand() {
  return {.words = "simulate faults",
          .summary =
              "crash, cut, delay and lose things from a seed, and check that all promises "
              "hold",
          .arguments = {},
          .options = {{"--seed", "N", "of everything that is drawn; the first of them", false, "1"},
                      {"--seeds", "N",
                       "so many seeds one after the other; 1 if left out, with --plant 2000 or "
                       "until it is found"},
                      {"--steps", "N", "of each seed, before all is healed and must settle", false,
                       "2000"},
                      {"--plant", "BUG",
                       "no_sync_before_answer, key_forgotten_on_restart, gap_in_watch or "
                       "stale_merge: see it found"},
                      {"--report", "DIR", "write report.html and report.json there"},
                      kJsonOption},
          .examples = {"berth simulate faults --seed 7", "berth simulate faults --seeds 5 --json",
                       "berth simulate faults --seeds 20 --report faults",
                       "berth simulate faults --plant no_sync_before_answer"},
          .run = RunSimulateFaults};
}

}  // namespace berth
