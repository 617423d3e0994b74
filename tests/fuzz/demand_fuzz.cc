// Whatever bytes a file of usage holds, `demand fit` reads it or refuses it with an error that
// names the file. What is read is sound: models are fitted to it, which a library takes.
#include <string>

#include "berth/check.h"
#include "fuzz/target.h"
#include "oversub/trace_library.h"
#include "oversub/usage_series.h"

namespace {

constexpr std::string_view kFile = "fuzz.csv";
// Each step of each is looked at some forty times.
constexpr std::size_t kFittedMax = 4;
constexpr berth::Step kFittedStepsMax = 4'000;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto usage = berth::ReadUsageTraces(
      berth::LineReader::FromText(std::string(data, data + size), std::string(kFile)));
  if (!usage.ok()) {
    BERTH_CHECK(usage.status().message().starts_with(kFile));
    return 0;
  }
  const berth::UsageTraces& found = usage.value();
  BERTH_CHECK(found.rows >= found.traces.size() && found.still_running <= found.traces.size());
  std::vector<berth::DemandModel> models;
  for (const berth::DemandTrace& trace : found.traces) {
    BERTH_CHECK(static_cast<std::size_t>(trace.tenant_class) < found.class_names.size());
    BERTH_CHECK(berth::CheckTrace(trace).ok());
    if (models.size() == kFittedMax || trace.lifetime() > kFittedStepsMax) continue;
    models.push_back(berth::FitModel(trace));
    BERTH_CHECK(models.back().Peak() == trace.Peak());
  }
  BERTH_CHECK(berth::TraceLibrary::Build(models, found.class_names).ok());
  return 0;
}
