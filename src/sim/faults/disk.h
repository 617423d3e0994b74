// The log on a disk: only what was synced is sure to be there after a crash.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "berth/rng.h"
#include "berth/store.h"

namespace berth::faults {

class Disk {
 public:
  using Entry = std::shared_ptr<const Committed>;

  // `durable` is told every entry once it can no longer be lost, in order.
  explicit Disk(std::function<void(const Entry&)> durable) : durable_(std::move(durable)) {}

  void Write(Entry entry) { written_.push_back(std::move(entry)); }
  // All that is written by now can no longer be lost.
  void Sync();
  // Whoever wrote is gone: of what was not synced some of the beginning may be there, by luck.
  void Crash(Rng& luck);

  // All that would be read now, synced or not, from the first revision on.
  const std::vector<Entry>& log() const { return written_; }

 private:
  const std::function<void(const Entry&)> durable_;
  std::vector<Entry> written_;
  std::size_t synced_ = 0;
};

}  // namespace berth::faults
