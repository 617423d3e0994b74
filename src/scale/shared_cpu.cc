#include "scale/shared_cpu.h"

namespace berth {

SizeBounds BoundsBesideScaler(SizeBounds cpu, const ServiceScaling& scaling) {
  const Result<ScalerEntry> entry = FindScaler(scaling.scaler);
  // What a program goes by nobody knows: it may be cpu.
  if (!entry.ok() || entry.value().Is(kFollowsCpu)) cpu.counted_by = scaling.basis.reference_milli;
  return cpu;
}

}  // namespace berth
