// Who may call what: bearer tokens with roles, from a file.
//
//   tokens:
//     - {name: deploy, role: allocate, token: 4b6f...}
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "serve/method.h"

namespace berth {

// Who calls, as their token says.
struct Caller {
  std::string name = "anyone";
  v1::Role may = v1::OPERATE;
};

class Tokens {
 public:
  // Nobody needs one.
  Tokens() = default;
  static Result<Tokens> Parse(std::string_view text, const std::string& file_name);
  static Result<Tokens> Read(const std::string& file);

  bool empty() const { return held_.empty(); }
  // Who sends this "Bearer ..." header. Comparing takes as long for a nearly right token as for a
  // wrong one. Without a header they may only ask for health.
  Result<Caller> Find(std::string_view authorization) const;

 private:
  struct Held {
    std::string digest;
    Caller caller;
  };
  std::vector<Held> held_;
};

}  // namespace berth
