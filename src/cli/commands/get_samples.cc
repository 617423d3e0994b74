#include <fmt/format.h>

#include "base/text.h"
#include "base/thread_executor.h"
#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"

namespace berth {
namespace {

Time FromMillis(std::int64_t millis) { return Time(std::chrono::milliseconds(millis)); }

int RunGetSamples(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<Client>> client = Client::Connect(invocation);
  if (!client.ok()) return console.Fail(client.status());
  const Time from = WallClock() - std::chrono::hours(invocation.Number("--hours"));
  v1::ListSamplesRequest request;
  request.set_subject(invocation.Text("SUBJECT"));
  request.set_metric(invocation.Text("METRIC"));
  request.set_page_size(1000);
  request.set_from_ms(
      std::chrono::duration_cast<std::chrono::milliseconds>(from.time_since_epoch()).count());
  Table table{.title = fmt::format("{} of {}, in windows of five minutes", request.metric(),
                                   request.subject()),
              .columns = {{.name = "begins"},
                          {.name = "samples"},
                          {.name = "mean"},
                          {.name = "min"},
                          {.name = "max"}}};
  do {
    const Result<v1::SampleList> listed =
        client.value()->Call(&v1::Berth::Stub::ListSamples, request);
    if (!listed.ok()) return console.Fail(listed.status());
    for (const v1::SampleWindow& window : listed.value().windows()) {
      table.rows.push_back({FormatTime(FromMillis(window.begin_ms())),
                            static_cast<double>(window.count()), window.mean(), window.min(),
                            window.max()});
    }
    request.set_page_token(listed.value().next_page_token());
  } while (!request.page_token().empty());
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command GetSamples() {
  return {.words = "get samples",
          .summary = "show what an instance used or a service was asked for of late",
          .arguments = {{"SUBJECT", "an instance, like web/3, or a service"},
                        {"METRIC", "such as cpu_milli; 'berth get series' lists them"}},
          .options = {{.name = "--hours",
                       .value = "N",
                       .about = "the last so many, up to 840, which are 35 days",
                       .otherwise = "1"},
                      kServerOption,
                      kTokenOption,
                      kCaOption,
                      kCertOption,
                      kJsonOption},
          .examples = {"berth get samples web/0 cpu_milli --hours 24"},
          .run = RunGetSamples};
}

}  // namespace berth
