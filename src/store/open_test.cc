#include "store/open.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(OpenStore, SaysWhichStoresThereAre) {
  const Result<std::unique_ptr<Store>> store = OpenStore("etchd:localhost");
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.status().message(),
            "there is no store 'etchd:localhost'; there are memory, rocksdb:DIR, "
            "etcd:HOST:PORT[,HOST:PORT...][/PREFIX]");
}

TEST(OpenStore, SaysHowAStoreIsWritten) {
  EXPECT_EQ(OpenStore("rocksdb").status().message(), "store 'rocksdb' is written rocksdb:DIR");
  EXPECT_EQ(OpenStore("rocksdb:").status().message(), "store 'rocksdb:' is written rocksdb:DIR");
  EXPECT_EQ(OpenStore("memory:x").status().message(), "store 'memory:x' is written memory");
}

TEST(OpenStore, OpensTheMemoryStore) { EXPECT_TRUE(OpenStore("memory").ok()); }

TEST(OpenStore, NamesTheDirectoryThatItCannotOpen) {
  const Result<std::unique_ptr<Store>> store = OpenStore("rocksdb:/proc/no/such/directory");
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.status().message().find("/proc/no/such/directory"), std::string::npos)
      << store.status().message();
}

}  // namespace
}  // namespace berth
