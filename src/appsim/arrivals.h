// When users send requests of one load.
#pragma once

#include <cstdint>
#include <optional>

#include "appsim/app_model.h"
#include "appsim/draws.h"
#include "berth/rng.h"

namespace berth {

class LoadArrivals {
 public:
  LoadArrivals(const AppLoad& load, const Rng& rng);

  // Microseconds, never before the last; none: that was all.
  std::optional<std::int64_t> Next();

 private:
  // To the next stretch of a constant rate; false: there is none.
  bool Advance();

  const AppLoad& load_;
  Rng rng_;
  Draws noise_;
  double stretch_;    // Microseconds that a rate holds.
  double at_ = 0;     // How far we are, microseconds,
  double until_ = 0;  // and to where the rate holds.
  double rate_ = 0;   // A microsecond.
  std::uint64_t stretches_ = 0;
};

}  // namespace berth
