#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>

#include "base/progress.h"
#include "base/thread_executor.h"
#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "cli/fleet_reader.h"
#include "cli/read_store.h"
#include "cli/store_name.h"
#include "engine/balance.h"
#include "oversub/demand_library_file.h"
#include "oversub/latest_usage.h"
#include "report/balance_report.h"
#include "report/table.h"
#include "report/write.h"
#include "serve/balance_messages.h"
#include "serve/kept_usage.h"
#include "store/open.h"

namespace berth {
namespace {

// What a file says of instances that are there.
Result<UsageByInstance> UsageInFile(const Invocation& given, const Inventory& fleet) {
  BERTH_TRY(LineReader lines, LineReader::Open(given.Text("--usage")));
  BERTH_TRY(UsageByInstance usage, ReadLatestUsage(std::move(lines)));
  for (const auto& [id, seen] : usage) {
    if (fleet.Find(id) != nullptr) continue;
    return Status(Code::kNotFound,
                  fmt::format("{}: there is no instance {} in {}", given.Text("--usage"),
                              ToString(id), given.Text("--store")));
  }
  return usage;
}

// Tenants are as old as they were when the store was last changed, or last sent samples.
Result<UsageInRecords> UsageFor(const Invocation& given, const Inventory& fleet) {
  UsageInRecords found;
  if (given.Has("--usage")) {
    BERTH_TRY(found.usage, UsageInFile(given, fleet));
  } else {
    BERTH_TRY(const std::string name, StoreName(given.Text("--store")));
    BERTH_TRY(const std::unique_ptr<Observations> observations, OpenObservations(name));
    BERTH_TRY(found, UsageOfInstances(UsageRecords(*observations), fleet));
  }
  found.latest = std::max(found.latest, LatestChange(fleet));
  return found;
}

Result<BalancePlan> PlanOfStore(const Invocation& given) {
  BERTH_TRY(const std::uint32_t moves, given.NumberWithin("--moves", 1, 1000));
  BERTH_TRY(const std::unique_ptr<StoreReader> reader, StoreReader::Open(given.Text("--store")));
  const Inventory& fleet = reader->inventory();
  BERTH_TRY(const UsageInRecords seen, UsageFor(given, fleet));
  BERTH_TRY(const TraceLibrary demand, given.Has("--demand")
                                           ? ReadDemandLibrary(given.Text("--demand"))
                                           : TraceLibrary::Build({}));
  std::optional<Progress> progress;
  return PlanBalanceInForce({.fleet = fleet,
                             .usage = seen.usage,
                             .demand = demand,
                             .now = seen.latest,
                             .moves_max = moves,
                             .seed = given.Number("--seed"),
                             .on_progress = [&](std::uint64_t done, std::uint64_t steps) {
                               if (!progress)
                                 progress.emplace("annealing, steps", steps, WallClock);
                               progress->Update(done);
                             }});
}

Result<BalancePlan> PlanOfServer(const Invocation& given) {
  for (const std::string_view option : {"--usage", "--demand"}) {
    if (!given.Has(option)) continue;
    return Status(Code::kInvalidArgument,
                  fmt::format("{} goes with --store; a server has its own", option));
  }
  BERTH_TRY(const std::unique_ptr<Client> client, Client::Connect(given));
  v1::WhatIfBalanceRequest request;
  BERTH_TRY(const std::uint32_t moves, given.NumberWithin("--moves", 1, 1000));
  request.set_moves(moves);
  request.set_seed(given.Number("--seed"));
  BERTH_TRY(const v1::WhatIfBalanceReply reply,
            client->Call(&v1::Berth::Stub::WhatIfBalance, request));
  return ToBalancePlan(reply);
}

Result<BalancePlan> Plan(const Invocation& given) {
  return given.Has("--store") ? PlanOfStore(given) : PlanOfServer(given);
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
                      kReadStoreOption,
                      {"--usage", "FILE",
                       "what the instances take: CSV, as berth demand fit reads it; without it as "
                       "the store's samples say"},
                      {"--demand", "FILE",
                       "models of past instances, from berth demand fit; without them each goes on "
                       "needing the most that it took"},
                      {"--moves", "N", "at most so many moves", false, "20"},
                      {"--seed", "N", "of the moves that are tried", false, "1"},
                      {"--report", "DIR", "where a report goes; without it none is written"},
                      kServerOption,
                      kTokenOption,
                      kCaOption,
                      kCertOption,
                      kJsonOption},
          .examples = {"berth balance --what-if --store berth-accepted "
                       "--usage testdata/balance/accepted.csv",
                       "berth balance --what-if --store berth-accepted"},
          .run = RunBalance};
}

}  // namespace berth
