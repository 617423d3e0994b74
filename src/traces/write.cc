#include "traces/write.h"

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "base/text.h"
#include "traces/format.h"
#include "traces/seconds.h"

namespace berth {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

std::string Header() {
  std::string header;
  for (const TraceColumnInfo& column : kTraceColumns) {
    if (!header.empty()) header += ',';
    header += column.name;
  }
  return header + '\n';
}

// Names hold nothing that CSV would have to quote.
void AppendRows(const Arrival& arrival, std::string& text) {
  const Service& service = arrival.service;
  const Constraints& wanted = service.constraints;
  for (const InstanceGroup& group : service.groups) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                   FormatSeconds(arrival.at.time_since_epoch()), service.name, service.tenant.str(),
                   service.klass.str(), group.type.str(), group.role.str(), group.count,
                   arrival.lifetime ? FormatSeconds(*arrival.lifetime) : "", wanted.spread_racks,
                   wanted.max_per_machine, wanted.max_per_rack, wanted.max_per_update_domain,
                   ToString(wanted.within), wanted.isolate ? "yes" : "no",
                   service.yield_whole ? "yes" : "no", FormatTraceLabels(wanted.labels));
  }
}

}  // namespace

Status WriteTrace(Trace& trace, const TraceSink& sink) {
  std::string text;
  for (const InstanceType& type : trace.Types()) text += FormatTypeLine(type) + '\n';
  text += Header();
  std::string last_name;
  for (;;) {
    BERTH_TRY(const std::optional<Arrival> arrival, trace.Next());
    if (!arrival) break;
    if (arrival->service.name == last_name) {
      return {Code::kInvalidArgument,
              fmt::format("service {} arrives twice in a row; name the second otherwise",
                          Quoted(last_name))};
    }
    last_name = arrival->service.name;
    AppendRows(*arrival, text);
    if (text.size() < kPieceBytes) continue;
    BERTH_RETURN_IF_ERROR(sink(text));
    text.clear();
  }
  return sink(text);
}

}  // namespace berth
