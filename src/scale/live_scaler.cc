#include "scale/live_scaler.h"

#include <utility>

#include "rightsize/live_talk.h"
#include "scale/external_scaler.h"

namespace berth {
namespace {

class LiveScaler final : public Scaler {
 public:
  LiveScaler(const ProgramDesk& desk, std::string_view external, const ScalerBasis& basis,
             const std::string& service)
      : talk_(desk, external, service, CountStart(basis, service)) {}

  void Observe(const ReplicaLoad& load) override { talk_.Tell(load.at, LoadLine(load)); }

  bool AnswersLater() const override { return true; }

  std::optional<std::uint32_t> Recommend() const override { return talk_.said().count; }
  std::string Why() const override {
    if (!talk_.said().count) return {};
    return talk_.said().WhySo() + talk_.Silence();
  }
  // What it goes by nobody knows.
  bool WantsMetric(std::string_view /*metric*/) const override { return true; }

  std::string Save() const override { return talk_.said().Save(); }
  Status Restore(std::string_view bytes) override {
    BERTH_TRY(ExternalCount said, ExternalCount::Read(bytes));
    talk_.Restore(std::move(said));
    return {};
  }

 private:
  LiveTalk<ExternalCount> talk_;
};

}  // namespace

std::unique_ptr<Scaler> NewLiveScaler(const ProgramDesk& desk, std::string_view external,
                                      const ScalerBasis& basis, const std::string& service) {
  return std::make_unique<LiveScaler>(desk, external, basis, service);
}

}  // namespace berth
