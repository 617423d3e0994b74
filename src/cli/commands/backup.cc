#include "store/backup.h"

#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/store_name.h"
#include "store/open.h"

namespace berth {
namespace {

Result<BackupSummary> Write(const Invocation& invocation) {
  BERTH_TRY(const std::string name, StoreName(invocation.Text("--store")));
  BERTH_TRY(const std::unique_ptr<StoreContents> contents, ContentsOf(name));
  return WriteBackup(*contents, invocation.Text("--output"));
}

int RunBackup(const Invocation& invocation, Console& console) {
  const Result<BackupSummary> written = Write(invocation);
  if (!written.ok()) return console.Fail(written.status());
  return PrintSummary(invocation, console, "backed up", written.value());
}

}  // namespace

Command BackupCommand() {
  return {.words = "backup",
          .summary = "write all of a store to one file",
          .arguments = {},
          .options = {kStoreOption,
                      {"--output", "FILE", "the file to write, which must not be there yet", true},
                      kJsonOption},
          .examples = {"berth backup --store berth-accepted --output accepted.backup"},
          .run = RunBackup};
}

}  // namespace berth
