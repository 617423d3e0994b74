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
#include "report/table.h"
#include "sim/faults/seeds.h"

namespace berth {
namespace {

using faults::Fault;
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

Table FaultTable(const FaultSeedsResult& result) {
  Table table{.title = "Faults", .columns = {{.name = "fault"}, {.name = "times"}}};
  for (std::size_t i = 0; i < faults::kFaultCount; ++i) {
    table.rows.push_back(
        {std::string(ToString(static_cast<Fault>(i))), static_cast<double>(result.sum.faults[i])});
  }
  return table;
}

Table WorkTable(const FaultSeedsResult& result) {
  const FaultResult& sum = result.sum;
  const std::pair<std::string_view, std::uint64_t> figures[] = {
      {"seeds", result.seeds},
      {"steps", sum.steps},
      {"requests", sum.clients.asked},
      {"asked again", sum.clients.retries},
      {"acknowledged", sum.clients.acknowledged},
      {"answered that they make no sense", sum.clients.errors},
      {"given up", sum.clients.given_up},
      {"commits", sum.store.commits},
      {"merged from a stale view", sum.store.merged},
      {"conflicts", sum.store.conflicts},
      {"answered as duplicates by the store", sum.store.duplicates}};
  Table table{.title = "Work", .columns = {{.name = "what"}, {.name = "count"}}};
  for (const auto& [name, count] : figures) {
    table.rows.push_back({std::string(name), static_cast<double>(count)});
  }
  return table;
}

// Of what was run, as a user would name it.
std::string Seeds(const FaultSeedsOptions& options, std::uint64_t count) {
  return count == 1
             ? fmt::format("seed {}", options.first_seed)
             : fmt::format("seeds {} to {}", options.first_seed, options.first_seed + count - 1);
}

// The last lines: what held, or what did not, and how it came to that.
int Conclude(const FaultSeedsOptions& options, const FaultSeedsResult& result, bool json,
             Console& console) {
  const bool planted = options.planted != PlantedBug::kNone;
  if (!result.broken_seed) {
    if (planted) {
      return console.Fail(fmt::format("{}: the planted bug {} was not found",
                                      Seeds(options, result.seeds), ToString(options.planted)));
    }
    if (!json) {
      console.out << fmt::format("{}: every invariant held after every step  unseed {:016x}\n",
                                 Seeds(options, result.seeds), result.sum.unseed);
    }
    return kExitOk;
  }
  if (!json) {
    console.out << "The last steps:\n";
    for (const std::string& line : result.sum.story) console.out << "  " << line << '\n';
  }
  if (!planted) {
    return console.Fail(fmt::format("seed {}: {}", *result.broken_seed, *result.sum.broken));
  }
  if (!json) {
    console.out << fmt::format("The planted bug {} was found in seed {}: {}\n",
                               ToString(options.planted), *result.broken_seed, *result.sum.broken);
  }
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
  const bool json = given.Has("--json");
  if (json) {
    console.out << ToJson(result) << '\n';
  } else {
    console.out << FormatTable(FaultTable(result)) << '\n'
                << FormatTable(WorkTable(result)) << '\n';
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
                      kJsonOption},
          .examples = {"berth simulate faults --seed 7", "berth simulate faults --seeds 5 --json",
                       "berth simulate faults --plant no_sync_before_answer"},
          .run = RunSimulateFaults};
}

}  // namespace berth
