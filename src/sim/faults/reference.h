// The committed fleet as plain maps, and what must hold of it, looked up the slow and obvious way.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "berth/store.h"

namespace berth::faults {

class Reference {
 public:
  // Takes over a commit. Answers the first thing wrong with the fleet after it, as a sentence:
  // a machine over its capacity, isolation or spread broken, a service that is neither whole nor
  // absent, an instance put on a machine that takes none.
  std::optional<std::string> Apply(const Committed& committed);

  const std::map<RecordKey, Record>& records() const { return records_; }

 private:
  using Problem = std::optional<std::string>;

  // What a commit names, and all that stood where it changed something.
  struct Touched {
    std::set<MachineId> machines;
    std::set<MachineId> gaining;
    std::set<std::string> services;
    std::set<std::string> created;
  };
  Touched Install(const Committed& committed);
  Problem CheckMachine(MachineId name) const;
  Problem CheckArrival(MachineId name) const;
  Problem CheckService(const std::string& name, bool created) const;
  Problem CheckSpread(const Service& service) const;
  Problem CheckDecision(const Decision& decision) const;

  const Machine& MachineOf(const Instance& instance) const;
  template <typename T>
  const T* Find(const RecordKey& key) const;
  // Calls `see` with every instance, or those of one service.
  template <typename See>
  void ForEachInstance(const See& see) const;
  template <typename See>
  void ForEachInstanceOf(const std::string& service, const See& see) const;

  std::map<RecordKey, Record> records_;  // But for decisions.
};

}  // namespace berth::faults
