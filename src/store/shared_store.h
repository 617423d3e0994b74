// A store that several processes may have open at once.
#pragma once

#include <cstdint>

#include "berth/store.h"

namespace berth {

class SharedStore : public Store {
 public:
  // A number that no other opening of it has, in any process.
  virtual std::uint64_t opening() const = 0;
};

}  // namespace berth
