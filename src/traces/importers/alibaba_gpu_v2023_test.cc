#include <gtest/gtest.h>

#include "support/traces.h"

namespace berth {
namespace {

using std::chrono::seconds;

std::unique_ptr<Trace> OpenGpuSample(const std::string& name) {
  auto trace = OpenTrace("alibaba_gpu_v2023:" + TestFile("alibaba_gpu_v2023/" + name), {});
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return std::move(trace).value();
}

std::string ErrorInPods(std::string_view rows) {
  return FirstError(NewAlibabaGpuV2023(
      TraceSource::Memory("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,"
                          "creation_time,deletion_time,scheduled_time\n" +
                              std::string(rows),
                          "p.csv"),
      {}));
}

const InstanceType& TypeNamed(const std::vector<InstanceType>& types, std::string_view name) {
  for (const InstanceType& type : types) {
    if (type.name == TypeId(name)) return type;
  }
  ADD_FAILURE() << name << " is not there";
  return types.front();
}

TEST(AlibabaGpuV2023, OrdersPodsByTheirCreation) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenGpuSample("pods.csv"));
  ASSERT_EQ(arrivals.size(), 20U);
  EXPECT_EQ(arrivals[0].at, Time());
  EXPECT_EQ(arrivals[0].service.name, "pod-01");
  EXPECT_EQ(arrivals[0].service.tenant, TenantId("openb"));
  EXPECT_EQ(arrivals[4].service.name, "pod-06");  // In the file after pod-05, which is later.
  EXPECT_EQ(arrivals[4].at, Time(seconds(200)));
  EXPECT_EQ(arrivals[5].service.name, "pod-05");
}

TEST(AlibabaGpuV2023, LastsFromScheduleToDeletion) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenGpuSample("pods.csv"));
  EXPECT_EQ(arrivals[1].lifetime, seconds(3900));
  EXPECT_EQ(arrivals[6].lifetime, seconds(600));  // Never scheduled: from its creation.
  EXPECT_EQ(arrivals[10].lifetime, std::nullopt);
}

TEST(AlibabaGpuV2023, ClassesFollowQos) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenGpuSample("pods.csv"));
  EXPECT_EQ(arrivals[0].service.klass, ClassId("gold"));
  EXPECT_EQ(arrivals[2].service.klass, ClassId("bronze"));
  EXPECT_EQ(arrivals[5].service.klass, ClassId("silver"));
  EXPECT_EQ(arrivals[10].service.klass, ClassId("gold"));
}

TEST(AlibabaGpuV2023, TypesHaveSharesOfGpusAndTheModelsAsSkus) {
  const std::vector<InstanceType> types = OpenGpuSample("pods.csv")->Types();
  const InstanceType& share = TypeNamed(types, "c4-m8Gi-g460m");
  EXPECT_EQ(FormatResources(share.size), "4 cpu, 8Gi memory, 460m gpu");
  EXPECT_TRUE(share.skus.empty());
  const InstanceType& eight = TypeNamed(types, "c32-m128Gi-g8-V100M16-V100M32");
  EXPECT_EQ(eight.size[Resource::kGpu], 8000);
  EXPECT_EQ(eight.skus, (std::vector<SkuId>{SkuId("V100M16"), SkuId("V100M32")}));
  // A model that is listed twice counts once.
  EXPECT_EQ(TypeNamed(types, "c12-m48Gi-g1-P100-V100M32").skus.size(), 2U);
  EXPECT_EQ(TypeNamed(types, "c500m-m1Gi").size[Resource::kGpu], 0);
}

TEST(AlibabaGpuV2023, KeepsTypesApartWhoseNamesReadTheSame) {
  auto trace = NewAlibabaGpuV2023(
      TraceSource::Memory("name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n"
                          "a,1000,1024,1,1000,X|Y\nb,1000,1024,1,1000,X-Y\n",
                          "p.csv"),
      {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const std::vector<Arrival> arrivals = ReadAll(*trace.value());
  EXPECT_EQ(arrivals[0].service.groups[0].type, TypeId("c1-m1Gi-g1-X-Y"));
  EXPECT_EQ(arrivals[1].service.groups[0].type, TypeId("c1-m1Gi-g1-X-Y-2"));
}

TEST(AlibabaGpuV2023, SpacesPodsWhereTheFileHasNoTimes) {
  const std::unique_ptr<Trace> trace = OpenGpuSample("order_only.csv");
  const std::vector<Arrival> arrivals = ReadAll(*trace);
  ASSERT_EQ(arrivals.size(), 3U);
  EXPECT_EQ(arrivals[2].at, Time(seconds(20)));
  EXPECT_EQ(arrivals[2].lifetime, std::nullopt);
  EXPECT_EQ(arrivals[2].service.klass, ClassId("gold"));
}

TEST(AlibabaGpuV2023, SaysWhatItAssumed) {
  std::string notes;
  for (const std::string& line : OpenGpuSample("pods.csv")->Notes().lines) notes += line + '\n';
  EXPECT_EQ(notes,
            "20 pods of 15 sizes, each a service of one instance\n"
            "ignored columns: 'pod_phase'\n"
            "gpu is num_gpu times gpu_milli of the machine's GPUs together: that a share must be "
            "of one GPU is ignored\n"
            "gpu_spec is the SKUs that a pod may run on: the fleet's SKUs are named as its models\n"
            "qos LS and Guaranteed are gold, Burstable silver, BE bronze\n"
            "a pod asks at creation_time and lasts from scheduled_time, or creation_time if it was "
            "never scheduled, to deletion_time\n"
            "the trace names no owner: the tenant is openb\n");
  EXPECT_EQ(OpenGpuSample("order_only.csv")->Notes().lines.at(4),
            "without times a pod asks every 10 s in the file's order, and stays");
}

TEST(AlibabaGpuV2023, ImportsTheSameTwice) {
  for (const std::string name : {"pods.csv", "order_only.csv"}) {
    EXPECT_EQ(Written(*OpenGpuSample(name)), Written(*OpenGpuSample(name)));
  }
}

TEST(AlibabaGpuV2023, RefusesWrongRows) {
  EXPECT_EQ(ErrorInPods("a,1,1,0,0,,LS,Running,0,1,0\na,1,1,0,0,,LS,Running,0,1,0\n"),
            "p.csv:3: column 'name': 'a' is the name of an earlier pod; name one otherwise");
  EXPECT_EQ(ErrorInPods("a b,1,1,0,0,,LS,Running,0,1,0\n"),
            "p.csv:2: column 'name': 'a b' is not a name; write 1 to 128 letters, digits, '.', '_' "
            "and '-'");
  EXPECT_EQ(ErrorInPods("a,1,1,1,1001,,LS,Running,0,1,0\n"),
            "p.csv:2: column 'gpu_milli': '1001' is not a whole number from 0 to 1000; write one");
  EXPECT_EQ(ErrorInPods("a,1,1,0,0,,XL,Running,0,1,0\n"),
            "p.csv:2: column 'qos': 'XL' is not known; write LS, Guaranteed, Burstable or BE");
  EXPECT_EQ(ErrorInPods("a,1,1,1,1000,T4||P100,LS,Running,0,1,0\n"),
            "p.csv:2: column 'gpu_spec': 'T4||P100' is not a list of models; write up to 32 names "
            "of letters, digits, '.', '_' and '-' with '|' between");
  EXPECT_EQ(ErrorInPods("a,1,1,1,1000," + std::string(127, 'T') + ",LS,Running,0,1,0\n"),
            "p.csv:2: its SKUs have over 100 letters; name fewer");
  EXPECT_EQ(ErrorInPods("a,1,1,0,0,,LS,Running,9,8,\n"),
            "p.csv:2: column 'deletion_time': 8 is before the pod began, 9; correct one of them");
}

}  // namespace
}  // namespace berth
