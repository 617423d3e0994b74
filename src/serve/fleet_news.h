// The fleet as a map for one reader: every machine at first, then those that changed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "allocate/outlook.h"
#include "berth.pb.h"
#include "serve/machine_usage.h"

namespace berth {

// Per cent of the whole, 254 for that or more; 255 where either is not known.
std::uint8_t PerCent(std::int64_t part, std::int64_t whole);

class FleetNewsTeller {
 public:
  // What came since it was last asked; null: nothing. The outlook has followed the view; it is null
  // where the policy does not look ahead.
  std::shared_ptr<const v1::FleetNews> Next(const Inventory& view, const MachineUsage& used,
                                            const Outlook* outlook);

 private:
  bool IsOtherFleet(const Inventory& view, const std::vector<Resource>& resources) const;
  void TellLayout(const Inventory& view, v1::FleetNews& news);

  std::vector<std::uint64_t> shapes_;  // Of the clusters, when they were told.
  std::vector<Resource> resources_;    // That any machine has.
  std::vector<std::uint32_t> places_;  // In the map, by machine.
  std::uint64_t journal_ = 0;          // Positions up to which was told.
  std::uint64_t used_ = 0;
  bool looked_ahead_ = false;
  bool begun_ = false;
};

}  // namespace berth
