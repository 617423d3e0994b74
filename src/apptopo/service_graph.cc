#include "apptopo/service_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "base/utf8.h"

namespace berth {
namespace {

// Text that a table and JSON can show, not only what Berth's own names may hold: tracers call
// services what they like.
Status CheckServiceName(std::string_view name) {
  const bool shown = !name.empty() && name.size() <= kTopologyNameBytesMax &&
                     !FindMalformedUtf8(name) && std::ranges::none_of(name, [](char c) {
                       return IsControl(c) || c == '\t' || c == '\n' || c == '\r';
                     });
  if (shown) return {};
  return {Code::kInvalidArgument,
          fmt::format("{} is no service's name; write 1 to {} bytes of printable text",
                      Quoted(name), kTopologyNameBytesMax)};
}

std::uint64_t SaturatingSum(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return a > kMost - std::min(b, kMost) ? kMost : a + b;
}

}  // namespace

std::vector<std::vector<ServiceVertex>> ServiceGraph::Callees() const {
  std::vector<std::vector<ServiceVertex>> callees(size());
  for (const CallEdge& edge : edges_) callees[ToIndex(edge.caller)].push_back(edge.callee);
  return callees;
}

std::vector<std::vector<ServiceVertex>> ServiceGraph::Callers() const {
  std::vector<std::vector<ServiceVertex>> callers(size());
  for (const CallEdge& edge : edges_) callers[ToIndex(edge.callee)].push_back(edge.caller);
  return callers;
}

Result<ServiceVertex> ServiceGraphBuilder::Service(std::string_view name) {
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  BERTH_RETURN_IF_ERROR(CheckServiceName(name));
  if (names_.size() == kTopologyServicesMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} is one service too many; a topology has at most {}", Quoted(name),
                              FormatCount(kTopologyServicesMax)));
  }
  const auto service = static_cast<ServiceVertex>(names_.size());
  names_.emplace_back(name);
  by_name_.emplace(names_.back(), service);
  return service;
}

Status ServiceGraphBuilder::Call(ServiceVertex caller, ServiceVertex callee, std::uint64_t calls) {
  if (caller == callee) {
    calls_to_itself_ = SaturatingSum(calls_to_itself_, calls);
    return {};
  }
  const auto [edge, added] = calls_.try_emplace({caller, callee}, 0);
  edge->second = SaturatingSum(edge->second, calls);
  if (added && calls_.size() > kTopologyEdgesMax) {
    return {Code::kInvalidArgument,
            fmt::format("{} calls {} is one edge too many; a topology has at most {}",
                        Quoted(names_[ToIndex(caller)]), Quoted(names_[ToIndex(callee)]),
                        FormatCount(kTopologyEdgesMax))};
  }
  return {};
}

ServiceGraph ServiceGraphBuilder::Build() && {
  ServiceGraph graph;
  graph.names_ = std::move(names_);
  graph.edges_.reserve(calls_.size());
  for (const auto& [ends, calls] : calls_) {
    graph.edges_.push_back({.caller = ends.first, .callee = ends.second, .calls = calls});
  }
  if (calls_to_itself_ > 0) {
    notes_.push_back(fmt::format("calls of a service to itself are left out: {}",
                                 FormatCount(calls_to_itself_)));
  }
  graph.notes_ = std::move(notes_);
  return graph;
}

}  // namespace berth
