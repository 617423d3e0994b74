#include "sim/faults/disk.h"

namespace berth::faults {

void Disk::Sync() {
  while (synced_ < written_.size()) durable_(written_[synced_++]);
}

void Disk::Crash(Rng& luck) {
  const std::size_t kept = synced_ + luck.Below(written_.size() - synced_ + 1);
  written_.resize(kept);
  Sync();
}

}  // namespace berth::faults
