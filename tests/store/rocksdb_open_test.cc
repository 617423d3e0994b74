// Directories that the store must not take for its own state, and what it says of them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rocksdb/db.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "store/codec.h"
#include "store/database.h"
#include "store/keys.h"
#include "store/rocksdb_store.h"
#include "support.h"

namespace berth {
namespace {

class RocksDbOpen : public ::testing::Test {
 protected:
  Result<std::unique_ptr<RocksDbStore>> Open() {
    RocksDbOptions options;
    options.directory = dir_.path();
    return RocksDbStore::Open(options);
  }
  // A store with a small fleet and a service on it, closed.
  void Fill() {
    auto store = Open();
    ASSERT_TRUE(store.ok()) << store.status().message();
    Mailbox mailbox;
    CommitAndWait(*store.value(), mailbox, SmallFleet(2));
    CommitAndWait(*store.value(), mailbox, ChangeOf(CreateOn("web", {"m0", "m1"}), Revision{1}));
  }
  // Changes the database behind the store's back.
  void Tamper(const std::function<void(rocksdb::DB&)>& change) {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* db = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(options, dir_.path(), &db).ok());
    const std::unique_ptr<rocksdb::DB> owned(db);
    change(*owned);
  }
  void ExpectRefused(const std::string& because) {
    const auto store = Open();
    ASSERT_FALSE(store.ok());
    EXPECT_NE(store.status().message().find(dir_.path()), std::string::npos)
        << store.status().message();
    EXPECT_NE(store.status().message().find(because), std::string::npos)
        << store.status().message();
  }
  static void Put(rocksdb::DB& db, std::string_view key, std::string_view value) {
    ASSERT_TRUE(db.Put(rocksdb::WriteOptions(), rocksdb::Slice(key), rocksdb::Slice(value)).ok());
  }
  static void Delete(rocksdb::DB& db, std::string_view key) {
    ASSERT_TRUE(db.Delete(rocksdb::WriteOptions(), rocksdb::Slice(key)).ok());
  }

  testing::TempFolder dir_{testing::BinaryDir()};
};

TEST_F(RocksDbOpen, OpensWhatItWrote) {
  Fill();
  EXPECT_TRUE(Open().ok());
}

TEST_F(RocksDbOpen, RefusesANewerFormat) {
  Fill();
  Tamper([](rocksdb::DB& db) { Put(db, keys::kFormat, EncodeFormat(kFormatVersion + 1)); });
  ExpectRefused("was written by a newer berth (format 2, this one reads up to 1); use that one");
}

TEST_F(RocksDbOpen, RefusesSomeoneElsesDatabase) {
  Tamper([](rocksdb::DB& db) { Put(db, "their-key", "their value"); });
  ExpectRefused("is not berth's; choose another directory");
}

TEST_F(RocksDbOpen, RefusesAPlaceThatIsAFile) {
  Tamper([](rocksdb::DB&) {});
  RocksDbOptions options;
  options.directory = dir_.File("CURRENT");
  const auto store = RocksDbStore::Open(options);
  ASSERT_FALSE(store.ok());
  EXPECT_NE(store.status().message().find("cannot open the store in " + dir_.path().string()),
            std::string::npos)
      << store.status().message();
}

TEST_F(RocksDbOpen, NamesADamagedRecord) {
  Fill();
  Tamper([](rocksdb::DB& db) { Put(db, "record/machine/m1", "\xff\xff\xff"); });
  ExpectRefused("is damaged at key record/machine/m1: malformed record");
}

TEST_F(RocksDbOpen, NamesARecordUnderAnotherKey) {
  Fill();
  Tamper([](rocksdb::DB& db) {
    Put(db, "record/tenant/x",
        Encode(StoredRecord{.revision = Revision{1}, .record = TenantNamed("y")}));
  });
  ExpectRefused("is damaged at key record/tenant/x: it holds another record");
}

TEST_F(RocksDbOpen, NamesWhatLacksItsOwner) {
  Fill();
  Tamper([](rocksdb::DB& db) { Delete(db, "record/machine/m1"); });
  ExpectRefused("its machine m1 is missing");
}

TEST_F(RocksDbOpen, NamesARecordFromTheFuture) {
  Fill();
  Tamper([](rocksdb::DB& db) {
    Put(db, "record/tenant/x",
        Encode(StoredRecord{.revision = Revision{99}, .record = TenantNamed("x")}));
  });
  ExpectRefused("its revision 99 is newer than the store's 2");
}

TEST_F(RocksDbOpen, NoticesALogWithoutItsEnd) {
  Fill();
  Tamper([](rocksdb::DB& db) { Delete(db, keys::OfLog(Revision{2})); });
  ExpectRefused("the log lacks revision 2");
}

TEST_F(RocksDbOpen, NoticesAMissingTableOrLog) {
  Fill();
  for (const auto& entry : std::filesystem::directory_iterator(dir_.path())) {
    if (entry.path().filename().string().starts_with("MANIFEST")) {
      std::filesystem::remove(entry.path());
    }
  }
  ExpectRefused("cannot open the store in");
}

}  // namespace
}  // namespace berth
