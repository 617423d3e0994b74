#include "sim/qos/files.h"

#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace berth {
namespace {

class QosFiles : public ::testing::Test {
 protected:
  std::string File(const std::string& text) const { return folder_.Write("file", text); }
  // The message without its folder.
  template <typename T>
  std::string Error(const Result<T>& result) const {
    EXPECT_FALSE(result.ok());
    std::string message = result.status().message();
    const std::string prefix = folder_.File("");
    if (message.starts_with(prefix)) message.erase(0, prefix.size());
    return message;
  }
  std::string WorkloadError(const std::string& text) {
    return Error(ReadQosWorkload(File(text), classes_));
  }

  testing::TempFolder folder_;
  const std::vector<ServiceClass> classes_ = DefaultFleetSettings().classes;
};

TEST_F(QosFiles, BothWorkloadFormatsSayTheSame) {
  const auto terms = ReadQosWorkload(File("{0,251,7,7200,0.375,0.1,1,0,[]}.\n"
                                          "{1,2,8,60,0.375,0.1,11,1,[{\"os\",\"a\"}]}.\n"),
                                     classes_);
  ASSERT_TRUE(terms.ok()) << terms.status().message();
  const auto commas = ReadQosWorkload(File("0,251,7,any,0,1,7200,-1,0.375,0.1,free,0.5\n"
                                           "1,2,8,any,1,11,60,-1,0.375,0.1,prod,1\n"),
                                      classes_);
  ASSERT_TRUE(commas.ok()) << commas.status().message();
  ASSERT_EQ(terms.value().size(), 2U);
  ASSERT_EQ(commas.value().size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const QosRequest& a = terms.value()[i];
    const QosRequest& b = commas.value()[i];
    EXPECT_EQ(a.at, b.at);
    EXPECT_EQ(a.task, b.task);
    EXPECT_EQ(a.job, b.job);
    EXPECT_EQ(a.duration, b.duration);
    EXPECT_EQ(a.demand, b.demand);
    EXPECT_EQ(a.klass, b.klass);
    EXPECT_EQ(a.apart, b.apart);
  }
  EXPECT_EQ(terms.value()[0].klass, 2U);
  EXPECT_EQ(terms.value()[1].klass, 0U);
  EXPECT_EQ(terms.value()[0].demand[Resource::kCpu], 375'000);
  EXPECT_EQ(terms.value()[0].demand[Resource::kMemory], 100'000);
  EXPECT_EQ(terms.value()[1].constraints, (QosAttributes{{"os", "a"}}));
}

TEST_F(QosFiles, BadWorkloadsAreRefusedWithTheirLine) {
  const std::string good = "0,1,1,any,0,1,60,-1,0.1,0.1,free,0.5\n";
  EXPECT_EQ(WorkloadError(good + "1,2,1,any,0,1,60,-1,0.1,0.1,free,1.5\n"),
            "file:2: a target of 1.5 is not above 0 and at most 1");
  EXPECT_EQ(WorkloadError(good + "1,2,1,any,0,1,60,-1,0.1,0.1,free,0\n"),
            "file:2: a target of 0 is not above 0 and at most 1");
  EXPECT_EQ(WorkloadError(good + "1,2,1,any,0,1,60,-1,0.1,0.1,free,0.6\n"),
            "file:2: a target of 0.6, but the policy's class bronze promises 0.5");
  EXPECT_EQ(WorkloadError(good + "1,2,1,any,0,1,60,-1,0.1,0.1,tin,0.5\n"),
            "file:2: there is no class 'tin' in the policy");
  EXPECT_EQ(WorkloadError(good + "1,2,1,any,0,1,-60,-1,0.1,0.1,free,0.5\n"),
            "file:2: a duration of -60 s is negative or beyond 1e+10 s");
  EXPECT_EQ(WorkloadError("5,1,1,any,0,1,60,-1,0.1,0.1,free,0.5\n" + good),
            "file:2: comes earlier than the line before; sort the file by time");
  EXPECT_EQ(WorkloadError(good + "1,2\n"), "file:2: has 2 fields, not 12");
  EXPECT_EQ(WorkloadError("{0,1,1,60,0.1,0.1,1,0,[]\n"),
            "file:1: does not end here; write as many fields as the other lines have, and }.");
  EXPECT_EQ(WorkloadError("{0,1,1,-60,0.1,0.1,1,0,[]}.\n"),
            "file:1: a duration of -60 s is negative or beyond 1e+10 s");
  EXPECT_EQ(WorkloadError("{0,1,x,60,0.1,0.1,1,0,[]}.\n"), "file:1: the job is not a number");
}

TEST_F(QosFiles, HostsHaveAttributesAndComeOnce) {
  const auto hosts = ReadQosHosts(File("{1,\"a\",0.5,0.2493,[{\"os\",\"x\"},{\"By\",\"4\"}]}.\n"));
  ASSERT_TRUE(hosts.ok()) << hosts.status().message();
  EXPECT_EQ(hosts.value()[0].capacity[Resource::kMemory], 249'300);
  EXPECT_EQ(hosts.value()[0].attributes, (QosAttributes{{"By", "4"}, {"os", "x"}}));
  EXPECT_EQ(Error(ReadQosHosts(File("{1,\"a\",1,1,[]}.\n\n{1,\"b\",1,1,[]}.\n"))),
            "file:3: host 1 is on line 1 already");
  EXPECT_EQ(Error(ReadQosHosts(File("{1,\"a\",1,1,[]}.\n{2,\"a\",1,1,[]}.\n"))),
            "file:2: host a is on line 1 already");
  EXPECT_EQ(Error(ReadQosHosts(File("{1,\"a\",-1,1,[]}.\n"))),
            "file:1: cpu of -1 is not a share from 0 on");
}

TEST_F(QosFiles, OverheadsAndOutagesAreChecked) {
  const auto overheads = ReadQosOverheads(File("hot,1.5\ncold,2\nhot,3\n"));
  ASSERT_TRUE(overheads.ok()) << overheads.status().message();
  EXPECT_EQ(overheads.value().hot.size(), 2U);
  EXPECT_EQ(Error(ReadQosOverheads(File("warm,1\n"))),
            "file:1: is no overhead; write hot,SECONDS or cold,SECONDS");
  const std::vector<QosHost> hosts = {{.name = "a", .capacity = {}, .attributes = {}}};
  EXPECT_TRUE(ReadQosOutages(File("a,10,20\na,30,40\n"), hosts).ok());
  EXPECT_EQ(Error(ReadQosOutages(File("a,10,20\na,15,40\n"), hosts)),
            "file:2: host a is still away then");
  EXPECT_EQ(Error(ReadQosOutages(File("b,10,20\n"), hosts)), "file:1: there is no host 'b'");
}

}  // namespace
}  // namespace berth
