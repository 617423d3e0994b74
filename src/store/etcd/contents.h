// A zone in etcd, entry by entry: for verifying it and for backups.
#pragma once

#include <memory>

#include "store/contents.h"
#include "store/etcd/options.h"

namespace berth {

std::unique_ptr<StoreContents> ContentsOfZone(const EtcdOptions& options);

}  // namespace berth
