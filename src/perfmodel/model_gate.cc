#include "perfmodel/model_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "berth/check.h"

namespace berth {

double ScaledError(double predicted, double observed) {
  if (predicted == observed) return 0;
  const double larger = std::max(predicted, observed);
  if (larger <= 0 || std::min(predicted, observed) < 0) return 1;
  return std::abs(predicted - observed) / larger;
}

Result<GateKind> ParseGateKind(std::string_view name) {
  if (name == "band") return GateKind::kBand;
  if (name == "scaled-error") return GateKind::kScaledError;
  return Status(Code::kInvalidArgument,
                fmt::format("there is no gate {}; the gates are band, scaled-error", Quoted(name)));
}

bool PassesGate(GateKind kind, double predicted, double observed) {
  if (kind == GateKind::kScaledError) return ScaledError(predicted, observed) <= 0.25;
  return predicted >= 0.75 * observed && predicted <= 1.25 * observed;
}

std::vector<double> GatedModel::Observe(std::span<const double> features,
                                        std::span<const double> targets) {
  std::vector<double> predicted(targets.size());
  model_->Predict(features, predicted);
  for (std::size_t t = 0; t < targets.size(); ++t) {
    passed_[t] = PassesGate(gate_, predicted[t], targets[t]);
    observed_[t] = targets[t];
  }
  const Status learned = model_->Learn({.rows = 1, .features = features, .targets = targets});
  BERTH_CHECK(learned.ok());  // An online model takes any row.
  return predicted;
}

GatedModel::Answer GatedModel::Predict(std::span<const double> features, std::size_t target) const {
  if (!passed_[target]) return {.value = observed_[target], .from_model = false};
  std::vector<double> predicted(observed_.size());
  model_->Predict(features, predicted);
  return {.value = predicted[target], .from_model = true};
}

}  // namespace berth
