// Programs of the user's as policies name them, `external:NAME`. Whoever starts the server says
// which program that is: a policy never names a path.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "berth/status.h"

namespace berth {

class ProgramNames {
 public:
  // Where there is no server nobody can say which there are, and any name will do.
  ProgramNames() = default;
  explicit ProgramNames(std::set<std::string, std::less<>> known) : known_(std::move(known)) {}

  // Of `external:NAME`: whether there is one.
  Status Check(std::string_view external) const;

 private:
  std::optional<std::set<std::string, std::less<>>> known_;
};

}  // namespace berth
