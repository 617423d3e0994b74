#include "store/etcd/options.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

std::string Refused(std::string_view where) {
  const Result<EtcdAddress> address = ParseEtcdAddress(where);
  return address.ok() ? "" : address.status().message();
}

TEST(EtcdAddress, HasEndpointsAndPerhapsAPrefix) {
  const EtcdAddress one = ParseEtcdAddress("localhost:2379").value();
  EXPECT_EQ(one.endpoints, std::vector<std::string>{"localhost:2379"});
  EXPECT_EQ(one.prefix, "berth");
  const EtcdAddress three = ParseEtcdAddress("a:1,b:2,[::1]:3/zone-7").value();
  EXPECT_EQ(three.endpoints, (std::vector<std::string>{"a:1", "b:2", "[::1]:3"}));
  EXPECT_EQ(three.prefix, "zone-7");
  EXPECT_EQ(ToString(three), "a:1,b:2,[::1]:3");
}

TEST(EtcdAddress, SaysWhatIsWrongAndHowItIsWritten) {
  EXPECT_EQ(Refused("x"),
            "etcd store 'x': 'x' is not HOST:PORT; it is written "
            "etcd:HOST:PORT[,HOST:PORT...][/PREFIX]");
  for (const char* where : {"", ":1", "a:", "a:0", "a:65536", "a:1x", "a:1,", "a:1,b", "/p"}) {
    EXPECT_NE(Refused(where).find("is not HOST:PORT"), std::string::npos) << where;
  }
  for (const char* where : {"a:1/", "a:1/p/q", "a:1/p q"}) {
    EXPECT_NE(Refused(where).find("the prefix"), std::string::npos) << where;
  }
}

}  // namespace
}  // namespace berth
