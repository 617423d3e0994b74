#include "sim/tenants/annealing.h"
#include "sim/tenants/techniques/builtin.h"

namespace berth {
std::unique_ptr<Technique> NewPrvAnnealing(const TechniqueContext& context) {
  return std::make_unique<Annealing>(context, Annealing::Ahead{.repetitions = 100});
}

}  // namespace berth
