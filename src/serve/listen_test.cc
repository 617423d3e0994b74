#include "serve/listen.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "berth/rng.h"

namespace berth {
namespace {

TEST(Address, ReadsWhatItWrites) {
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const Address address{
        rng.Below(2) == 0 ? fmt::format("{}.{}.{}.{}", rng.Below(256), rng.Below(256),
                                        rng.Below(256), rng.Below(256))
                          : fmt::format("fe80::{:x}:{:x}", 1 + rng.Below(65535), rng.Below(65536)),
        static_cast<std::uint16_t>(rng.Below(65536))};
    const Result<Address> read = Address::Parse(address.str());
    ASSERT_TRUE(read.ok()) << read.status().message();
    EXPECT_EQ(read.value().host, address.host);
    EXPECT_EQ(read.value().port, address.port);
  }
}

TEST(Address, KnowsWhatOnlyThisMachineReaches) {
  for (const std::string_view text : {"127.0.0.1:1", "127.8.9.10:1", "[::1]:1"}) {
    EXPECT_TRUE(Address::Parse(text).value().IsLoopback()) << text;
  }
  for (const std::string_view text : {"0.0.0.0:1", "10.0.0.1:1", "128.0.0.1:1", "[::]:1", "[::2]:1",
                                      "[fe80::1]:1", "[::ffff:10.0.0.1]:1"}) {
    EXPECT_FALSE(Address::Parse(text).value().IsLoopback()) << text;
  }
}

TEST(Host, IsThisMachineOnlyByWhatNoNameServerDecides) {
  for (const std::string_view host : {"localhost", "localhost:7400", "LocalHost:1", "127.0.0.1",
                                      "127.0.0.1:7400", "127.8.9.10:80", "[::1]", "[::1]:7400"}) {
    EXPECT_TRUE(NamesLoopback(host)) << host;
  }
  for (const std::string_view host : {"",
                                      ":",
                                      ":7400",
                                      "evil.example",
                                      "evil.example:7400",
                                      "127.evil.example",
                                      "127.0.0.1.evil",
                                      "127.0.0.1:7400:1",
                                      "127.0.0.1:x",
                                      "127.0.0.1:65536",
                                      "127.0.0.1 ",
                                      "localhost.evil:7400",
                                      "localhost:",
                                      "evil.localhost",
                                      "10.0.0.1:7400",
                                      "0.0.0.0",
                                      "::1",
                                      "[::1",
                                      "[::2]:7400",
                                      "[127.0.0.1]:7400",
                                      "127.1",
                                      "2130706433"}) {
    EXPECT_FALSE(NamesLoopback(host)) << host;
  }
}

TEST(Address, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"", ":", "7400", ":7400", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
        "127.0.0.1:1x", "127.0.0.1: 1", "127.0.0:1", "127.0.0.256:1", "localhost:1", "[::1]",
        "[::1:1", "*:1", "127.evil.example:1"}) {
    const Result<Address> address = Address::Parse(text);
    ASSERT_FALSE(address.ok()) << text;
    EXPECT_NE(address.status().message().find("127.0.0.1:7400"), std::string::npos);
  }
}

}  // namespace
}  // namespace berth
