// Reading many keys in pieces that all show the same moment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "berth/status.h"

namespace berth {

class EtcdClient;

class EtcdScan {
 public:
  // As etcd stood at its revision `at`; so many keys in a piece at most.
  EtcdScan(EtcdClient& client, std::int64_t at, std::int64_t keys_max)
      : client_(client), at_(at), keys_max_(keys_max) {}

  // Called for every key, in key order. An error ends the scan.
  using Visit = std::function<Status(const std::string& key, const std::string& value)>;
  Status Between(std::string from, const std::string& to, const Visit& visit) const;
  Status Under(const std::string& prefix, const Visit& visit) const;

 private:
  EtcdClient& client_;
  const std::int64_t at_;
  const std::int64_t keys_max_;
};

}  // namespace berth
