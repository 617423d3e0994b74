#include "serve/tokens.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

constexpr std::string_view kThree =
    "tokens:\n"
    "  - {name: reader, role: read, token: read-0123456789ab}\n"
    "  - {name: deploy, role: allocate, token: allocate-0123456}\n"
    "  - {name: admin, role: operate, token: operate-01234567}\n";

TEST(Tokens, KnowWhoCallsAndWhatTheyMay) {
  const Result<Tokens> tokens = Tokens::Parse(kThree, "t.yaml");
  ASSERT_TRUE(tokens.ok()) << tokens.status().message();
  EXPECT_FALSE(tokens.value().empty());
  const auto may = [&](std::string_view header) {
    const Result<Caller> caller = tokens.value().Find(header);
    EXPECT_TRUE(caller.ok()) << header;
    return std::pair(caller.value().name, caller.value().may);
  };
  EXPECT_EQ(may("Bearer read-0123456789ab"), std::pair(std::string("reader"), v1::READ));
  EXPECT_EQ(may("Bearer allocate-0123456"), std::pair(std::string("deploy"), v1::ALLOCATE));
  EXPECT_EQ(may("Bearer operate-01234567"), std::pair(std::string("admin"), v1::OPERATE));
  EXPECT_EQ(may(""), std::pair(std::string("anyone"), v1::ROLE_NONE));
}

TEST(Tokens, AWrongOneIsNobodysAndIsNotRepeated) {
  const Result<Tokens> tokens = Tokens::Parse(kThree, "t.yaml");
  ASSERT_TRUE(tokens.ok());
  for (const std::string_view header :
       {"Bearer read-0123456789aB", "Bearer read-0123456789a", "Bearer read-0123456789abc",
        "Bearer ", "Bearer", "bearer read-0123456789ab", "read-0123456789ab", "Basic x"}) {
    const Result<Caller> caller = tokens.value().Find(header);
    ASSERT_FALSE(caller.ok()) << header;
    EXPECT_EQ(caller.status().code(), Code::kUnauthenticated);
    EXPECT_EQ(caller.status().message().find("0123456789"), std::string::npos);
  }
}

TEST(Tokens, WithoutAFileEverybodyMayDoEverything) {
  EXPECT_TRUE(Tokens().empty());
  EXPECT_EQ(Tokens().Find("").value().may, v1::OPERATE);
  EXPECT_EQ(Tokens().Find("Bearer anything").value().may, v1::OPERATE);
}

TEST(Tokens, ABadFileIsRefusedAtItsPlace) {
  const auto error = [](const std::string& text) {
    const Result<Tokens> tokens = Tokens::Parse(text, "t.yaml");
    EXPECT_FALSE(tokens.ok()) << text;
    EXPECT_EQ(tokens.status().message().find("0123456789abcdef"), std::string::npos);
    return tokens.status().message();
  };
  const std::string good = "{name: a, role: read, token: 0123456789abcdef}";
  EXPECT_TRUE(error("").starts_with("t.yaml:"));
  EXPECT_TRUE(error("tokens: []\n").starts_with("t.yaml:1:1: "));
  EXPECT_TRUE(error("tokens:\n  - {name: a, role: king, token: 0123456789abcdef}\n")
                  .starts_with("t.yaml:2:21: "));
  EXPECT_TRUE(error("tokens:\n  - {name: a, role: read, token: 0123456789abcde}\n")
                  .starts_with("t.yaml:2:5: "));
  EXPECT_TRUE(error("tokens:\n  - {name: a, role: read}\n").starts_with("t.yaml:2:5: "));
  EXPECT_TRUE(error("tokens: [" + good + "]\ncolour: red\n").starts_with("t.yaml:2:1: "));
  const std::string twice = error("tokens:\n  - " + good + "\n  - " + good + "\n");
  EXPECT_TRUE(twice.starts_with("t.yaml:3:5: ")) << twice;
}

}  // namespace
}  // namespace berth
