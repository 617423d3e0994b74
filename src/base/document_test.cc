#include "base/document.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "support/temp_folder.h"

namespace berth {
namespace {

// The error of parsing `text` as "f.yaml".
std::string ErrorOf(std::string_view text) {
  const Result<Document> document = ParseDocument(text, "f.yaml");
  EXPECT_FALSE(document.ok()) << text;
  return document.status().message();
}

Document ParsedDocument(std::string_view text) {
  Result<Document> document = ParseDocument(text, "f.yaml");
  EXPECT_TRUE(document.ok()) << document.status().message();
  return std::move(document).value();
}

std::string Repeated(std::string_view part, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += part;
  return text;
}

TEST(Document, KnowsKindPathAndPositionOfEveryNode) {
  const Document document = ParsedDocument(
      "name: fleet\n"
      "clusters:\n"
      "  - racks: [1, 2]\n"
      "    empty:\n"
      "  - {'odd key': \"x\"}\n");
  struct Case {
    Node node;
    Node::Kind kind;
    const char* path;
    std::size_t line;
    std::size_t column;
  };
  const Node root = document.root();
  const Node clusters = *root.Find("clusters");
  const std::vector<Node> items = clusters.Items().value();
  ASSERT_EQ(items.size(), 2U);
  const std::vector<Node> racks = items[0].Find("racks")->Items().value();
  ASSERT_EQ(racks.size(), 2U);
  for (const Case& c : {
           Case{root, Node::Kind::kMap, "top level", 1, 1},
           Case{*root.Find("name"), Node::Kind::kScalar, "name", 1, 7},
           Case{clusters, Node::Kind::kList, "clusters", 3, 3},
           Case{items[0], Node::Kind::kMap, "clusters[0]", 3, 5},
           Case{racks[1], Node::Kind::kScalar, "clusters[0].racks[1]", 3, 16},
           Case{*items[0].Find("empty"), Node::Kind::kNull, "clusters[0].empty", 4, 5},
           Case{*items[1].Find("odd key"), Node::Kind::kScalar, "clusters[1].'odd key'", 5, 17},
       }) {
    EXPECT_EQ(c.node.kind(), c.kind) << c.path;
    EXPECT_EQ(c.node.Path(), c.path);
    EXPECT_EQ(c.node.line(), c.line) << c.path;
    EXPECT_EQ(c.node.column(), c.column) << c.path;
  }
}

TEST(Document, ReadsJson) {
  const Document document =
      ParsedDocument("{\n\t\"a\":[1,true,null],\n\t\"b\": {\"c\":\"\\u00e9\\n\"}\n}\n");
  const std::vector<Node> items = document.root().Find("a")->Items().value();
  EXPECT_EQ(items[0].Integer().value(), 1);
  EXPECT_TRUE(items[1].Bool().value());
  EXPECT_EQ(items[2].kind(), Node::Kind::kNull);
  EXPECT_EQ(document.root().Find("b")->Find("c")->Text().value(), "\xc3\xa9\n");
}

TEST(Document, AnEmptyFileIsNull) {
  for (const char* text : {"", "\n", "# nothing\n", "---\n"}) {
    EXPECT_EQ(ParsedDocument(text).root().kind(), Node::Kind::kNull) << text;
  }
}

TEST(Document, ToleratesMarksWindowsLineEndsAndDocumentMarkers) {
  for (const char* text : {"\xef\xbb\xbf"
                           "a: 1\n",
                           "a: 1\r\nb: 2\r\n", "---\na: 1\n...\n"}) {
    EXPECT_EQ(ParsedDocument(text).root().Find("a")->Integer().value(), 1) << text;
  }
}

TEST(Document, AQuoteMayBeTheLastThing) {
  for (const char* text : {"a: 'x'", "a: \"x\"\n", "a: 'it''s'", "a: ''", "a: \"\\\"\"",
                           "a: |\n  it's\n", "a: 'x' # it's\n"}) {
    EXPECT_TRUE(ParsedDocument(text).root().Find("a")->Text().ok()) << text;
  }
}

TEST(Document, SurvivesBeingMoved) {
  Document first = ParsedDocument("a: 1");
  const Node root = first.root();
  const Document second = std::move(first);
  EXPECT_EQ(root.Find("a")->Integer().value(), 1);
  EXPECT_EQ(second.root().Find("a")->Integer().value(), 1);
}

TEST(Document, NamesTheDuplicateKeyAndItsLine) {
  EXPECT_EQ(ErrorOf("a:\n  b: 1\n  c: 2\n  b: 3\n"),
            "f.yaml:4:3: a: duplicate key 'b', first on line 2; keep one");
  EXPECT_EQ(ErrorOf("{a: 1, 'a': 2}"),
            "f.yaml:1:8: top level: duplicate key 'a', first on line 1; keep one");
}

TEST(Document, RefusesAnchorsAndAliases) {
  EXPECT_EQ(ErrorOf("a: &x 1\nb: *x\n"),
            "f.yaml:1:4: a: anchors are not supported; write the value out wherever it is used");
  EXPECT_EQ(ErrorOf("a:\n  b: &x [1]\n"),
            "f.yaml:2:6: a.b: anchors are not supported; write the value out wherever it is used");
  EXPECT_NE(ErrorOf("a: *x\n").find("f.yaml:1:4: a: "), std::string::npos);
  // A bomb is refused at its first anchor, before anything grows.
  EXPECT_EQ(ErrorOf("a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n"),
            "f.yaml:1:4: a: anchors are not supported; write the value out wherever it is used");
}

TEST(Document, RefusesTags) {
  EXPECT_EQ(ErrorOf("a: !secret x"), "f.yaml:1:4: a: tags are not supported; remove '!secret'");
  EXPECT_EQ(ErrorOf("a: !pair [x]"), "f.yaml:1:4: a: tags are not supported; remove '!pair'");
}

TEST(Document, RefusesASecondDocument) {
  EXPECT_EQ(ErrorOf("a: 1\n---\nb: 2\n"),
            "f.yaml:2:1: top level: a second document begins here; keep one document a file");
}

TEST(Document, RefusesKeysThatAreNotText) {
  for (const char* text : {"? [a]\n: 1\n", "? {a: b}\n: 1\n", "~: 1\n", "{[a]: 1}"}) {
    EXPECT_NE(ErrorOf(text).find("a key must be text; write 'key: value'"), std::string::npos)
        << text;
  }
}

TEST(Document, SaysWhereMalformedInputIs) {
  struct Case {
    const char* text;
    const char* start;
  };
  for (const Case& c : {
           Case{"a: 1\nb: 'x\n", "f.yaml:2:4: b: a quote opens here and is never closed; close it"},
           Case{"a: 1\nb: 'x", "f.yaml:2:6: b: malformed YAML: illegal EOF in scalar; check"},
           Case{"a: 'x\nb: 'y'\n", "f.yaml:"},
           Case{"\xef\xbb\xbf"
                "a: \"x\\\"\n\n",
                "f.yaml:1:4: a: a quote opens here and is never closed;"},
           Case{"a: [b, \"c]\n", "f.yaml:1:8: a[1]"},
           Case{"a: 1\n'b: 2\n", "f.yaml:2:1: "},
           Case{"a: 1\n b: 2\n", "f.yaml:2:3: top level: malformed YAML: illegal map value; check"},
           Case{"x:\n  y: [1, }\n", "f.yaml:2:10: x.y: malformed YAML: illegal flow end; check"},
           Case{"a: 1\nb: [1, 2\n", "f.yaml:2:4: "},
           Case{"a: \"\\ud83d\"", "f.yaml:1:11: a: malformed YAML: invalid unicode: 55357; check"},
           Case{"a: \x04", "f.yaml:1:4: top level: byte 0x04 is not text; save the file as UTF-8"},
           Case{"a: 1\nb: x\xff", "f.yaml:2:5: top level: byte 0xff is not text; save the file"},
       }) {
    const std::string error = ErrorOf(c.text);
    EXPECT_TRUE(error.starts_with(c.start)) << error;
    EXPECT_NE(error.find("; "), std::string::npos) << error;
  }
}

TEST(Document, AllowsItsDepthAndRefusesOneMore) {
  const auto nested = [](std::size_t depth) { return Repeated("[", depth) + Repeated("]", depth); };
  EXPECT_TRUE(ParseDocument(nested(kDocumentDepthMax), "f.yaml").ok());
  const std::string error = ErrorOf(nested(kDocumentDepthMax + 1));
  EXPECT_TRUE(error.starts_with("f.yaml:1:65: [0][0]")) << error;
  EXPECT_TRUE(error.ends_with("[0]: is nested over 64 levels deep; flatten it")) << error;
}

TEST(Document, NestingOfAnyKindCannotOverflowTheStack) {
  constexpr std::size_t kDeep = 100'000;
  for (const char* part : {"[", "{", "{a: ", "[a, ", "- ", "? ", "- a: ", "[a]: ", "!t "}) {
    EXPECT_FALSE(ParseDocument(Repeated(part, kDeep), "f.yaml").ok()) << part;
  }
  EXPECT_FALSE(ParseDocument(Repeated("[", kDeep) + Repeated("]", kDeep), "f.yaml").ok());
  std::string stairs;
  for (std::size_t i = 0; i < 2000; ++i) stairs += std::string(i, ' ') + "a:\n";
  EXPECT_FALSE(ParseDocument(stairs, "f.yaml").ok());
}

TEST(Document, RefusesWhatIsOverItsSize) {
  EXPECT_EQ(ErrorOf(std::string(kDocumentBytesMax + 1, ' ')),
            "f.yaml: is over 64 MB; split the file");
}

// Whatever the bytes, the answer is a document or an error with a position.
TEST(Document, AnswersEveryDamagedFile) {
  const std::string good =
      "# fleet\nname: x\nlist: [1, {a: b}, 'q', \"d\\n\"]\nmap:\n  - k: v\n    t: |\n      text\n  "
      "- ~\n";
  const std::string_view bytes = "[]{}:,-?&*!|>'\"%@`#\n\t \\a1.~<=\xc3\xa9";
  Rng rng(21);
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good;
    for (std::uint64_t edits = 1 + rng.Below(4); edits > 0; --edits) {
      const std::size_t at = rng.Below(text.size());
      const char byte = bytes[rng.Below(bytes.size())];
      switch (rng.Below(3)) {
        case 0:
          text[at] = byte;
          break;
        case 1:
          text.insert(at, 1, byte);
          break;
        default:
          text.erase(at, 1 + rng.Below(5));
      }
    }
    const Result<Document> document = ParseDocument(text, "f.yaml");
    if (!document.ok()) {
      ASSERT_TRUE(document.status().message().starts_with("f.yaml:"))
          << document.status().message();
    }
  }
}

TEST(ReadDocument, ReadsAFileAndNamesItInErrors) {
  const testing::TempFolder folder;
  const std::string path = folder.Write("f.yaml", "racks: x\n");
  const Result<Document> document = ReadDocument(path);
  ASSERT_TRUE(document.ok()) << document.status().message();
  EXPECT_EQ(document.value().root().Find("racks")->Integer().status().message(),
            path + ":1:8: racks: 'x' is not a whole number; write a whole number");
}

TEST(ReadDocument, SaysWhyAFileCannotBeRead) {
  const Status missing = ReadDocument("/no/such/file").status();
  EXPECT_EQ(missing.code(), Code::kNotFound);
  EXPECT_EQ(missing.message(),
            "/no/such/file: cannot be opened: No such file or directory; check the path");
  const testing::TempFolder folder;
  const Status directory = ReadDocument(folder.path()).status();
  EXPECT_EQ(directory.code(), Code::kUnavailable);
  EXPECT_NE(directory.message().find("cannot be read: Is a directory"), std::string::npos)
      << directory.message();
}

TEST(ReadDocument, StopsReadingAtTheBound) {
  EXPECT_EQ(ReadDocument("/dev/zero").status().message(),
            "/dev/zero: is over 64 MB; split the file");
}

}  // namespace
}  // namespace berth
