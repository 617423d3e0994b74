#include "sim/tenants/annealing.h"
#include "sim/tenants/techniques/builtin.h"

namespace berth {

std::unique_ptr<Technique> NewAnnealing(const TechniqueContext& context) {
  return std::make_unique<Annealing>(context, Annealing::Ahead{});
}

}  // namespace berth
