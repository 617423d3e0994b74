#include "scale/space/stabiliser.h"

#include "forecast/plugin_names.h"
#include "scale/space/stabilisers/builtin.h"

namespace berth {
namespace {

constexpr StabiliserEntry kStabilisers[] = {
#define BERTH_STABILISER(file, function, summary) {#file, summary, &function},
#include "scale/space/stabilisers/stabilisers.def"
#undef BERTH_STABILISER
};

}  // namespace

std::span<const StabiliserEntry> Stabilisers() { return kStabilisers; }

Result<const StabiliserEntry*> FindStabiliser(std::string_view name) {
  return FindNamed<StabiliserEntry>(kStabilisers, name, "stabiliser");
}

}  // namespace berth
