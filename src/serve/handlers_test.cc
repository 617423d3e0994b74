#include "serve/handlers.h"

#include <gtest/gtest.h>

#include <set>

#include "serve/method.h"
#include "serve/news_stream.h"

namespace berth {
namespace {

TEST(Handlers, ThereIsOneForEveryCallThatDoesNotStream) {
  std::set<std::string> wanted;
  for (const Method& method : Methods()) {
    if (!method.streams()) wanted.insert(method.name());
  }
  std::set<std::string> found;
  for (const auto& [name, handler] : AllHandlers()) found.insert(name);
  EXPECT_EQ(found, wanted);
}

TEST(Handlers, ThereIsAStreamForEveryCallThatStreams) {
  std::set<std::string> wanted;
  for (const Method& method : Methods()) {
    if (method.streams()) wanted.insert(method.name());
  }
  std::set<std::string> found;
  for (const auto& [name, open] : AllStreams()) found.insert(name);
  EXPECT_EQ(found, wanted);
}

TEST(Method, ACallIsFoundByItsGrpcPathAndHasAnHttpPathOfItsOwn) {
  std::set<std::string> paths;
  for (const Method& method : Methods()) {
    EXPECT_EQ(FindMethod(method.grpc_path), &method);
    EXPECT_TRUE(paths.insert(method.verb + " " + method.path).second) << method.path;
    EXPECT_TRUE(method.path.starts_with("/v1/")) << method.path;
  }
  EXPECT_EQ(FindMethod("/berth.v1.Berth/Fly"), nullptr);
  EXPECT_EQ(FindMethod(""), nullptr);
}

TEST(Method, WhateverNeedsMoreThanReadingTakesAKey) {
  for (const Method& method : Methods()) {
    const bool may_change = method.needs == v1::ALLOCATE || method.needs == v1::OPERATE;
    // Samples are no part of the state, and told twice are taken once by themselves.
    EXPECT_EQ(method.writes, may_change && method.name() != "PutSamples") << method.name();
    EXPECT_FALSE(method.verb == "GET" && may_change) << method.name();
  }
}

}  // namespace
}  // namespace berth
