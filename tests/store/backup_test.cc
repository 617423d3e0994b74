// What is restored is what was backed up, entry by entry; what is not a whole backup is refused and
// leaves nothing behind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "random_changes.h"
#include "store/backup.h"
#include "store/backup_file.h"
#include "store/open.h"
#include "store/rocksdb_store.h"
#include "store/verify.h"
#include "support.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> EntriesIn(const StoreContents& contents) {
  std::vector<std::string> entries;
  const Status read = contents.Read([&](const StoredEntry& entry) {
    entries.push_back(EncodeBackupEntry(entry));
    return Status();
  });
  EXPECT_TRUE(read.ok()) << read.message();
  return entries;
}

std::string BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A store of so many random changes, in a directory of the test's own.
class Backup : public ::testing::Test {
 protected:
  void Fill(int changes, std::size_t log_revisions = 1'000'000) {
    RocksDbOptions options;
    options.directory = Path("from");
    options.sync = false;  // Nothing fails here.
    options.retention.revisions = log_revisions;
    const auto store = RocksDbStore::Open(options);
    ASSERT_TRUE(store.ok()) << store.status().message();
    Inventory view;
    const auto watch = store.value()->WatchFrom(
        Revision{}, mailbox_, [&](const WatchEvent& event) { view.Apply(*event.committed); });
    RandomChanges random(1, "a0");
    for (int i = 0; i < changes; ++i) {
      mailbox_.Advance(Duration(500));
      CommitAndWait(*store.value(), mailbox_, random.Next(view, mailbox_.now()));
    }
  }
  std::unique_ptr<StoreContents> Contents(const std::string& name) {
    return ContentsOf("rocksdb:" + Path(name)).value();
  }
  std::string Path(const std::string& name) const { return dir_.File(name); }

  void ExpectRestored() {
    const Result<BackupSummary> written = WriteBackup(*Contents("from"), Path("file"));
    ASSERT_TRUE(written.ok()) << written.status().message();
    const Result<BackupSummary> restored = RestoreBackup(Path("file"), *Contents("to"));
    ASSERT_TRUE(restored.ok()) << restored.status().message();
    EXPECT_EQ(restored.value().revision, written.value().revision);
    EXPECT_EQ(EntriesIn(*Contents("to")), EntriesIn(*Contents("from")));
    const Result<Verification> verified = VerifyStore(*Contents("to"));
    ASSERT_TRUE(verified.ok()) << verified.status().message();
    EXPECT_TRUE(verified.value().holds());
  }
  // Nothing is there but the files named.
  void ExpectLeft(const std::vector<std::string>& names) {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(dir_.path())) {
      found.push_back(entry.path().filename());
    }
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, names);
  }
  std::string Refused(const std::string& bytes) {
    dir_.Write("file", bytes);
    const Result<BackupSummary> restored = RestoreBackup(Path("file"), *Contents("to"));
    EXPECT_FALSE(restored.ok());
    EXPECT_FALSE(fs::exists(Path("to")));
    return restored.status().message();
  }

  testing::TempFolder dir_{testing::BinaryDir()};
  Mailbox mailbox_;
};

class BackupOfEachKind : public ::testing::TestWithParam<StoreKind> {};

TEST_P(BackupOfEachKind, IsRestoredOrRefused) {
  const testing::TempFolder dir(testing::BinaryDir());
  const StorePlace from(GetParam());
  const StorePlace to(GetParam());
  const auto contents = [](const StorePlace& place) { return ContentsOf(place.where()).value(); };
  if (!GetParam().TakesPlace()) {
    EXPECT_FALSE(WriteBackup(*contents(from), dir.File("file")).ok());
    EXPECT_FALSE(fs::exists(dir.File("file")));
    return;
  }
  {
    const auto store = OpenStore(from.where());
    ASSERT_TRUE(store.ok()) << store.status().message();
    Mailbox mailbox;
    CommitAndWait(*store.value(), mailbox, SmallFleet(2));
    CommitAndWait(*store.value(), mailbox, ChangeOf(CreateOn("web", {"m0", "m1"}), Revision{1}));
  }
  ASSERT_TRUE(WriteBackup(*contents(from), dir.File("file")).ok());
  ASSERT_TRUE(RestoreBackup(dir.File("file"), *contents(to)).ok());
  EXPECT_EQ(EntriesIn(*contents(to)), EntriesIn(*contents(from)));
  EXPECT_FALSE(RestoreBackup(dir.File("file"), *contents(to)).ok());
}

INSTANTIATE_TEST_SUITE_P(Kinds, BackupOfEachKind,
                         ::testing::ValuesIn(StoreKinds().begin(), StoreKinds().end()), KindName);

TEST_F(Backup, IsRestoredEntryByEntry) {
  Fill(1000);
  ExpectRestored();
  ExpectLeft({"file", "from", "to"});
}

TEST_F(Backup, IsRestoredWhenTheLogWasCompacted) {
  Fill(1000, /*log_revisions=*/200);
  ExpectRestored();
}

TEST_F(Backup, IsRestoredWithoutAnyLog) {
  Fill(100, /*log_revisions=*/0);
  ExpectRestored();
}

TEST_F(Backup, OfAnEmptyStoreIsRestored) {
  Fill(0);
  ExpectRestored();
}

TEST_F(Backup, TakesCommitsWhereTheOriginalStood) {
  Fill(300);
  ExpectRestored();
  const auto store = OpenStore("rocksdb:" + Path("to"));
  ASSERT_TRUE(store.ok()) << store.status().message();
  const Revision before = ReadAndWait(*store.value(), mailbox_)->revision();
  const CommitReply reply =
      CommitAndWait(*store.value(), mailbox_, ChangeOf({Put{TenantNamed("new")}}, before));
  EXPECT_EQ(reply.outcome, CommitReply::Outcome::kCommitted);
  EXPECT_EQ(reply.revision, Next(before));
}

TEST_F(Backup, DoesNotReplaceAFileOrFillWhatIsThere) {
  Fill(20);
  dir_.Write("file", "mine");
  EXPECT_EQ(WriteBackup(*Contents("from"), Path("file")).status().message(),
            Path("file") + " is there already; remove it or choose another name");
  EXPECT_EQ(BytesOf(Path("file")), "mine");
  ASSERT_TRUE(WriteBackup(*Contents("from"), Path("other")).ok());
  EXPECT_EQ(RestoreBackup(Path("other"), *Contents("from")).status().message(),
            fmt::format("cannot restore {}: '{}' is not empty; name a new directory", Path("other"),
                        Path("from")));
  fs::create_directory(Path("empty"));
  EXPECT_TRUE(RestoreBackup(Path("other"), *Contents("empty/")).ok());
  ExpectLeft({"empty", "file", "from", "other"});
}

TEST_F(Backup, ThatWasCutShortAnywhereIsRefused) {
  Fill(12);
  ASSERT_TRUE(WriteBackup(*Contents("from"), Path("whole")).ok());
  const std::string whole = BytesOf(Path("whole"));
  const std::size_t step = whole.size() / 100 + 1;  // Restoring begins a database each time.
  for (std::size_t size = 0; size < whole.size(); size += size < 40 ? 1 : step) {
    const std::string message = Refused(whole.substr(0, size));
    EXPECT_TRUE(message.starts_with(Path("file") + ": ")) << message;
  }
  EXPECT_NE(Refused(whole.substr(0, whole.size() - 1)).find("ends early, within entry"),
            std::string::npos);
  ExpectLeft({"file", "from", "whole"});
}

// Any one byte, without the database that restoring would begin.
TEST_F(Backup, ThatWasDamagedAnywhereIsRefused) {
  Fill(12);
  ASSERT_TRUE(WriteBackup(*Contents("from"), Path("whole")).ok());
  std::string bytes = BytesOf(Path("whole"));
  for (char& byte : bytes) {
    byte = static_cast<char>(byte ^ 0x10);
    std::istringstream in(bytes);
    BackupReader reader(in, "f");
    Result<std::optional<StoredEntry>> entry = reader.Next();
    while (entry.ok() && entry.value()) entry = reader.Next();
    EXPECT_FALSE(entry.ok());
    byte = static_cast<char>(byte ^ 0x10);
  }
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  EXPECT_NE(Refused(bytes).find("is damaged at byte"), std::string::npos);
}

TEST_F(Backup, ThatIsNotOneIsSaidNotToBe) {
  EXPECT_EQ(Refused("PK\3\4 something else altogether"),
            Path("file") + ": is no backup; name a file that 'berth backup' wrote");
  EXPECT_EQ(RestoreBackup(Path("none"), *Contents("to")).status().message(),
            fmt::format("cannot read {}; name a backup", Path("none")));
}

TEST_F(Backup, GoingOnAfterItsEndIsRefused) {
  Fill(3);
  ASSERT_TRUE(WriteBackup(*Contents("from"), Path("whole")).ok());
  EXPECT_NE(Refused(BytesOf(Path("whole")) + "x").find("goes on after its end"), std::string::npos);
}

TEST_F(Backup, OfANewerBerthIsRefused) {
  // The header of version 2: field 1 with fields 2 and 3, its size and its CRC-32.
  const std::string header("\x0a\x04\x10\x02\x18\x01", 6);
  const std::string frame("\x06\0\0\0\x3b\x0f\x58\x43", 8);
  EXPECT_EQ(Refused("berth-backup\n" + frame + header),
            Path("file") +
                ": was written by a newer berth (backup 2, format 1; this one reads up "
                "to 1 and 1); use that one");
}

TEST_F(Backup, WhoseLogHasAGapIsRefused) {
  Fill(30);
  std::ostringstream out;
  BackupWriter writer(out);
  int commits = 0;
  const Status read = Contents("from")->Read([&](const StoredEntry& entry) {
    const bool commit = std::holds_alternative<std::shared_ptr<const Committed>>(entry);
    return commit && ++commits == 3 ? Status() : writer.Add(entry);
  });
  ASSERT_TRUE(read.ok());
  writer.Finish();
  EXPECT_EQ(Refused(out.str()),
            fmt::format("cannot restore {}: its log lacks revision 3", Path("file")));
}

}  // namespace
}  // namespace berth
