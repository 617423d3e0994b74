// The writing half of contents.h.
#pragma once

#include "store/contents.h"
#include "store/etcd/options.h"

namespace berth {

class EtcdClient;
class EtcdKeys;

Status FillZone(EtcdClient& client, const EtcdKeys& keys, const EtcdBatchLimits& limits,
                const StoreContents::Next& next);

}  // namespace berth
