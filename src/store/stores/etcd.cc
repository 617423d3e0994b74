#include <cstdlib>
#include <string>
#include <utility>

#include "store/etcd/contents.h"
#include "store/etcd/credentials.h"
#include "store/etcd/etcd_store.h"
#include "store/stores/builtin.h"

namespace berth {
namespace {

// Of an address or credentials that say nothing.
class UnreachableContents final : public StoreContents {
 public:
  explicit UnreachableContents(Status why) : why_(std::move(why)) {}
  Status Read(const Take& /*take*/) const override { return why_; }
  Status Fill(const Next& /*next*/) const override { return why_; }

 private:
  const Status why_;
};

std::string Variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any.
  return value == nullptr ? "" : value;
}

Result<EtcdOptions> OptionsOf(std::string_view where) {
  EtcdOptions etcd;
  BERTH_TRY(etcd.address, ParseEtcdAddress(where));
  BERTH_TRY(etcd.credentials, ReadEtcdCredentials(Variable));
  return etcd;
}

}  // namespace

Result<std::unique_ptr<Store>> OpenEtcdStore(std::string_view where, const StoreOptions& options) {
  BERTH_TRY(EtcdOptions etcd, OptionsOf(where));
  etcd.retention = options.retention;
  etcd.must_exist = options.must_exist;
  BERTH_TRY(std::unique_ptr<EtcdStore> store, EtcdStore::Open(etcd));
  return std::unique_ptr<Store>(std::move(store));
}

// Too many and worth too little for etcd: each process has what was sent to it.
Result<std::unique_ptr<Observations>> EtcdObservations(std::string_view /*where*/) {
  return NewMemoryObservations();
}

std::unique_ptr<StoreContents> EtcdContents(std::string_view where) {
  const Result<EtcdOptions> etcd = OptionsOf(where);
  if (!etcd.ok()) return std::make_unique<UnreachableContents>(etcd.status());
  return ContentsOfZone(etcd.value());
}

}  // namespace berth
