#include "rightsize/similar.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth {
namespace {

const std::vector<KnownSize> kKnown = {{"e", "bank", "java", 900}, {"a", "shop", "java", 300},
                                       {"b", "shop", "java", 100}, {"c", "shop", "java", 200},
                                       {"d", "shop", "java", 400}, {"f", "shop", "go", 50}};

std::string WhyOf(const UnknownService& service) {
  const std::optional<FirstSize> size = SizeLikeOthers(Resource::kCpu, service, kKnown);
  return size ? size->why : "none";
}

TEST(SizeLikeOthers, TheSameTenantAndTypeComeFirst) {
  // 100, 200, 300, 400: the greater of the middle.
  EXPECT_EQ(WhyOf({.tenant = "shop", .type = "java"}),
            "300m: median of 4 services of type java and tenant shop: a, b, c and 1 more");
  EXPECT_EQ(WhyOf({.tenant = "shop", .type = "go"}),
            "50m: median of 1 service of type go and tenant shop: f");
}

TEST(SizeLikeOthers, ThenTheSameType) {
  EXPECT_EQ(WhyOf({.tenant = "museum", .type = "java", .request = 7}),
            "300m: median of 5 services of type java: a, b, c and 2 more");
  EXPECT_EQ(WhyOf({.tenant = "", .type = "go"}), "50m: median of 1 service of type go: f");
}

TEST(SizeLikeOthers, ThenTheRequest) {
  EXPECT_EQ(WhyOf({.tenant = "shop", .type = "rust", .request = 250}),
            "250m: as its owner asked for; no service is like it");
  EXPECT_EQ(WhyOf({.tenant = "shop", .type = "", .request = 250}),
            "250m: as its owner asked for; no service is like it");
  EXPECT_EQ(WhyOf({.tenant = "shop", .type = "rust"}), "none");
}

}  // namespace
}  // namespace berth
