// One Erlang term a line, as the paper's repository writes hosts and workloads:
// {1,"Host_1",3.75,3.75,[{"9e","2"}]}. Read from left to right, what is expected at each place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/lines.h"
#include "berth/status.h"
#include "sim/qos/workload.h"

namespace berth {

class TermLine {
 public:
  TermLine(std::string_view line, const LineReader& lines) : rest_(line), lines_(lines) {}

  // Each is the next field of the tuple; `what` names it in errors.
  Result<std::uint64_t> Id(std::string_view what);
  Result<double> Number(std::string_view what);
  Result<std::string> Text(std::string_view what);
  // A list of {"key","value"}, sorted.
  Result<QosAttributes> Attributes(std::string_view what);
  // The tuple and the line end here.
  Status Finish();

 private:
  Status Separator();
  bool Take(std::string_view token);
  Result<std::string> Quoted(std::string_view what);

  std::string_view rest_;
  const LineReader& lines_;
  bool first_ = true;
};

}  // namespace berth
