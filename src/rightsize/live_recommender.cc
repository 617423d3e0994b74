#include "rightsize/live_recommender.h"

#include <fmt/format.h>

#include "base/text.h"
#include "rightsize/external_recommender.h"
#include "rightsize/live_talk.h"

namespace berth {
namespace {

class LiveRecommender final : public Recommender {
 public:
  LiveRecommender(const ProgramDesk& desk, std::string_view external, const Sized& sized)
      : resource_(sized.resource), talk_(desk, external, sized.service, SizeStart(sized)) {}

  void Observe(const UsageWindow& window) override { talk_.Tell(window.end, WindowLine(window)); }
  void ObserveOom(std::int64_t used, Time at) override { talk_.Tell(at, OomLine(used, at)); }

  std::optional<SizeAdvice> Recommend() const override { return talk_.said().advice; }
  std::string Why() const override {
    if (!talk_.said().advice) return {};
    return talk_.said().WhySo(resource_) + talk_.Silence();
  }

  std::string Save() const override { return talk_.said().Save(); }
  Status Restore(std::string_view bytes) override {
    BERTH_TRY(ExternalSize said, ExternalSize::Read(bytes));
    talk_.Restore(std::move(said));
    return {};
  }

 private:
  Resource resource_;
  LiveTalk<ExternalSize> talk_;
};

}  // namespace

std::string NotAnsweredSince(Time since) {
  return fmt::format("; the program has not answered since {}", FormatTime(since));
}

std::unique_ptr<Recommender> NewLiveRecommender(const ProgramDesk& desk, std::string_view external,
                                                const Sized& sized) {
  return std::make_unique<LiveRecommender>(desk, external, sized);
}

}  // namespace berth
