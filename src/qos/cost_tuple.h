// What a set of preemptions costs (section 4.1.3, as the authors' HostSelection logs settle it).
//
// Per rank, the most important first, by how much the victims at risk fall below their margins;
// then, over the safe ones, the sum of one over what they have above theirs. Smaller is cheaper.
// So anybody at risk costs more than any number of the safe, and among the safe who has most to
// spare is cheapest.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "qos/availability.h"
#include "qos/class_terms.h"

namespace berth {

class CostTuple {
 public:
  explicit CostTuple(std::size_t ranks) : ranks_(ranks) {
    for (std::size_t i = 0; i < ranks; ++i) at_risk_[i] = 0;
  }

  void Add(const ClassTerms& terms, const Leeway& leeway) {
    const Leeway above = leeway.Minus(terms.margin);
    if (above.scaled < 0) {
      at_risk_[terms.rank] -= above.Micros();
    } else if (above.scaled == 0) {
      safe_ = std::numeric_limits<double>::infinity();
    } else {
      safe_ += 1 / above.Micros();
    }
  }

  // One victim of this rank, whatever it has to spare: for who only counts.
  void AddOne(std::uint32_t rank) { at_risk_[rank] += 1; }

  // So many victims of this rank, none with more above its margin than that, cost at least this.
  double MostAboveMargin(std::uint32_t rank, double victims) const {
    for (std::uint32_t i = 0; i < ranks_; ++i) {
      if (at_risk_[i] == 0) continue;
      if (rank == i) return -at_risk_[i] / victims;
      return rank < i ? 0 : -std::numeric_limits<double>::infinity();
    }
    return victims / safe_;
  }

  friend std::partial_ordering operator<=>(const CostTuple& a, const CostTuple& b) {
    for (std::size_t i = 0; i < a.ranks_; ++i) {
      if (const auto order = a.at_risk_[i] <=> b.at_risk_[i]; order != 0) return order;
    }
    return a.safe_ <=> b.safe_;
  }

 private:
  std::size_t ranks_;
  std::array<double, kClassesMax> at_risk_;
  double safe_ = 0;
};

}  // namespace berth
