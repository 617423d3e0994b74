// The reading half of contents.h.
#pragma once

#include <cstdint>

#include "store/contents.h"

namespace berth {

class EtcdClient;
class EtcdKeys;

Status ReadZone(EtcdClient& client, const EtcdKeys& keys, std::int64_t range_keys_max,
                const StoreContents::Take& take);

}  // namespace berth
