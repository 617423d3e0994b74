#include "scale/smoother.h"

#include "scale/smoothers/builtin.h"

namespace berth {
namespace {

constexpr SmootherEntry kSmoothers[] = {
#define BERTH_SMOOTHER(file, factory, summary) {#file, summary, &factory},
#include "scale/smoothers/smoothers.def"
#undef BERTH_SMOOTHER
};

}  // namespace

std::span<const SmootherEntry> Smoothers() { return kSmoothers; }

}  // namespace berth
