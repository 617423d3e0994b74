#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/store_name.h"
#include "store/backup.h"
#include "store/open.h"

namespace berth {
namespace {

Result<BackupSummary> Restore(const Invocation& invocation) {
  BERTH_TRY(const std::string name, StoreName(invocation.Text("--store")));
  BERTH_TRY(const std::unique_ptr<StoreContents> contents, ContentsOf(name));
  return RestoreBackup(invocation.Text("FILE"), *contents);
}

int RunRestore(const Invocation& invocation, Console& console) {
  const Result<BackupSummary> restored = Restore(invocation);
  if (!restored.ok()) return console.Fail(restored.status());
  return PrintSummary(invocation, console, "restored", restored.value());
}

}  // namespace

Command RestoreCommand() {
  return {.words = "restore",
          .summary = "make a new store of a backup",
          .arguments = {{"FILE", "what 'berth backup' wrote"}},
          .options = {{"--store",
                       "DIR",
                       "the new store's directory, also written rocksdb:DIR; it must be empty or "
                       "not there yet",
                       true,
                       {},
                       KnownStores},
                      kJsonOption},
          .examples = {"berth restore accepted.backup --store berth-restored"},
          .run = RunRestore};
}

}  // namespace berth
