#include "store/verify.h"

#include <fmt/format.h>

#include <ostream>

#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/store_name.h"
#include "report/table.h"
#include "store/open.h"

namespace berth {
namespace {

Result<Verification> Verify(const std::string& given) {
  BERTH_TRY(const std::string name, StoreName(given));
  BERTH_TRY(const std::unique_ptr<StoreContents> contents, ContentsOf(name));
  return VerifyStore(*contents);
}

Table ChecksTable(const Verification& verified) {
  Table table{
      .title = "Checks",
      .note = fmt::format("At revision {}; the log reaches back to revision {}{}.",
                          ToNumber(verified.head.revision), ToNumber(verified.head.log_start),
                          verified.log_is_whole() ? ", the first there was" : ""),
      .columns = {{.name = "check"}, {.name = "looked at"}, {.name = "breaches"}}};
  for (const Check& check : verified.checks) {
    table.rows.push_back(
        {check.what, static_cast<double>(check.looked_at), static_cast<double>(check.broken)});
  }
  return table;
}

int RunVerify(const Invocation& invocation, Console& console) {
  const Result<Verification> verified = Verify(invocation.Text("--store"));
  if (!verified.ok()) return console.Fail(verified.status());
  if (invocation.Has("--json")) {
    console.out << ToJson(verified.value()) << '\n';
    return verified.value().holds() ? kExitOk : kExitRefused;
  }
  console.out << FormatTable(ChecksTable(verified.value()));
  for (const Check& check : verified.value().checks) {
    for (const Breach& allowed : check.allowed) console.out << allowed.sentence << ".\n";
  }
  for (const Check& check : verified.value().checks) {
    for (const Breach& breach : check.breaches) console.Fail(breach.sentence);
    if (check.broken > check.breaches.size()) {
      console.Fail(fmt::format("{}: {} more", check.what, check.broken - check.breaches.size()));
    }
  }
  return verified.value().holds() ? kExitOk : kExitRefused;
}

}  // namespace

Command VerifyCommand() {
  return {.words = "verify",
          .summary = "check everything that must hold of a store; changes nothing",
          .arguments = {},
          .options = {kStoreOption, kJsonOption},
          .examples = {"berth verify --store berth-accepted",
                       "berth verify --store rocksdb:berth-accepted --json"},
          .run = RunVerify};
}

}  // namespace berth
