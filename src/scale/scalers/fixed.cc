// What the owner asked for, whatever the load: what others are compared with.
#include <fmt/format.h>

#include "scale/scalers/builtin.h"

namespace berth {
namespace {

class FixedCount final : public Scaler {
 public:
  explicit FixedCount(const ScalerBasis& basis) : replicas_(basis.replicas) {}

  void Observe(const ReplicaLoad& /*load*/) override { known_ = true; }
  std::optional<std::uint32_t> Recommend() const override {
    if (!known_) return std::nullopt;
    return replicas_;
  }
  std::string Why() const override {
    return known_ ? fmt::format("{}: as its owner asked for", replicas_) : "";
  }
  std::string Save() const override { return known_ ? "known" : ""; }
  Status Restore(std::string_view bytes) override {
    if (!bytes.empty() && bytes != "known") {
      return {Code::kInvalidArgument, "this is no state of a fixed count"};
    }
    known_ = !bytes.empty();
    return {};
  }

 private:
  std::uint32_t replicas_;
  bool known_ = false;
};

}  // namespace

Result<std::unique_ptr<Scaler>> NewFixedCount(const ScalerBasis& basis) {
  if (basis.replicas > kReplicasMax) {
    return Status(Code::kInvalidArgument, fmt::format("replicas: at most {}", kReplicasMax));
  }
  return std::unique_ptr<Scaler>(std::make_unique<FixedCount>(basis));
}

}  // namespace berth
