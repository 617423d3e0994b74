#include "berth/request.h"

namespace berth {

DecidingStats& DecidingStats::operator+=(const DecidingStats& more) {
  accepted += more.accepted;
  refused += more.refused;
  commits += more.commits;
  conflicts += more.conflicts;
  merged += more.merged;
  exceeded += more.exceeded;
  hits += more.hits;
  misses += more.misses;
  machines_on_hits += more.machines_on_hits;
  machines_on_misses += more.machines_on_misses;
  return *this;
}

}  // namespace berth
