// When generated requests arrive: a Poisson process whose rate follows the hour and the day of the
// week, with spikes of ten times the mean.
//
// Protean's figures 3 and 4 are pictures only: less overnight, large spikes throughout the day. The
// week starts on a Monday at midnight; each three hours of it have one spike of one to three
// minutes at a random time.
#pragma once

#include <cstdint>

#include "berth/rng.h"
#include "berth/time.h"

namespace berth {

class ArrivalTimes {
 public:
  // `mean_per_second` is the mean over a week, spikes included; over 0.
  ArrivalTimes(double mean_per_second, const Rng& rng);

  // The next arrival since the start. Never falls, never ends.
  Duration Next();

 private:
  struct Stretch {
    double per_second = 0;
    double until_s = 0;
  };
  // The rate from now on, and until when it stays so.
  Stretch Now();

  double mean_per_second_;
  Rng gaps_;
  Rng spikes_;
  double now_s_ = 0;
  std::uint64_t slot_ = UINT64_MAX;  // The three hours that the spike belongs to.
  double spike_begin_s_ = 0;
  double spike_end_s_ = 0;
};

}  // namespace berth
