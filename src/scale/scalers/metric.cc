// Target size (Autopilot, section 3.3): the owner says how the count follows from what is measured.
// Where that cannot be worked out, because a metric is missing or it divides by zero, the last
// count stays.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/packed.h"
#include "base/text.h"
#include "base/wire.h"
#include "scale/expression.h"
#include "scale/scalers/builtin.h"

namespace berth {
namespace {

// Known of every service, besides its own metrics.
constexpr std::string_view kCpuMetric = "cpu_milli";
constexpr std::string_view kReplicasMetric = "replicas";

class MetricScaler final : public Scaler {
 public:
  MetricScaler(Expression expression, std::string text)
      : expression_(std::move(expression)), text_(std::move(text)) {}

  void Observe(const ReplicaLoad& load) override {
    std::string missing;
    const Result<double> value = expression_.Evaluate([&](std::string_view name) {
      if (name == kCpuMetric && load.measured() > 0) return CpuOfAll(load);
      if (name == kReplicasMetric) return static_cast<double>(load.replicas);
      const auto found = std::ranges::find(load.metrics, name, &NamedMetric::name);
      if (found != load.metrics.end()) return found->value;
      if (missing.empty()) missing = name;
      return 0.0;
    });
    if (!missing.empty()) {
      trouble_ = fmt::format("{} is not measured", missing);
    } else if (!value.ok()) {
      trouble_ = value.status().message();
    } else {
      count_ = WholeReplicas(value.value());
      trouble_.clear();
    }
  }

  std::optional<std::uint32_t> Recommend() const override { return count_; }
  std::string Why() const override {
    if (!count_) return {};
    if (trouble_.empty()) return fmt::format("{}: {}", *count_, text_);
    return fmt::format("{}: the last that {} gave, now {}", *count_, text_, trouble_);
  }
  std::vector<std::string> Metrics() const override {
    std::vector<std::string> own;
    for (const std::string& name : expression_.names()) {
      if (name != kCpuMetric && name != kReplicasMetric) own.push_back(name);
    }
    return own;
  }

  std::string Save() const override {
    std::string bytes;
    if (!count_) return bytes;
    WireWriter writer(bytes);
    writer.PutUint(1, *count_ + 1);
    writer.PutText(2, trouble_);
    return bytes;
  }
  Status Restore(std::string_view bytes) override {
    std::uint32_t count = 0;
    std::string trouble;
    WireReader reader(bytes);
    while (reader.Next()) {
      if (reader.field() == 1) count = reader.Uint<std::uint32_t>();
      if (reader.field() == 2) trouble = reader.Text();
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    if (count > kReplicasMax + 1) {
      return {Code::kInvalidArgument, "this is no state of a count by metrics"};
    }
    count_.reset();
    if (count > 0) count_ = count - 1;
    trouble_ = std::move(trouble);
    return {};
  }

 private:
  Expression expression_;
  std::string text_;
  std::optional<std::uint32_t> count_;
  std::string trouble_;  // Why the last is not that of now.
};

}  // namespace

Result<std::unique_ptr<Scaler>> NewMetric(const ScalerBasis& basis) {
  if (basis.expression.empty()) {
    return Status(Code::kInvalidArgument,
                  "the scaler metric needs an expression, as ceil(queue / 20) + 1");
  }
  Result<Expression> parsed = Expression::Parse(basis.expression);
  if (!parsed.ok()) {
    return Status(Code::kInvalidArgument, fmt::format("expression {}: {}", Quoted(basis.expression),
                                                      parsed.status().message()));
  }
  return std::unique_ptr<Scaler>(
      std::make_unique<MetricScaler>(std::move(parsed).value(), basis.expression));
}

}  // namespace berth
