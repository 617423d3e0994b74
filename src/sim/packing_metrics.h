// What a packing rehearsal counts as it goes: requests, rules, conflicts, time, what agents keep.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "allocate/cache/kept.h"
#include "berth/engine.h"
#include "sim/tally.h"

namespace berth {

// What was asked, and what came of it.
struct Requests {
  std::uint64_t asked = 0;
  std::uint64_t accepted = 0;
  std::uint64_t instances = 0;  // Placed in all.
  std::int64_t asked_millicores = 0;
  std::int64_t accepted_millicores = 0;
  std::map<std::string, std::uint64_t> refusals;  // By the rule that decided it.
};

// What a rule did to the choice.
struct RuleEffect {
  std::string rule;
  bool validator = true;
  std::uint64_t asked = 0;     // Decisions in which machines were left for it to judge.
  double kept = 0;             // Mean share of those machines that it left: its aggressiveness.
  double left = 0;             // Mean number of machines that it left.
  std::uint64_t refusals = 0;  // Requests refused because it left none.
};

// How agents got on with each other.
struct Contention {
  std::uint64_t commits = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t merged = 0;   // Committed although the view was stale.
  Tally retries;              // Of requests, by how often they were decided again.
  Tally conflicts_by_second;  // Seconds, by how many conflicts they saw.
  Tally conflicts_by_minute;  // The same of minutes.
  Tally answers_by_second;    // Seconds, by how many requests were answered.
};

// From submission to answer: waiting for the agent, its thinking, the commit, and all of it again
// after conflicts.
struct DecisionTimes {
  Tally micros;
  std::uint64_t hits = 0;    // Thoughts that were short, as the model had it,
  std::uint64_t misses = 0;  // and long.
};

// What agents kept, all together, and what deciding cost them.
struct CacheUse {
  CacheStats kept;
  std::uint64_t hits = 0;              // Decisions that found every evaluation kept,
  std::uint64_t misses = 0;            // and that did not,
  std::uint64_t machines_on_hits = 0;  // and the machines judged during them.
  std::uint64_t machines_on_misses = 0;
};

class PackingMetrics {
 public:
  PackingMetrics();

  // From now on agents' conflicts, times and caches are counted; the rest counts what it is told.
  void BeginTiming(Time now, const Engine& engine);
  bool timing() const { return timing_; }

  void NoteCommit(Time now, const CommitReply& reply);
  // A request's answer, and how many cores it asked for.
  void NoteReply(const Reply& reply, std::int64_t millicores);
  // The same request's retries and time, if it came while timing.
  void NoteTime(Time asked_at, Time now, const Reply& reply);
  void End(Time now, const Engine& engine);

  const Requests& requests() const { return requests_; }
  const Contention& contention() const { return contention_; }
  // From submission to answer, of requests.
  const Tally& micros() const { return micros_; }
  const CacheUse& cache() const { return cache_; }
  // In their order; means are worked out.
  std::vector<RuleEffect> Rules() const;

 private:
  void NoteRules(const Decision& decision);
  RuleEffect& EffectOf(const FunnelStep& step, std::size_t place);

  Requests requests_;
  std::vector<RuleEffect> rules_;  // `kept` and `left` are sums.
  Contention contention_;
  RateMeter conflicts_by_second_;
  RateMeter conflicts_by_minute_;
  RateMeter answers_by_second_;
  Tally micros_;
  CacheUse cache_;
  bool timing_ = false;
  EngineStats engine_before_;  // When timing began.
  CacheStats kept_before_;
};

}  // namespace berth
