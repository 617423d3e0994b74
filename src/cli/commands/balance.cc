#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>

#include "base/progress.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "cli/read_store.h"
#include "engine/policy.h"
#include "oversub/demand_library_file.h"
#include "oversub/latest_usage.h"
#include "report/balance_report.h"
#include "report/table.h"
#include "report/write.h"

namespace berth {
namespace {

// When the store was last changed: tenants are as old as they were then, whenever it is read.
Time LatestChange(const Inventory& fleet) {
  Time latest;
  for (const ServiceState& service : fleet.services()) {
    for (const KeptInstance& instance : service.instances) {
      latest = std::max(latest, instance.timeline.since);
    }
  }
  return latest;
}

Result<BalancePlan> Plan(const Invocation& given) {
  BERTH_TRY(LineReader lines, LineReader::Open(given.Text("--usage")));
  BERTH_TRY(const UsageByInstance usage, ReadLatestUsage(std::move(lines)));
  BERTH_TRY(const std::unique_ptr<StoreReader> reader, StoreReader::Open(given.Text("--store")));
  const Inventory& fleet = reader->inventory();
  for (const auto& [id, seen] : usage) {
    if (fleet.Find(id) != nullptr) continue;
    return Status(Code::kNotFound,
                  fmt::format("{}: there is no instance {} in {}", given.Text("--usage"),
                              ToString(id), given.Text("--store")));
  }
  BERTH_TRY(const AllocatePolicy policy, PolicyInForce(fleet));
  BERTH_TRY(const OversubPolicy oversub, OversubPolicyInForce(fleet));
  BERTH_TRY(const TraceLibrary demand, given.Has("--demand")
                                           ? ReadDemandLibrary(given.Text("--demand"))
                                           : TraceLibrary::Build({}));
  BalanceRequest request{.policy = policy,
                         .fleet = fleet,
                         .usage = usage,
                         .demand = demand,
                         .class_of = [&](TypeId type) { return demand.ClassNamed(type.str()); },
                         .now = LatestChange(fleet),
                         .oversub = oversub,
                         .moves_max = given.Number("--moves"),
                         .seed = given.Number("--seed")};
  Progress progress("annealing, steps", request.steps, WallClock);
  request.on_progress = [&](std::uint64_t done) { progress.Update(done); };
  return PlanBalance(request);
}

std::string CommandOf(const Invocation& given) {
  std::string command = "berth balance --what-if";
  for (const std::string_view option : {"--store", "--usage", "--demand", "--moves", "--seed"}) {
    if (given.Has(option)) command += fmt::format(" {} {}", option, given.Text(option));
  }
  return command;
}

int RunBalance(const Invocation& given, Console& console) {
  if (!given.Has("--what-if")) {
    console.Fail("balance plans and moves nothing; give --what-if");
    return kExitUsage;
  }
  const Result<BalancePlan> plan = Plan(given);
  if (!plan.ok()) return console.Fail(plan.status());
  const Report report = BalanceReport(plan.value(), CommandOf(given), given.Number("--seed"));
  if (given.Has("--report")) {
    const Status written = WriteReport(given.Text("--report"), std::span(&report, 1));
    if (!written.ok()) return console.Fail(written);
  }
  if (given.Has("--json")) {
    console.out << ToJson(plan.value()) << '\n';
    return kExitOk;
  }
  for (const std::string& paragraph : report.paragraphs) console.out << paragraph << "\n\n";
  std::string_view between;
  for (const Table& table : report.tables) {
    console.out << std::exchange(between, "\n") << FormatTable(table);
  }
  if (given.Has("--report")) {
    console.out << fmt::format(
        "\nReport: {0}/report.html (open it in a browser), {0}/report.json\n",
        given.Text("--report"));
  }
  return kExitOk;
}

}  // namespace

Command BalanceCommand() {
  return {.words = "balance",
          .summary = "find moves that keep machines from being asked for more than they have",
          .arguments = {},
          .options = {{"--what-if", "", "plan and move nothing; there is no other way yet"},
                      kStoreOption,
                      {"--usage", "FILE",
                       "what the instances take: CSV, as berth demand fit reads it", true},
                      {"--demand", "FILE",
                       "models of past instances, from berth demand fit; without them each goes on "
                       "needing the most that it took"},
                      {"--moves", "N", "at most so many moves", false, "20"},
                      {"--seed", "N", "of the moves that are tried", false, "1"},
                      {"--report", "DIR", "where a report goes; without it none is written"},
                      kJsonOption},
          .examples = {"berth balance --what-if --store berth-accepted "
                       "--usage testdata/balance/accepted.csv"},
          .run = RunBalance};
}

}  // namespace berth
