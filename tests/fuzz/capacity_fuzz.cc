// Whatever bytes a model, a price list or a forecast holds, it is read or refused by an error that
// names the file; what is read gives numbers of instances and quantiles within their bounds.
#include <string>

#include "berth/check.h"
#include "fuzz/target.h"
#include "scale/capacity/load_forecast.h"
#include "scale/capacity/price_file.h"
#include "scale/capacity/service_model.h"

namespace {

using berth::Result;

const std::string kFile = "fuzz.yaml";

template <typename T>
void CheckNamesTheFile(const Result<T>& read) {
  if (!read.ok()) BERTH_CHECK(read.status().message().starts_with(kFile));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const auto services = berth::ParseModelFile(text, kFile);
  const auto prices = berth::ParsePriceFile(text, kFile);
  const auto load = berth::ParseLoadForecast(text, kFile);
  CheckNamesTheFile(services);
  CheckNamesTheFile(prices);
  CheckNamesTheFile(load);
  if (services.ok()) {
    for (const berth::ServiceModel& service : services.value()) {
      const Result<std::uint32_t> count = berth::InstancesFor(service, 1'000);
      if (count.ok()) BERTH_CHECK(count.value() >= service.instances_min);
    }
  }
  if (load.ok()) {
    for (const berth::LoadPoint& point : load.value().points) {
      BERTH_CHECK(berth::LoadQuantile(point, load.value().level, 0.9) >= 0);
    }
  }
  return 0;
}
