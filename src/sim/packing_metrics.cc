#include "sim/packing_metrics.h"

#include <algorithm>

namespace berth {
namespace {

// What was counted since; what is kept now is no count.
KeptStats Since(const KeptStats& before, KeptStats now) {
  now.asked -= before.asked;
  now.hits -= before.hits;
  now.machines -= before.machines;
  now.in_background -= before.in_background;
  now.evicted -= before.evicted;
  return now;
}

}  // namespace

PackingMetrics::PackingMetrics()
    : conflicts_by_second_(std::chrono::seconds(1)),
      conflicts_by_minute_(std::chrono::minutes(1)),
      answers_by_second_(std::chrono::seconds(1)) {}

void PackingMetrics::BeginTiming(Time now, const Engine& engine) {
  timing_ = true;
  engine_before_ = engine.stats();
  kept_before_ = engine.cache_stats();
  conflicts_by_second_.Begin(now);
  conflicts_by_minute_.Begin(now);
  answers_by_second_.Begin(now);
}

void PackingMetrics::NoteCommit(Time now, const CommitReply& reply) {
  if (!timing_ || reply.outcome != CommitReply::Outcome::kConflict) return;
  conflicts_by_second_.Note(now);
  conflicts_by_minute_.Note(now);
}

void PackingMetrics::NoteReply(const Reply& reply, std::int64_t millicores) {
  ++requests_.asked;
  requests_.asked_millicores += millicores;
  if (!reply.status.ok()) {
    ++requests_.refusals["invalid: " + reply.status.message()];
    return;
  }
  NoteRules(*reply.decision);
  if (!reply.accepted()) {
    ++requests_.refusals[reply.decision->refusal->rule.str()];
    return;
  }
  ++requests_.accepted;
  requests_.accepted_millicores += millicores;
  requests_.instances += reply.decision->placed.size();
}

void PackingMetrics::NoteTime(Time asked_at, Time now, const Reply& reply) {
  if (!timing_) return;
  micros_.Add(static_cast<std::uint64_t>((now - asked_at).count()));
  answers_by_second_.Note(now);
  if (reply.decision) contention_.retries.Add(reply.decision->conflicts);
}

// Decisions name the same rules in the same order, but for those of a policy replaced meanwhile.
RuleEffect& PackingMetrics::EffectOf(const FunnelStep& step, std::size_t place) {
  if (place < rules_.size() && rules_[place].rule == step.rule.str()) return rules_[place];
  const auto known = std::ranges::find(rules_, step.rule.str(), &RuleEffect::rule);
  if (known != rules_.end()) return *known;
  return rules_.emplace_back(RuleEffect{.rule = step.rule.str(), .validator = step.validator});
}

void PackingMetrics::NoteRules(const Decision& decision) {
  for (const Funnel& funnel : decision.funnels) {
    double before = funnel.machines;
    for (std::size_t i = 0; i < funnel.steps.size(); ++i) {
      const FunnelStep& step = funnel.steps[i];
      RuleEffect& effect = EffectOf(step, i);
      if (before <= 0) continue;
      ++effect.asked;
      effect.kept += step.left / before;
      effect.left += step.left;
      before = step.left;
    }
  }
}

void PackingMetrics::End(Time now, const Engine& engine) {
  const EngineStats& before = engine_before_;
  const EngineStats stats = engine.stats();
  contention_.commits = stats.commits - before.commits;
  contention_.conflicts = stats.conflicts - before.conflicts;
  contention_.merged = stats.merged - before.merged;
  contention_.conflicts_by_second = conflicts_by_second_.Until(now);
  contention_.conflicts_by_minute = conflicts_by_minute_.Until(now);
  contention_.answers_by_second = answers_by_second_.Until(now);
  const CacheStats kept = engine.cache_stats();
  cache_.kept = {.evaluations = Since(kept_before_.evaluations, kept.evaluations),
                 .rule_objects = Since(kept_before_.rule_objects, kept.rule_objects),
                 .facts = Since(kept_before_.facts, kept.facts)};
  cache_.hits = stats.hits - before.hits;
  cache_.misses = stats.misses - before.misses;
  cache_.machines_on_hits = stats.machines_on_hits - before.machines_on_hits;
  cache_.machines_on_misses = stats.machines_on_misses - before.machines_on_misses;
}

std::vector<RuleEffect> PackingMetrics::Rules() const {
  std::vector<RuleEffect> rules = rules_;
  for (RuleEffect& effect : rules) {
    const auto refusals = requests_.refusals.find(effect.rule);
    if (refusals != requests_.refusals.end()) effect.refusals = refusals->second;
    if (effect.asked == 0) continue;
    effect.kept /= static_cast<double>(effect.asked);
    effect.left /= static_cast<double>(effect.asked);
  }
  return rules;
}

}  // namespace berth
