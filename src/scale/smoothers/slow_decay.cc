// Not all at once: of more replicas than are wanted some go every five minutes, so many that half
// of them are gone in the given time. Worked out from how many there were when it began, so that it
// holds for five of them as for five hundred.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/wire.h"
#include "scale/scaler.h"
#include "scale/smoothers/builtin.h"

namespace berth {
namespace {

constexpr Duration kDecayStep = std::chrono::minutes(5);

class SlowDecay final : public Smoother {
 public:
  explicit SlowDecay(Duration halve_in) : halve_in_(halve_in) {}

  std::uint32_t Smooth(const CountAsk& ask) override {
    if (ask.wanted >= ask.replicas) {
      from_ = 0;
      return ask.wanted;
    }
    if (from_ < ask.replicas) {
      from_ = ask.replicas;
      began_ = ask.at;
    }
    const auto steps = static_cast<double>((ask.at - began_) / kDecayStep);
    const double halvings = steps * std::chrono::duration<double>(kDecayStep) /
                            std::chrono::duration<double>(halve_in_);
    const std::uint32_t left = WholeReplicas(from_ * std::exp2(-halvings));
    return std::max(ask.wanted, std::min(ask.replicas, left));
  }
  std::string Note() const override {
    return fmt::format("slowed: from {} half go in {}", from_, FormatDuration(halve_in_));
  }

  std::string Save() const override {
    std::string bytes;
    WireWriter writer(bytes);
    writer.PutUint(1, from_);
    writer.PutInt(2, from_ == 0 ? 0 : ToMicros(began_));
    return bytes;
  }
  Status Restore(std::string_view bytes) override {
    std::uint32_t from = 0;
    std::int64_t began_us = 0;
    WireReader reader(bytes);
    while (reader.Next()) {
      if (reader.field() == 1) from = reader.Uint<std::uint32_t>();
      if (reader.field() == 2) began_us = reader.Int();
    }
    BERTH_RETURN_IF_ERROR(reader.status());
    if (from > kReplicasMax) {
      return {Code::kInvalidArgument, "this is no state of a slow decay"};
    }
    from_ = from;
    began_ = TimeFromMicros(began_us);
    return {};
  }

 private:
  Duration halve_in_;
  std::uint32_t from_ = 0;  // How many there were when it began; 0: it does not go on.
  Time began_;
};

}  // namespace

std::unique_ptr<Smoother> NewSlowDecay(const SmoothingSettings& settings) {
  if (settings.halve_in <= Duration::zero()) return nullptr;
  return std::make_unique<SlowDecay>(settings.halve_in);
}

}  // namespace berth
