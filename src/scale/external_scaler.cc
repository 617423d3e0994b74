#include "scale/external_scaler.h"

#include <fmt/format.h>

#include <utility>

#include "base/fields.h"
#include "base/wire.h"

namespace berth {
namespace {

constexpr std::size_t kScalerTextMax = 4096;

class ExternalScaler final : public Scaler {
 public:
  ExternalScaler(std::shared_ptr<ExternalProgram> program, const ScalerBasis& basis)
      : program_(std::move(program)), basis_(basis), id_(program_->NewId()) {}

  void Observe(const ReplicaLoad& load) override {
    if (!program_->IsRunning() || !IsIntroduced()) return;
    std::string metrics;
    for (const NamedMetric& metric : load.metrics) {
      metrics +=
          fmt::format("{}{}:{}", metrics.empty() ? "" : ",", JsonText(metric.name), metric.value);
    }
    const Result<Document> answer = program_->Ask(
        id_, fmt::format("{{\"id\":{},\"load\":{{\"at_ms\":{},\"replicas\":{},\"starting\":{},"
                         "\"unmeasured\":{},\"cpu_milli\":{},\"metrics\":{{{}}}}}}}",
                         id_, ToMicros(load.at) / 1000, load.replicas, load.starting,
                         load.unmeasured, load.cpu_milli, metrics));
    if (!answer.ok()) return;
    const Status status = Take(answer.value().root());
    if (!status.ok()) return program_->Refuse(status);
    program_->Accept();
  }

  std::optional<std::uint32_t> Recommend() const override { return count_; }
  std::string Why() const override {
    if (!count_) return {};
    return fmt::format("{}: {}", *count_, why_.empty() ? "as a program of its owner says" : why_);
  }

  std::string Save() const override {
    std::string bytes;
    if (!count_) return bytes;
    WireWriter writer(bytes);
    writer.PutUint(1, *count_ + 1);
    writer.PutText(2, why_);
    writer.PutText(3, state_);
    return bytes;
  }
  Status Restore(std::string_view bytes) override {
    std::uint32_t count = 0;
    std::string why;
    std::string state;
    WireReader reader(bytes);
    while (reader.Next()) {
      if (reader.field() == 1) count = reader.Uint<std::uint32_t>();
      if (reader.field() == 2) why = reader.Text();
      if (reader.field() == 3) state = reader.Text();
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    if (count > kReplicasMax + 1) {
      return {Code::kInvalidArgument, "this is no state of an external scaler"};
    }
    count_.reset();
    if (count > 0) count_ = count - 1;
    why_ = std::move(why);
    state_ = std::move(state);
    told_ = 0;
    return {};
  }

 private:
  bool IsIntroduced() {
    if (told_ == program_->session()) return true;
    const Result<Document> answer = program_->Ask(
        id_, fmt::format("{{\"id\":{},\"start\":{{\"sets\":\"replicas\",\"target\":{},"
                         "\"reference_milli\":{},\"state\":{}}}}}",
                         id_, basis_.target, basis_.reference_milli, JsonText(state_)));
    if (answer.ok()) told_ = program_->session();
    return answer.ok();
  }

  Status Take(const Node& answer) {
    Fields fields(answer);
    fields.Required("id");
    if (!answer.Find("count")) return fields.Finish();
    const auto count = fields.Integer<std::uint32_t>("count", {.min = 0, .max = kReplicasMax});
    std::string why = fields.Text("why", "");
    std::string state = fields.Text("state", "");
    BERTH_RETURN_IF_ERROR(fields.Finish());
    if (why.size() > kScalerTextMax || state.size() > kScalerTextMax) {
      return answer.Error(fmt::format("why and state have at most {} bytes", kScalerTextMax));
    }
    count_ = count;
    why_ = std::move(why);
    state_ = std::move(state);
    return {};
  }

  std::shared_ptr<ExternalProgram> program_;
  ScalerBasis basis_;
  std::uint32_t id_;
  std::uint32_t told_ = 0;  // The session that knows of it.
  std::optional<std::uint32_t> count_;
  std::string why_;
  std::string state_;
};

}  // namespace

std::unique_ptr<Scaler> NewExternalScaler(std::shared_ptr<ExternalProgram> program,
                                          const ScalerBasis& basis) {
  return std::make_unique<ExternalScaler>(std::move(program), basis);
}

}  // namespace berth
