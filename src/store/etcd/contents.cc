#include "store/etcd/contents.h"

#include <utility>

#include "store/etcd/client.h"
#include "store/etcd/contents_fill.h"
#include "store/etcd/contents_read.h"
#include "store/etcd/layout.h"
#include "store/etcd/members.h"

namespace berth {
namespace {

class ZoneContents final : public StoreContents {
 public:
  explicit ZoneContents(EtcdOptions options) : options_(std::move(options)) {}

  Status Read(const Take& take) const override {
    EtcdClient client(options_);
    return ReadZone(client, EtcdKeys(options_.address.prefix), options_.range_keys_max, take);
  }
  Status Fill(const Next& next) const override {
    EtcdClient client(options_);
    return FillZone(client, EtcdKeys(options_.address.prefix), options_.batch, next);
  }
  Result<std::vector<Check>> CompareCopies() const override { return CompareMembers(options_); }

 private:
  const EtcdOptions options_;
};

}  // namespace

std::unique_ptr<StoreContents> ContentsOfZone(const EtcdOptions& options) {
  return std::make_unique<ZoneContents>(options);
}

}  // namespace berth
