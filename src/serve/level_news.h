// How promises stand, for readers that are told whenever it changed.
#pragma once

#include <memory>

#include "berth.pb.h"
#include "fleet/inventory.h"

namespace berth {

// Looked up once for all readers: it costs a walk over every instance.
class LatestLevels {
 public:
  // As of now, or of less than `age` ago.
  std::shared_ptr<const v1::ServiceLevelNews> At(const Inventory& view, Time now, Duration age);

 private:
  std::shared_ptr<const v1::ServiceLevelNews> latest_;
  Time looked_up_;
};

// One reader.
class LevelNewsTeller {
 public:
  // Null if it says what was told last.
  std::shared_ptr<const v1::ServiceLevelNews> Next(
      const std::shared_ptr<const v1::ServiceLevelNews>& latest);

 private:
  std::shared_ptr<const v1::ServiceLevelNews> told_;
};

}  // namespace berth
