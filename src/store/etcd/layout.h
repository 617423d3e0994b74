// What the etcd store keeps under its prefix: keys and values. docs/store.md describes them. Where
// the RocksDB store has numbers in eight bytes, these have twenty digits, so that etcdctl shows
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/store.h"
#include "fleet/inventory.h"
#include "store/codec.h"
#include "store/contents.h"

namespace berth {

class EtcdKeys {
 public:
  explicit EtcdKeys(std::string_view prefix) : root_(std::string(prefix) + "/") {}

  const std::string& Root() const { return root_; }
  std::string Format() const;
  std::string Head() const;
  std::string Opened() const;
  // Instances have no key of their own: they are in their service's value.
  std::string Records(RecordKind kind) const;
  std::string OfRecord(const RecordKey& key) const;
  std::string OfLog(Revision revision) const;
  std::string Decisions() const;
  std::string OfDecision(const DecisionId& id) const;
  std::string Agents() const;
  std::string OfAgent(std::string_view agent) const;
  std::string Touched() const;
  std::string OfTouched(MachineId machine) const;

  // After the last log key. Head and log are neighbours: nothing else lies between them.
  std::string PastLog() const;
  // Of a log key of this zone; none if it is another key.
  std::optional<Revision> LogRevision(std::string_view key) const;

 private:
  std::string root_;
};

struct EtcdHead {
  StoredHead stored;
  // Touches of machines are in the touched keys up to this revision, later ones in log entries.
  Revision touched{};
};
std::string Encode(const EtcdHead& head);
Result<EtcdHead> DecodeEtcdHead(std::string_view bytes);

// Who wrote a log entry: the store that was opened as the `writer`th, in its `transaction`th try.
struct Origin {
  std::uint64_t writer = 0;
  std::uint64_t transaction = 0;

  friend bool operator==(const Origin&, const Origin&) = default;
};

struct LogEntry {
  std::shared_ptr<const Committed> committed;
  Origin origin;
  // Machines whose last change shows in no record, because what changed is no longer there.
  std::vector<TouchedMachine> touched;
};
std::string Encode(const Committed& committed, const Origin& origin,
                   const std::vector<const MachineState*>& touched);
Result<LogEntry> DecodeLogEntry(std::string_view bytes);

// A service with its instances. They leave out its name, which would be most of what they hold.
std::string Encode(const ServiceState& service);
// In the order in which they can be installed.
Result<std::vector<Update>> DecodeService(std::string_view bytes);

}  // namespace berth
