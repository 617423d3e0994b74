// What is shown to etcd and who is believed to be it, from files that the environment names.
#pragma once

#include <functional>
#include <string>

#include "store/etcd/options.h"

namespace berth {

// The value of a variable; empty if it is not set.
using Environment = std::function<std::string(const char* variable)>;

// BERTH_ETCD_CA, BERTH_ETCD_CERT and BERTH_ETCD_KEY name PEM files, BERTH_ETCD_USER a file with
// NAME:PASSWORD. None of them: a plain connection.
Result<EtcdCredentials> ReadEtcdCredentials(const Environment& environment);

}  // namespace berth
