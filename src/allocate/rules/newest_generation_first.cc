#include "allocate/rules/builtin.h"
#include "allocate/rules/listed_order.h"

namespace berth {
namespace {

class NewestGenerationFirst final : public Preference {
 public:
  explicit NewestGenerationFirst(Fields& options) : order_(options) {}

  std::string_view name() const override { return "newest_generation_first"; }
  std::string_view summary() const override { return "machines by their SKU, in the order listed"; }

  std::uint32_t Points(const Ask& /*ask*/, const Candidate& machine) const override {
    return order_.Points(machine.state.record.sku);
  }

 private:
  ListedOrder<SkuId> order_;
};

}  // namespace

std::unique_ptr<Rule> NewNewestGenerationFirst(Fields& options) {
  return std::make_unique<NewestGenerationFirst>(options);
}

}  // namespace berth
