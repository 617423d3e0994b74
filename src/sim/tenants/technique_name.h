// A technique as it is named on the command line: which one, with what initial estimate, and
// whether somebody tells it the future.
//
//   worst_fit_max  worst_fit_max@p95  worst_fit_max+oracle  worst_fit_max@p95+oracle
//   prv_worst_fit  prv_worst_fit+truth
//   policy:prv.yaml
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "sim/tenants/technique.h"

namespace berth {

struct TechniqueName {
  const TechniqueEntry* technique = nullptr;
  // Of what past tenants of the class came to need, taken for one of which nothing is seen yet.
  int percentile = 50;
  // Tenants at least a day old are reported with the most they will need within a day, in place of
  // what they need.
  bool oracle = false;
  // The estimate goes by every tenant's own future in place of those of past ones (true_models.h).
  bool truth = false;
  std::string policy_file = {};  // Of `policy:FILE`,
  std::string policy = {};       // what it says,
  bool looks_ahead = false;      // and whether its rules go by the estimate.

  // Whether it reads the probability of a violation.
  bool estimates() const { return policy_file.empty() ? technique->estimates : looks_ahead; }
  std::string ToText() const;
};

// One of those above; the message says which there are.
Result<TechniqueName> ParseTechniqueName(std::string_view text);
// Names with commas between them, each once. "all" is every technique that is meant by it, those
// without the estimate with the oracle besides.
Result<std::vector<TechniqueName>> ParseTechniqueNames(std::string_view text);

}  // namespace berth
