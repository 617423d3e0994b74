// Files that fail on purpose: RocksDB's file system over the real one, for tests and benchmarks.
//
// A killed process keeps what it wrote in the page cache; a machine that loses power does not. So
// this layer remembers how much of each file was synced and whether the file's name was, and at a
// chosen point it takes the rest away for real: files shrink to what was synced, files whose
// directory was never synced vanish, renames that were not synced are undone. Deletions count as
// durable at once, which is the harder case for whoever deletes too early. It also delays syncs,
// fails them, and lets the disk run full.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "berth/time.h"

namespace rocksdb {
class FileSystem;
}

namespace berth {

class FaultyFiles {
 public:
  FaultyFiles();
  ~FaultyFiles();
  FaultyFiles(const FaultyFiles&) = delete;
  FaultyFiles& operator=(const FaultyFiles&) = delete;

  // What a store is opened with.
  std::shared_ptr<rocksdb::FileSystem> files() const;

  void DelaySyncs(Duration delay);
  void FailSyncs();
  // Notes what was synced without waiting for the disk: as good in a simulated failure, and faster.
  void PretendSyncs();
  // From now on so many bytes still fit; what exceeds them is not written.
  void FillDiskAfter(std::uint64_t bytes);
  // The power fails before the n-th change (write, sync, create, rename) from now: 0 is the next
  // one.
  void LosePowerAfter(std::uint64_t changes);
  // Of each file's unsynced bytes the first so many in a thousand survive, as when the disk had
  // begun to write them back. Default: none.
  void KeepUnsyncedPermille(std::uint32_t permille);
  // Everything fails from here on; the directory is as a machine would find it after the failure.
  void LosePowerNow();

  bool power_lost() const;
  std::uint64_t syncs() const;
  // Writes, syncs, creations and renames so far.
  std::uint64_t changes() const;

  class State;

 private:
  std::shared_ptr<State> state_;
  std::shared_ptr<rocksdb::FileSystem> files_;
};

}  // namespace berth
