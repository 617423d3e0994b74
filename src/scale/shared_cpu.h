// Vertical and horizontal scaling on one service, without a fight over its cpu.
//
// Left alone they fight. The horizontal one counts replicas so that each uses a share r of its
// limit; the vertical one sets the limit to what a replica uses and a margin m. Whatever the load,
// the next limit is then r (1 + m) times the last: it shrinks, or grows, until the count or the
// limit meets a bound.
//
// The rule: utilisation is measured against a reference that nobody but the owner changes
// (ScalerBasis::reference_milli), never against the limit in force; and the limit of cpu never
// falls below that reference, whose unused share is the head-room that the owner asked for with the
// target. The count then depends on load alone and the limit on load and count: there is no loop.
#pragma once

#include "rightsize/bounds.h"
#include "scale/scaling_settings.h"

namespace berth {

// The bounds of a service's cpu beside its scaler.
SizeBounds BoundsBesideScaler(SizeBounds cpu, const ServiceScaling& scaling);

}  // namespace berth
