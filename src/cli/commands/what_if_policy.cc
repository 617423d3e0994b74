#include <fmt/format.h>

#include <optional>
#include <ostream>

#include "base/document.h"
#include "base/progress.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "cli/read_store.h"
#include "engine/policy.h"
#include "report/json.h"
#include "report/replay_report.h"
#include "report/table.h"
#include "report/write.h"

namespace berth {
namespace {

// Errors of the log name the store, those of the policy its file.
Result<ReplayComparison> Compare(const Invocation& given) {
  const std::string& file = given.Text("--policy");
  BERTH_TRY(const std::string text, ReadText(file));
  BERTH_RETURN_IF_ERROR(CheckPolicy(text, file));
  BERTH_TRY(const std::unique_ptr<StoreReader> reader, StoreReader::Open(given.Text("--store")));
  BERTH_TRY(const RecordedLog log, reader->ReadLog());
  std::optional<Progress> progress;
  Result<ReplayComparison> compared =
      ReplayUnderPolicy(log, text, [&](std::uint64_t done, std::uint64_t all) {
        if (!progress) progress.emplace("asking again, requests", all, WallClock);
        progress->Update(done);
      });
  if (compared.ok()) return compared;
  return Status(compared.status().code(), fmt::format("{} under {}: {}", given.Text("--store"),
                                                      file, compared.status().message()));
}

void Print(const Report& report, std::ostream& out) {
  for (const std::string& paragraph : report.paragraphs) out << paragraph << '\n';
  out << '\n';
  Table facts{
      .title = report.title,
      .columns = {{.name = "figure"}, {.name = "value", .right_aligned = true}, {.name = "note"}}};
  for (const Fact& fact : report.facts) facts.rows.push_back({fact.name, fact.value, fact.note});
  out << FormatTable(facts);
  for (const Table& table : report.tables) out << '\n' << FormatTable(table);
}

int RunWhatIfPolicy(const Invocation& given, Console& console) {
  const Result<ReplayComparison> compared = Compare(given);
  if (!compared.ok()) return console.Fail(compared.status());
  const ReplayOf run{.store = given.Text("--store"),
                     .policy = given.Text("--policy"),
                     .command = fmt::format("berth what-if policy --store {} --policy {}",
                                            given.Text("--store"), given.Text("--policy"))};
  const Report report = ReplayReport(compared.value(), run);
  if (given.Has("--report")) {
    const Status written = WriteReport(given.Text("--report"), std::span(&report, 1));
    if (!written.ok()) return console.Fail(written);
  }
  if (given.Has("--json")) {
    console.out << ToJson(report);
    return kExitOk;
  }
  Print(report, console.out);
  if (given.Has("--report")) {
    console.out << fmt::format(
        "\nReport: {0}/report.html (open it in a browser), {0}/report.json\n",
        given.Text("--report"));
  }
  return kExitOk;
}

}  // namespace

Command WhatIfPolicy() {
  return {.words = "what-if policy",
          .summary = "ask a store's past requests again under another policy, and compare",
          .arguments = {},
          .options = {kStoreOption,
                      {"--policy", "FILE", "the other policy", true},
                      {"--report", "DIR", "where a report goes; without it none is written"},
                      kJsonOption},
          .examples = {"berth what-if policy --store berth-accepted --policy "
                       "testdata/what_if/roomy.yaml"},
          .run = RunWhatIfPolicy};
}

}  // namespace berth
