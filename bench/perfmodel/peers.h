// scikit-learn on the same data, if it is here.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perfmodel/data_table.h"

namespace berth {

struct SklearnAnswer {
  double cpu_s = 0;
  std::vector<double> values;  // As peers.py says.
};

// What `part` of peers.py answers of the table; nothing, and a line that says why, if Python or
// scikit-learn is not here.
std::map<std::string, SklearnAnswer> AskSklearn(std::string_view part, const DataTable& table);

}  // namespace berth
