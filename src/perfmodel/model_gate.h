// Whether a model is to be believed: by how far it was off when what it predicted was observed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "perfmodel/performance_model.h"

namespace berth {

// |predicted - observed| / max(predicted, observed): Eq. 10.1 of the thesis on predictive
// autoscaling. 0 if both are 0; 1 if they are of different signs, where the formula has no meaning.
double ScaledError(double predicted, double observed);

enum class GateKind : std::uint8_t {
  kBand,         // Predicted within 75 to 125 % of what was observed.
  kScaledError,  // A scaled error of at most 0.25.
};
// "band" or "scaled-error".
Result<GateKind> ParseGateKind(std::string_view name);
bool PassesGate(GateKind kind, double predicted, double observed);

// An online model behind a gate. Every row is predicted before it is learned from; while the last
// prediction did not pass, the fallback is what was observed last.
class GatedModel {
 public:
  GatedModel(std::unique_ptr<PerformanceModel> model, std::size_t targets, GateKind gate)
      : model_(std::move(model)), observed_(targets, 0), passed_(targets, false), gate_(gate) {}

  // What it said of the row before it was told, for each target.
  std::vector<double> Observe(std::span<const double> features, std::span<const double> targets);

  struct Answer {
    double value = 0;
    bool from_model = false;
  };
  Answer Predict(std::span<const double> features, std::size_t target) const;
  bool open(std::size_t target) const { return passed_[target]; }
  const PerformanceModel& model() const { return *model_; }
  // What the model learned elsewhere. It is believed once a prediction here has passed.
  Status Restore(std::string_view bytes) { return model_->Restore(bytes); }

 private:
  std::unique_ptr<PerformanceModel> model_;
  std::vector<double> observed_;
  std::vector<bool> passed_;
  GateKind gate_;
};

}  // namespace berth
