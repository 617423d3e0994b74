// Price files: the VM types of one or several providers. The format is in docs/capacity.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "scale/capacity/vm_type.h"
#include "scale/cluster_autoscaler/scale_down.h"

namespace berth {

struct PriceList {
  std::string currency{};
  std::vector<VmType> types{};     // In the order of the file; at least one, at most kVmTypesMax.
  ScaleDownSettings scale_down{};  // But for what blocks it, which services say.
};

Result<PriceList> ParsePriceFile(std::string_view text, const std::string& file_name);
Result<PriceList> ReadPriceFile(const std::string& path);

}  // namespace berth
