// What a store keeps, entry by entry, below the store itself: for verifying it, and for backups
// that may be restored into a store of another kind.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "berth/change.h"
#include "berth/status.h"
#include "berth/store.h"
#include "fleet/invariants.h"
#include "store/codec.h"

namespace berth {

// The revision at which a machine's instances last changed, if that is later than its own.
struct TouchedMachine {
  MachineId machine;
  Revision revision{};
};
struct AgentSequence {
  std::string agent;
  std::uint64_t last = 0;
};
// Something that is there and cannot be read, or is not where it belongs.
struct DamagedEntry {
  std::string where;
  std::string why;
};

// A record is an update: a policy that was removed has no record and keeps its revision.
using StoredEntry = std::variant<StoredHead, Update, TouchedMachine, AgentSequence,
                                 std::shared_ptr<const Committed>, DamagedEntry>;

// Why a log whose entry at this revision is missing is refused.
Status LogLacks(Revision revision);

class StoreContents {
 public:
  using Take = std::function<Status(StoredEntry)>;
  // The next entry, none after the last.
  using Next = std::function<Result<std::optional<StoredEntry>>()>;

  virtual ~StoreContents() = default;

  // The head, then the records, what is kept about machines and agents, and the log, oldest first.
  // Changes nothing. Ends early when `take` answers an error, and answers that.
  virtual Status Read(const Take& take) const = 0;
  // Makes a store of these entries, in the same order, in a place that holds nothing yet. Whole and
  // durable, or not at all.
  virtual Status Fill(const Next& next) const = 0;
  // Of a store that keeps several copies: whether they are the same.
  virtual Result<std::vector<Check>> CompareCopies() const { return std::vector<Check>(); }
};

}  // namespace berth
