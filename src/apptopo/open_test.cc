#include "apptopo/open.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "apptopo/write.h"
#include "support/paths.h"

namespace berth {
namespace {

std::string File(const std::string& name) {
  return (testing::SourceDir() / "testdata/apptopo" / name).string();
}

// "a>b a>c*3", in the order of names.
std::string CallsOf(const ServiceGraph& graph) {
  std::vector<std::string> calls;
  for (const CallEdge& edge : graph.edges()) {
    calls.push_back(graph.name(edge.caller) + ">" + graph.name(edge.callee) +
                    (edge.calls == 1 ? "" : "*" + std::to_string(edge.calls)));
  }
  std::ranges::sort(calls);
  std::string text;
  for (const std::string& call : calls) text += (text.empty() ? "" : " ") + call;
  return text;
}

Result<ServiceGraph> Read(std::string_view importer, std::string_view text) {
  const auto all = BuiltinTopologyImporters();
  const auto entry = std::ranges::find(all, importer, &TopologyImporterEntry::name);
  EXPECT_NE(entry, all.end());
  return entry->read({.text = text, .file_name = "f"});
}

std::string ErrorOf(std::string_view importer, std::string_view text) {
  const Result<ServiceGraph> read = Read(importer, text);
  return read.ok() ? "no error" : read.status().message();
}

TEST(Topology, TheSuffixSaysTheFormat) {
  EXPECT_EQ(ReadTopology(File("shop.yaml")).value().size(), 8U);
  EXPECT_EQ(ReadTopology(File("edges.csv")).value().size(), 6U);
  EXPECT_EQ(ReadTopology(File("traces.json")).value().size(), 6U);
  EXPECT_EQ(ReadTopology("compose:" + File("shop.yaml")).value().size(), 8U);
}

TEST(Topology, WhatIsNoFileIsRefused) {
  EXPECT_EQ(ReadTopology("dot:x").status().message(),
            "'dot:x': there is no importer 'dot'; the importers are edges, compose, jaeger");
  EXPECT_EQ(ReadTopology("edges:").status().message(),
            "'edges:': names no file; write FILE or IMPORTER:FILE");
  EXPECT_EQ(ReadTopology("./no.csv").status().message(),
            "./no.csv: cannot be opened: No such file or directory; check the path");
}

TEST(EdgeList, CallsAddUp) {
  const ServiceGraph graph = ReadTopology(File("edges.csv")).value();
  EXPECT_EQ(CallsOf(graph),
            "api>orders*80 api>stock*40 orders>stock*60 prices>orders*10 stock>prices*100 "
            "web>api*120");
  EXPECT_EQ(graph.notes(),
            (std::vector<std::string>{"calls of a service to itself are left out: 5"}));
  EXPECT_EQ(CallsOf(Read("edges", "caller,callee,calls\na,b,2\na,b,3\n").value()), "a>b*5");
}

TEST(EdgeList, SaysWhatIsWrong) {
  EXPECT_EQ(ErrorOf("edges", "caller,callee,calls\na,b,0\n"),
            "f:2: column 'calls': is below 1; leave out what is never called");
  EXPECT_EQ(ErrorOf("edges", "caller,callee\n,b\n"),
            "f:2: column 'caller': '' is no service's name; write 1 to 128 bytes of printable "
            "text");
  EXPECT_EQ(ErrorOf("edges", "caller,callee\n"), "f:1: names no service; write one row a call");
}

TEST(Compose, ReadsEveryFormOfWhatAServiceNeeds) {
  EXPECT_EQ(CallsOf(ReadTopology(File("shop.yaml")).value()),
            "cart>log cart>store catalogue>log catalogue>store front>cart front>catalogue "
            "front>users store>disk users>mail_1 users>store");
}

TEST(Compose, FilesOfTheFirstVersionHaveServicesAtTheTop) {
  EXPECT_EQ(CallsOf(Read("compose", "web: {image: w, links: [db]}\ndb: {image: d}\n").value()),
            "web>db");
}

TEST(Compose, SaysWhatIsWrong) {
  EXPECT_EQ(ErrorOf("compose", "services: {web: {depends_on: [db]}}"),
            "f:1:31: services.web.depends_on[0]: 'db' is no service of this file; name one of "
            "them, or write it under external_links");
  EXPECT_EQ(ErrorOf("compose", "services: {}"),
            "f:1:1: top level: has no services; write at least one");
  EXPECT_EQ(ErrorOf("compose", "version: '2'"),
            "f:1:1: top level: has no services; write them under 'services'");
  EXPECT_EQ(ErrorOf("compose", "services: {a: {links: b}}"),
            "f:1:23: services.a.links: is a single value; write a list");
}

TEST(Jaeger, CallsAreSpansWhoseParentIsAnotherService) {
  const ServiceGraph graph = ReadTopology(File("traces.json")).value();
  // Two of the six traces write, four read; a span within posts is no call.
  EXPECT_EQ(CallsOf(graph),
            "compose>posts*2 compose>text*2 compose>users*2 gateway>compose*2 gateway>timeline*4 "
            "timeline>posts*4 timeline>users*4");
}

TEST(Jaeger, ParentsThatAreNotThereAreCounted) {
  const ServiceGraph graph =
      Read("jaeger", R"({"data": [{"processes": {"p1": {"serviceName": "a"}}, "spans": [
        {"spanID": "2", "processID": "p1", "references": [{"refType": "CHILD_OF", "spanID": "9"}]}]}]})")
          .value();
  EXPECT_EQ(graph.notes(), (std::vector<std::string>{"spans whose parent is not in the file: 1"}));
}

TEST(Jaeger, TheOldFormOfAParentIsRead) {
  EXPECT_EQ(CallsOf(Read("jaeger", R"({"data": [{"processes": {"p1": {"serviceName": "a"},
      "p2": {"serviceName": "b"}}, "spans": [{"spanID": "1", "processID": "p1"},
      {"spanID": "2", "processID": "p2", "parentSpanID": "1"}]}]})")
                        .value()),
            "a>b");
}

TEST(Jaeger, SaysWhatIsWrong) {
  EXPECT_EQ(ErrorOf("jaeger", "{\n \"data\": [}"),
            "f:2:11: is not JSON from here on; export the traces again");
  EXPECT_EQ(ErrorOf("jaeger", R"({"data": 1e999})"),
            "f: data: holds a number that is too large; export the traces again");
  EXPECT_EQ(ErrorOf("jaeger", "[]"),
            "f: data: is no list of traces; export what /api/traces answers");
  EXPECT_EQ(ErrorOf("jaeger", R"({"data": []})"),
            "f: data: holds no span; export at least one trace");
  EXPECT_EQ(ErrorOf("jaeger", R"({"data": [{"spans": []}]})"),
            "f: data[0]: has no map 'processes'; export traces, not spans");
  EXPECT_EQ(ErrorOf("jaeger", R"({"data": [{"processes": {}, "spans": [{"spanID": "1",
      "processID": "p1"}]}]})"),
            "f: data[0].spans[0]: is of process 'p1', which the trace does not have; export the "
            "traces again");
}

TEST(Jaeger, WhatIsNestedDeepOrLargeIsNotKept) {
  EXPECT_NE(ErrorOf("jaeger", std::string(100'000, '[')), "no error");
  EXPECT_EQ(
      ErrorOf("jaeger", R"({"x": )" + std::string(10'000, '[') + std::string(10'000, ']') + "}"),
      "f: data: is no list of traces; export what /api/traces answers");
}

TEST(Topology, LimitsAreSaid) {
  std::string many = "caller,callee\n";
  for (std::size_t i = 0; i <= kTopologyServicesMax; ++i) many += "s" + std::to_string(i) + ",\n";
  EXPECT_EQ(ErrorOf("edges", many),
            "f:10002: column 'caller': 's10000' is one service too many; a topology has at most "
            "10,000");
  std::string dense = "caller,callee\n";
  for (std::size_t i = 0; i < 500; ++i) {
    for (std::size_t j = 0; j < 500; ++j) {
      dense += "s" + std::to_string(i) + ",s" + std::to_string(j) + "\n";
    }
  }
  EXPECT_NE(ErrorOf("edges", dense).find("is one edge too many; a topology has at most 200,000"),
            std::string::npos);
}

// Every importer must bear what is no topology at all.
TEST(TopologyImporters, AnswerNonsenseWithAnErrorThatNamesTheFile) {
  for (const TopologyImporterEntry& entry : BuiltinTopologyImporters()) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    for (const std::string_view text : {"", "\n", "\"", "a,b\n1,2\n", "\xff\xfe,", "[1", "{}"}) {
      const std::string error = ErrorOf(entry.name, text);
      EXPECT_TRUE(error.starts_with("f:")) << entry.name << ": " << error;
    }
  }
}

TEST(TopologyWrite, WhatIsWrittenReadsBackTheSame) {
  const ServiceGraph graph = ReadTopology(File("edges.csv")).value();
  EXPECT_EQ(CallsOf(Read("edges", WriteEdgeList(graph)).value()), CallsOf(graph));
  EXPECT_EQ(Read("edges", WriteEdgeList(graph)).value().size(), graph.size());
  EXPECT_EQ(CallsOf(Read("compose", WriteComposeFile(graph)).value()),
            "api>orders api>stock orders>stock prices>orders stock>prices web>api");
  const ServiceGraph quoted = Read("edges", "caller,callee\n\"a,\"\"b\",c\n").value();
  EXPECT_EQ(CallsOf(Read("edges", WriteEdgeList(quoted)).value()), "a,\"b>c");
}

}  // namespace
}  // namespace berth
