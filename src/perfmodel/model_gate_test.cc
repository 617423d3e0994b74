#include "perfmodel/model_gate.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(ModelGate, ScaledErrorByHand) {
  EXPECT_DOUBLE_EQ(ScaledError(150, 200), 0.25);
  EXPECT_DOUBLE_EQ(ScaledError(200, 150), 0.25);
  EXPECT_EQ(ScaledError(0, 0), 0);
  EXPECT_EQ(ScaledError(-5, 10), 1);
  EXPECT_EQ(ScaledError(-5, -10), 1);
  EXPECT_EQ(ScaledError(0, 10), 1);
}

TEST(ModelGate, BothGatesByHand) {
  EXPECT_TRUE(PassesGate(GateKind::kBand, 75, 100));
  EXPECT_TRUE(PassesGate(GateKind::kBand, 125, 100));
  EXPECT_FALSE(PassesGate(GateKind::kBand, 126, 100));
  // 130 is 30 % above, but by 30 / 130 off.
  EXPECT_FALSE(PassesGate(GateKind::kBand, 130, 100));
  EXPECT_TRUE(PassesGate(GateKind::kScaledError, 130, 100));
  EXPECT_FALSE(PassesGate(GateKind::kScaledError, 140, 100));
  EXPECT_FALSE(PassesGate(GateKind::kBand, 74, 100));
  EXPECT_FALSE(PassesGate(GateKind::kScaledError, 74, 100));
}

TEST(ModelGate, NamesAreRead) {
  EXPECT_EQ(ParseGateKind("band").value(), GateKind::kBand);
  EXPECT_EQ(ParseGateKind("scaled-error").value(), GateKind::kScaledError);
  EXPECT_FALSE(ParseGateKind("").ok());
}

// Says what it was told last, and doubles it from the third row on.
class Wayward final : public PerformanceModel {
 public:
  Status Learn(const ModelRows& rows) override {
    ++rows_;
    last_ = rows.targets[0] * (rows_ >= 3 ? 2 : 1);
    return {};
  }
  void Predict(std::span<const double>, std::span<double> targets) const override {
    targets[0] = last_;
  }
  void Jacobian(std::span<const double>, std::span<double>) const override {}
  std::string description() const override { return {}; }
  std::string Save() const override { return {}; }
  Status Restore(std::string_view) override { return {}; }

 private:
  int rows_ = 0;
  double last_ = 0;
};

TEST(ModelGate, WhileItIsShutTheLastObservationStands) {
  GatedModel model(std::make_unique<Wayward>(), 1, GateKind::kBand);
  const std::vector<double> features = {1}, hundred = {100};
  EXPECT_FALSE(model.open(0));
  EXPECT_EQ(model.Observe(features, hundred), (std::vector<double>{0}));
  EXPECT_FALSE(model.Predict(features, 0).from_model);
  EXPECT_EQ(model.Predict(features, 0).value, 100);
  model.Observe(features, hundred);
  EXPECT_TRUE(model.Predict(features, 0).from_model);
  model.Observe(features, hundred);
  EXPECT_TRUE(model.open(0));
  EXPECT_EQ(model.Predict(features, 0).value, 200);
  model.Observe(features, hundred);
  EXPECT_FALSE(model.open(0));
  EXPECT_EQ(model.Predict(features, 0).value, 100);
}

}  // namespace
}  // namespace berth
