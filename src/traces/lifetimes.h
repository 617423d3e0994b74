// How long generated VMs live: a mixture of exponentials, from minutes to months.
//
//   share    50%     30.3%     14%    5.2%    0.5%
//   mean   220 s   6,000 s     6 h     5 d    45 d
//
// Protean's figure 5 is a picture only. The mixture has a median of 10 minutes, 66% within an hour
// and 5% over a day, with a tail of weeks and months. Exponentials have no memory: of what runs in
// the steady state, a part lives on like new, and the parts are weighted by share times mean.
#pragma once

#include "berth/rng.h"
#include "berth/time.h"

namespace berth {

// Of a VM that arrives.
Duration DrawLifetime(Rng& rng);
// What is left of a VM that runs in the steady state.
Duration DrawRemainingLifetime(Rng& rng);
double MeanLifetimeSeconds();

}  // namespace berth
