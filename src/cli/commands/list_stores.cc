#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "store/open.h"

namespace berth {
namespace {

int RunListStores(const Invocation& invocation, Console& console) {
  Table table{.title = "Stores",
              .columns = {{.name = "store"}, {.name = "written"}, {.name = "keeps"}}};
  for (const StoreKind& kind : StoreKinds()) {
    table.rows.push_back(
        {std::string(kind.name), std::string(kind.usage), std::string(kind.about)});
  }
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command ListStores() {
  return {.words = "list stores",
          .summary = "list the kinds of store",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list stores"},
          .run = RunListStores};
}

}  // namespace berth
