// What the owner asked for, whatever is used: what others are compared with.
#include <fmt/format.h>

#include "rightsize/recommenders/builtin.h"
#include "rightsize/size_text.h"

namespace berth {
namespace {

class Fixed final : public Recommender {
 public:
  explicit Fixed(const Sized& sized) : resource_(sized.resource), request_(sized.request) {}

  void Observe(const UsageWindow& window) override { known_ = known_ || !window.samples.empty(); }
  void ObserveOom(std::int64_t /*used*/, Time /*at*/) override {}
  std::optional<SizeAdvice> Recommend() const override {
    if (!known_) return std::nullopt;
    return SizeAdvice{.target = request_, .lower = request_, .upper = request_};
  }
  std::string Why() const override {
    if (!known_) return {};
    return fmt::format("{}: as its owner asked for", FormatSize(resource_, request_));
  }

  std::string Save() const override { return known_ ? "known" : ""; }
  Status Restore(std::string_view bytes) override {
    if (!bytes.empty() && bytes != "known") {
      return {Code::kInvalidArgument, "this is no state of a fixed limit"};
    }
    known_ = !bytes.empty();
    return {};
  }

 private:
  Resource resource_;
  std::int64_t request_;
  bool known_ = false;
};

}  // namespace

std::unique_ptr<Recommender> NewFixed(const Sized& sized) { return std::make_unique<Fixed>(sized); }

}  // namespace berth
