#include "scale/external_scaler.h"

#include <fmt/format.h>

#include <utility>

#include "base/fields.h"
#include "base/wire.h"
#include "rightsize/external_talk.h"

namespace berth {
namespace {

constexpr std::size_t kScalerTextMax = 4096;

class ExternalScaler final : public Scaler {
 public:
  ExternalScaler(std::shared_ptr<ExternalProgram> program, const ScalerBasis& basis)
      : talk_(std::move(program), CountStart(basis, "")) {}

  void Observe(const ReplicaLoad& load) override {
    talk_.Tell(LoadLine(load), said_.state,
               [this](const Node& answer) { return said_.Take(answer); });
  }

  std::optional<std::uint32_t> Recommend() const override { return said_.count; }
  std::string Why() const override { return said_.WhySo(); }

  std::string Save() const override { return said_.Save(); }
  Status Restore(std::string_view bytes) override {
    BERTH_TRY(said_, ExternalCount::Read(bytes));
    talk_.BeginAnew();
    return {};
  }

 private:
  ExternalTalk talk_;
  ExternalCount said_;
};

}  // namespace

Status ExternalCount::Take(const Node& answer) {
  Fields fields(answer);
  fields.Required("id");
  if (!answer.Find("count")) return fields.Finish();
  const auto new_count = fields.Integer<std::uint32_t>("count", {.min = 0, .max = kReplicasMax});
  std::string new_why = fields.Text("why", "");
  std::string new_state = fields.Text("state", "");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (new_why.size() > kScalerTextMax || new_state.size() > kScalerTextMax) {
    return answer.Error(fmt::format("why and state have at most {} bytes", kScalerTextMax));
  }
  count = new_count;
  why = std::move(new_why);
  state = std::move(new_state);
  return {};
}

std::string ExternalCount::WhySo() const {
  if (!count) return {};
  return fmt::format("{}: {}", *count, why.empty() ? "as a program of its owner says" : why);
}

std::string ExternalCount::Save() const {
  std::string bytes;
  if (!count) return bytes;
  WireWriter writer(bytes);
  writer.PutUint(1, *count + 1);
  writer.PutText(2, why);
  writer.PutText(3, state);
  return bytes;
}

Result<ExternalCount> ExternalCount::Read(std::string_view bytes) {
  std::uint32_t count = 0;
  ExternalCount read;
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.field() == 1) count = reader.Uint<std::uint32_t>();
    if (reader.field() == 2) read.why = reader.Text();
    if (reader.field() == 3) read.state = reader.Text();
  }
  BERTH_RETURN_IF_ERROR(reader.status());
  if (count > kReplicasMax + 1) {
    return Status(Code::kInvalidArgument, "this is no state of an external scaler");
  }
  if (count > 0) read.count = count - 1;
  return read;
}

std::string CountStart(const ScalerBasis& basis, std::string_view service) {
  return fmt::format("\"sets\":\"replicas\",\"service\":{},\"target\":{},\"reference_milli\":{}",
                     JsonText(service), basis.target, basis.reference_milli);
}

std::string LoadLine(const ReplicaLoad& load) {
  std::string metrics;
  for (const NamedMetric& metric : load.metrics) {
    metrics +=
        fmt::format("{}{}:{}", metrics.empty() ? "" : ",", JsonText(metric.name), metric.value);
  }
  return fmt::format(
      "\"load\":{{\"at_ms\":{},\"replicas\":{},\"starting\":{},\"unmeasured\":{},\"cpu_milli\":{},"
      "\"metrics\":{{{}}}}}",
      ToMicros(load.at) / 1000, load.replicas, load.starting, load.unmeasured, load.cpu_milli,
      metrics);
}

std::unique_ptr<Scaler> NewExternalScaler(std::shared_ptr<ExternalProgram> program,
                                          const ScalerBasis& basis) {
  return std::make_unique<ExternalScaler>(std::move(program), basis);
}

}  // namespace berth
