#include <gtest/gtest.h>

#include <string>

#include "real_data/data_dir.h"
#include "sim/tenants/open_population.h"

namespace berth {
namespace {

struct Published {
  std::string_view format;
  std::string_view file;
  std::size_t series = 0;
  std::size_t samples = 0;  // Of the first, in steps of ten minutes.
};

TEST(RealDataUsage, HasTheSeriesItsSourceStates) {
  for (const Published& data :
       {Published{"bitbrains_gwa_t12", "bitbrains_gwa_t12/fastStorage_2013-08_sample_5min.csv.gz",
                  104, 0},
        Published{"azure_v1_cpu", "azure_v1_vm_cpu/cpu_avg_100vms_5min.csv.gz", 100, 4'002},
        Published{"google2011_day", "google2011_vm_day/gcd_vms_cpu_mem_5min.csv.gz", 1'600, 144},
        Published{"alibaba_tianchi2018", "alibaba_tianchi2018/app_resources.csv.gz", 9'338, 98}}) {
    const std::string file = testing::DataFile(data.file);
    BERTH_SKIP_WITHOUT(file);
    for (const PopulationFormat& format : PopulationFormats()) {
      if (format.name != data.format) continue;
      const auto series = format.read(file);
      ASSERT_TRUE(series.ok()) << series.status().message();
      EXPECT_EQ(series.value().size(), data.series) << data.file;
      if (data.samples > 0) {
        EXPECT_EQ(series.value().front().samples.size(), data.samples) << data.file;
      }
    }
  }
}

}  // namespace
}  // namespace berth
