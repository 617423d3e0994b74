// What --store may say: DIR, or a store of the table as "rocksdb:DIR" or "etcd:HOST:PORT".
#pragma once

#include <string>
#include <string_view>

#include "berth/status.h"

namespace berth {

// The name that OpenStore takes. A directory whose name looks like a store's is written "./memory".
// A store that keeps nothing is refused: what a command leaves in it no other command can read.
Result<std::string> StoreName(std::string_view given);

}  // namespace berth
