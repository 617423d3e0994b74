// One connection to the store, as long as it lasts. To the store it is an executor: what is posted
// to it travels to the other end.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "berth/store.h"
#include "sim/faults/network.h"

namespace berth::faults {

// The store may owe it something after it was hung up, so it lives as long as the store does.
class Link final : public Executor, public std::enable_shared_from_this<Link> {
 public:
  // `home` is where answers run, `lost` is told if the store's end is lost.
  Link(World& world, Rng rng, std::int64_t slowness, Executor& home, std::function<void()> lost);

  Time now() const override { return home_.now(); }
  void Post(Task task) override;
  void PostAt(Time at, Task task) override;

  // To the store: arrives in order.
  void Ask(Task arrive);
  // From our end: no answer arrives any more, but what is on its way to the store may.
  void HangUp(bool rest_arrives);
  // From the store's end.
  void Lose();
  bool open() const { return open_; }

  // The store's end of the watches that were asked for here, by number.
  std::map<std::uint64_t, std::unique_ptr<Watch>> watches;

 private:
  Executor& home_;
  OrderedPath there_;
  OrderedPath back_;
  const std::function<void()> lost_;
  bool open_ = true;     // Our end.
  bool reaches_ = true;  // What is on its way arrives at the store.
};

}  // namespace berth::faults
