#include <algorithm>

#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"

namespace berth {
namespace {

int RunGetSeries(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<Client>> client = Client::Connect(invocation);
  if (!client.ok()) return console.Fail(client.status());
  const std::uint64_t most = invocation.Number("--limit");
  Table table{.title = "Series", .columns = {{.name = "subject"}, {.name = "metric"}}};
  v1::ListSeriesRequest request;
  if (invocation.Has("--subject")) request.set_subject(invocation.Text("--subject"));
  do {
    request.set_page_size(
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most - table.rows.size(), 1, 1000)));
    const Result<v1::SeriesList> listed =
        client.value()->Call(&v1::Berth::Stub::ListSeries, request);
    if (!listed.ok()) return console.Fail(listed.status());
    for (const v1::Series& series : listed.value().series()) {
      table.rows.push_back({series.subject(), series.metric()});
    }
    request.set_page_token(listed.value().next_page_token());
  } while (!request.page_token().empty() && table.rows.size() < most);
  return PrintTable(invocation, console, std::move(table), !request.page_token().empty());
}

}  // namespace

Command GetSeries() {
  return {.words = "get series",
          .summary = "list what samples have come of",
          .arguments = {},
          .options = {{.name = "--subject",
                       .value = "NAME",
                       .about = "only those of this instance or service"},
                      kServerOption,
                      kTokenOption,
                      kCaOption,
                      kCertOption,
                      kLimitOption,
                      kJsonOption},
          .examples = {"berth get series", "berth get series --subject web/0"},
          .run = RunGetSeries};
}

}  // namespace berth
