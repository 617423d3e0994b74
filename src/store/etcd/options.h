// What an etcd store is told when it is opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/store.h"

namespace berth {

// Without a certificate authority the connection is plain.
struct EtcdCredentials {
  std::string authority;  // PEM: who signed the servers' certificates.
  std::string certificate;
  std::string key;
  std::string user;  // Empty: none is logged in.
  std::string password;
};

// Where a zone is kept: "HOST:PORT[,HOST:PORT...][/PREFIX]".
struct EtcdAddress {
  std::vector<std::string> endpoints;  // HOST:PORT; tried in turn.
  std::string prefix = "berth";        // Every key of the zone begins with it and a slash.
};
Result<EtcdAddress> ParseEtcdAddress(std::string_view where);
// The endpoints as they were written, for messages.
std::string ToString(const EtcdAddress& address);

// What commits that wait together are packed into; etcd's own defaults, with room to spare. One
// change that needs more is sent alone, and the server says whether it is too much.
struct EtcdBatchLimits {
  std::size_t operations = 128;
  std::size_t bytes = std::size_t{1} << 20;
};

struct EtcdOptions {
  EtcdAddress address;
  EtcdCredentials credentials;
  LogRetention retention;
  bool must_exist = false;  // Otherwise a zone is made where there is none.
  EtcdBatchLimits batch;
  std::size_t waiting_max = 16'384;  // Commits that may wait; more are answered kResourceExhausted.
  std::int64_t range_keys_max = 2000;                 // Keys in one piece of a snapshot.
  Duration attempt_max = std::chrono::seconds(2);     // One endpoint has so long to answer,
  Duration give_up_after = std::chrono::seconds(10);  // and all of them together so long.
};

}  // namespace berth
