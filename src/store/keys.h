// The keys of the stored format (docs/store.md): readable text, then big-endian numbers where order
// or a fixed width matters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "berth/ids.h"
#include "berth/name.h"
#include "berth/records.h"

namespace berth::keys {

inline constexpr std::string_view kFormat = "format";
inline constexpr std::string_view kHead = "head";
inline constexpr std::string_view kLog = "log/";
inline constexpr std::string_view kDecisions = "decision/";
inline constexpr std::string_view kAgents = "agent/";
inline constexpr std::string_view kTouched = "touched/";

// Every record of a kind starts with this; decisions are in the log only.
std::string Records(RecordKind kind);
std::string OfRecord(const RecordKey& key);
std::string OfLog(Revision revision);
std::string OfDecision(const DecisionId& id);
std::string OfAgent(std::string_view agent);
std::string OfTouched(MachineId machine);

// The key as a message shows it.
std::string Readable(std::string_view key);

// The least key after all that start with `prefix`.
std::string PastPrefix(std::string_view prefix);

// The revision of a log key; none if it is not one.
std::optional<Revision> LogRevision(std::string_view key);

}  // namespace berth::keys
