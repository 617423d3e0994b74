#include "apptopo/importers/builtin.h"
#include "base/csv.h"

namespace berth {
namespace {

struct EdgeColumns {
  CsvColumn caller;
  CsvColumn callee;
  std::optional<CsvColumn> calls;
};

Status ReadEdge(const CsvReader& csv, const EdgeColumns& columns, ServiceGraphBuilder& builder) {
  const Result<ServiceVertex> caller = builder.Service(csv.Text(columns.caller));
  if (!caller.ok()) return csv.Error(columns.caller, caller.status().message());
  if (csv.Text(columns.callee).empty()) return {};  // A service that calls nobody.
  const Result<ServiceVertex> callee = builder.Service(csv.Text(columns.callee));
  if (!callee.ok()) return csv.Error(columns.callee, callee.status().message());
  std::int64_t calls = 1;
  if (columns.calls) {
    BERTH_TRY(calls, csv.Integer(*columns.calls));
    if (calls < 1) return csv.Error(*columns.calls, "is below 1; leave out what is never called");
  }
  const Status added =
      builder.Call(caller.value(), callee.value(), static_cast<std::uint64_t>(calls));
  return added.ok() ? added : csv.Error(added.message());
}

}  // namespace

Result<ServiceGraph> ReadEdgeList(const TopologyText& source) {
  BERTH_TRY(CsvReader csv,
            CsvReader::Open(LineReader::FromText(std::string(source.text), source.file_name)));
  EdgeColumns columns{};
  BERTH_TRY(columns.caller, csv.Column("caller"));
  BERTH_TRY(columns.callee, csv.Column("callee"));
  columns.calls = csv.FindColumn("calls");
  ServiceGraphBuilder builder;
  for (;;) {
    BERTH_TRY(const bool more, csv.Next());
    if (!more) break;
    BERTH_RETURN_IF_ERROR(ReadEdge(csv, columns, builder));
  }
  if (builder.empty()) return csv.Error("names no service; write one row a call");
  return std::move(builder).Build();
}

}  // namespace berth
