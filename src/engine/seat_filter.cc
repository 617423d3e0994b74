#include "engine/seat_filter.h"

#include <fmt/format.h>

#include <algorithm>

namespace berth {
namespace {

void AddLabels(std::string& text, const Labels& labels) {
  for (const auto& [name, value] : labels) text += fmt::format(" {}={}", name.str(), value.str());
  text += ';';
}

// Of a service that minds where it is: everything that says how.
std::string OwnText(const Service& service) {
  const Constraints& wanted = service.constraints;
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {}", service.name, service.tenant.str(),
                  wanted.spread_racks, wanted.max_per_machine, wanted.max_per_rack,
                  wanted.max_per_update_domain, static_cast<int>(wanted.within), wanted.isolate);
  for (const InstanceGroup& group : service.groups) text += fmt::format(" {}", group.count);
  return text;
}

}  // namespace

SeatFilter::SeatFilter(const Inventory& view, AllocatePolicy policy, Decided decided)
    : view_(view), policy_(std::move(policy)), decided_(std::move(decided)) {
  for (const Listed<Validator>& listed : policy_.validators) {
    if (listed.id == RuleId("fits") || listed.id == RuleId("quota")) continue;
    validators_.push_back(listed.rule.get());
    reads_ |= listed.rule->reads();
  }
  for (const Listed<ClusterValidator>& listed : policy_.cluster_validators) {
    reads_ |= listed.rule->reads();
  }
}

std::string SeatFilter::TraitsText(const Service& service, const Instance& instance) const {
  std::string text = MindsItself(service) ? OwnText(service) : std::string();
  text += ';';
  if (isolation_) text += service.tenant.str();
  text += ';';
  if (reads_.Has(Trait::kNeeds)) {
    const InstanceType& type = *view_.Find(instance.type);
    for (const SkuId sku : type.skus) text += fmt::format(" {}", sku.str());
    text += ';';
    AddLabels(text, type.requires_labels);
    AddLabels(text, service.constraints.labels);
  }
  if (reads_.Has(Trait::kRole)) text += instance.role.str();
  text += ';';
  if (reads_.Has(Trait::kClass)) text += service.klass.str();
  text += ';';
  if (reads_.Has(Trait::kType)) text += instance.type.str();
  if (reads_.Has(Trait::kLimit)) {
    for (const Resource r : kAllResources) text += fmt::format(" {}", instance.limit[r]);
  }
  return text;
}

bool SeatFilter::NoteIsolation(const Service& service) {
  if (isolation_ || !service.constraints.isolate) return false;
  isolation_ = true;
  return true;
}

bool SeatFilter::MindsItself(const Service& service) {
  const Constraints& wanted = service.constraints;
  return wanted.max_per_machine > 0 || wanted.isolate || MindsPlaces(service);
}

bool SeatFilter::MindsPlaces(const Service& service) {
  const Constraints& wanted = service.constraints;
  return wanted.spread_racks > 0 || wanted.max_per_rack > 0 || wanted.max_per_update_domain > 0 ||
         wanted.within != Scope::kZone;
}

std::uint32_t SeatFilter::WordOf(const Service& service, const Instance& instance) {
  const auto [at, fresh] = word_of_.try_emplace(TraitsText(service, instance),
                                                static_cast<std::uint32_t>(words_.size()));
  if (fresh) {
    words_.emplace_back();
    words_.back().service = service;
    words_.back().sample = instance;
  }
  return at->second;
}

void SeatFilter::SetMachine(HostIndex host, MachineIndex machine) {
  if (machine_of_.size() <= ToNumber(host)) machine_of_.resize(ToNumber(host) + 1);
  machine_of_[ToNumber(host)] = machine;
}

void SeatFilter::Forget(HostIndex host) {
  const std::uint32_t number = ToNumber(host);
  refused_.erase(refused_.lower_bound({number, 0}), refused_.upper_bound({number, UINT32_MAX}));
}

const Ask& SeatFilter::AskOf(Word& word) const {
  const bool minds_itself = MindsItself(word.service);
  const std::uint64_t version = minds_itself ? decided_.version() : 0;
  if (word.ask && word.pass == pass_ && word.version == version) return *word.ask;
  word.pass = pass_;
  word.version = version;
  word.footprint = Footprint();
  if (minds_itself) {
    for (const MachineIndex machine : decided_.places(word.service.name)) {
      word.footprint.Add(view_[machine], machine);
    }
  }
  return word.ask.emplace(AskFor(view_, word.service, word.sample, word.footprint));
}

bool SeatFilter::MayRun(const Want& want, HostIndex host) const {
  if (refused_.contains({ToNumber(host), want.constraint})) return false;
  const Ask& ask = AskOf(words_[want.constraint]);
  const MachineIndex index = machine_of_[ToNumber(host)];
  const MachineState& machine = view_[index];
  const ClusterState& cluster = view_[machine.cluster];
  const Candidate candidate{index, machine};
  return std::ranges::all_of(
             validators_, [&](const Validator* rule) { return rule->IsValid(ask, candidate); }) &&
         std::ranges::all_of(policy_.cluster_validators,
                             [&](const Listed<ClusterValidator>& listed) {
                               return listed.rule->IsValid(ask, cluster);
                             });
}

}  // namespace berth
