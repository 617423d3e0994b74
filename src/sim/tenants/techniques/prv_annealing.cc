#include "sim/tenants/annealing.h"
#include "sim/tenants/techniques/builtin.h"

namespace berth {
namespace {

constexpr std::uint32_t kRepetitionsAhead = 100;

}  // namespace

std::unique_ptr<Technique> NewPrvAnnealing(const TechniqueContext& context) {
  return std::make_unique<Annealing>(context, kRepetitionsAhead);
}

}  // namespace berth
