// Which recommendations are asked for: of one service, unless that is empty; after that service and
// type, unless it is empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "berth/name.h"

namespace berth {

struct RecommendationQuery {
  std::string service = {};
  std::string after_service = {};
  TypeId after_type = {};
  std::size_t most = SIZE_MAX;
};

}  // namespace berth
