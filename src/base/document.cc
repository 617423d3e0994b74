#include "base/document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/document_tree.h"
#include "base/text.h"
#include "base/utf8.h"

namespace berth {
namespace {

using Kind = Node::Kind;

// Leaves the parser when an event is refused; never leaves this file.
struct Refused {
  Status status;
};

Position PositionOf(const YAML::Mark& mark) {
  return {.line = static_cast<std::uint32_t>(std::max(mark.line, 0)) + 1,
          .column = static_cast<std::uint32_t>(std::max(mark.column, 0)) + 1};
}

// Whether the quote that `text` opens with is closed in it. Block text, which opens with '|' or
// '>', needs no closing.
bool ClosesQuote(std::string_view text) {
  const char quote = text.front();
  if (quote != '\'' && quote != '"') return true;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 == text.size() || text[i + 1] != quote) return true;
      ++i;  // Two single quotes stand for one.
    }
  }
  return false;
}

// Builds our tree from the parser's events. Refusing depth here, as each level opens, bounds the
// parser's recursion too.
class Builder final : public YAML::EventHandler {
 public:
  explicit Builder(DocumentTree& tree) : tree_(tree) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) Refuse(mark, "a second document begins here; keep one document a file");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    RefuseAnchor(mark, anchor);
    RefuseAsKey(mark);
    Add(Kind::kNull, mark);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    Refuse(mark, "aliases are not supported; write the value out");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    RefuseAnchor(mark, anchor);
    RefuseTag(mark, tag);
    if (tag == "!") {
      last_quoted_ = {.offset = static_cast<std::size_t>(mark.pos), .at = PositionOf(mark)};
    }
    if (ExpectsKey()) {
      open_.back().has_key = true;
      key_ = tree_.Keep(value);
      key_at_ = PositionOf(mark);
      return;
    }
    DocumentTree::Item& item = Add(Kind::kScalar, mark);
    item.quoted = tag == "!";
    item.text = tree_.Keep(value);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(Kind::kList, mark, tag, anchor);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(Kind::kMap, mark, tag, anchor);
  }
  void OnMapEnd() override {
    RefuseDuplicateKeys();
    Close();
  }

  // The parser lets a quote at the end of the file stay open.
  Status CheckLastQuoteIsClosed(std::string_view text) const {
    if (!last_quoted_ || ClosesQuote(text.substr(last_quoted_->offset))) return {};
    return tree_.ErrorAt(last_quoted_->at,
                         tree_.PathOf(static_cast<std::uint32_t>(tree_.items.size() - 1)),
                         "a quote opens here and is never closed; close it");
  }
  Status ErrorOf(const YAML::Exception& error) const {
    const bool unclosed = error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW ||
                          error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW;
    // Where a list or map begins says more than the end of the file.
    const Position at =
        unclosed && !open_.empty() ? tree_.items[open_.back().item].at : PositionOf(error.mark);
    return tree_.ErrorAt(at, CurrentPath(),
                         fmt::format("malformed YAML: {}; check the quotes, brackets and "
                                     "indentation before this place",
                                     error.msg));
  }
  // Where in the document the parser is: the innermost list or map, and the key that waits for its
  // value.
  std::string CurrentPath() const {
    if (open_.empty()) return {};
    const std::string path = tree_.PathOf(open_.back().item);
    return open_.back().has_key ? JoinPath(path, tree_.TextOf(key_)) : path;
  }

 private:
  struct Level {
    std::uint32_t item = 0;
    bool has_key = false;  // Of a map: the next event is a value.
  };

  bool ExpectsKey() const {
    return !open_.empty() && tree_.items[open_.back().item].kind == Kind::kMap &&
           !open_.back().has_key;
  }

  DocumentTree::Item& Add(Kind kind, const YAML::Mark& mark) {
    if (tree_.items.size() == kDocumentNodesMax) {
      Refuse(mark, fmt::format("the file has more than {} values; split it",
                               FormatCount(kDocumentNodesMax)));
    }
    DocumentTree::Item& item = tree_.items.emplace_back();
    item.kind = kind;
    item.at = PositionOf(mark);
    item.end = static_cast<std::uint32_t>(tree_.items.size());
    if (!open_.empty()) {
      Level& level = open_.back();
      item.parent = level.item;
      if (level.has_key) {
        item.key = key_;
        item.key_at = key_at_;
        // A value left out is noticed at the next line; it is missing after its key.
        if (kind == Kind::kNull && item.at.line != key_at_.line) item.at = key_at_;
        level.has_key = false;
      }
    }
    return item;
  }

  void Open(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    RefuseAnchor(mark, anchor);
    RefuseTag(mark, tag);
    RefuseAsKey(mark);
    if (open_.size() == kDocumentDepthMax) {
      Refuse(mark, fmt::format("is nested over {} levels deep; flatten it", kDocumentDepthMax));
    }
    Add(kind, mark);
    open_.push_back({.item = static_cast<std::uint32_t>(tree_.items.size() - 1)});
  }

  void Close() {
    tree_.items[open_.back().item].end = static_cast<std::uint32_t>(tree_.items.size());
    open_.pop_back();
  }

  void RefuseAnchor(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      Refuse(mark, "anchors are not supported; write the value out wherever it is used");
    }
  }
  void RefuseTag(const YAML::Mark& mark, const std::string& tag) {
    // "?" and "!" stand for no tag, on plain and on quoted values.
    if (!tag.empty() && tag != "?" && tag != "!") {
      Refuse(mark, fmt::format("tags are not supported; remove {}", Quoted(tag)));
    }
  }
  void RefuseAsKey(const YAML::Mark& mark) {
    if (ExpectsKey())
      Refuse(mark, "a key must be text; write 'key: value' and close every bracket");
  }

  void RefuseDuplicateKeys() {
    const std::uint32_t map = open_.back().item;
    std::vector<std::uint32_t> children;
    for (auto i = map + 1; i < tree_.items.size(); i = tree_.items[i].end) children.push_back(i);
    const auto key = [this](std::uint32_t i) { return tree_.TextOf(tree_.items[i].key); };
    std::stable_sort(children.begin(), children.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    const auto twin =
        std::adjacent_find(children.begin(), children.end(),
                           [&](std::uint32_t a, std::uint32_t b) { return key(a) == key(b); });
    if (twin == children.end()) return;
    throw Refused{tree_.ErrorAt(tree_.items[*(twin + 1)].key_at, tree_.PathOf(map),
                                fmt::format("duplicate key {}, first on line {}; keep one",
                                            Quoted(key(*twin)), tree_.items[*twin].key_at.line))};
  }

  [[noreturn]] void Refuse(const YAML::Mark& mark, std::string_view what) const {
    throw Refused{tree_.ErrorAt(PositionOf(mark), CurrentPath(), what)};
  }

  struct Quote {
    std::size_t offset = 0;
    Position at;
  };

  DocumentTree& tree_;
  std::optional<Quote> last_quoted_;
  std::vector<Level> open_;
  DocumentTree::Slice key_;
  Position key_at_;
  int documents_ = 0;
};

// yaml-cpp takes byte 4 for the end of the file and lets malformed UTF-8 through.
Status CheckIsText(const DocumentTree& tree, std::string_view text) {
  const auto control =
      static_cast<std::size_t>(std::find_if(text.begin(), text.end(), IsControl) - text.begin());
  const std::size_t malformed = FindMalformedUtf8(text).value_or(text.size());
  const std::size_t bad = std::min(control, malformed);
  if (bad == text.size()) return {};
  const std::string_view before = text.substr(0, bad);
  const auto line = static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const auto column = static_cast<std::uint32_t>(bad - (before.rfind('\n') + 1)) + 1;
  return tree.ErrorAt({.line = line, .column = column}, {},
                      fmt::format("byte 0x{:02x} is not text; save the file as UTF-8",
                                  static_cast<unsigned char>(text[bad])));
}

Status Build(std::string_view text, DocumentTree& tree) {
  Builder builder(tree);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Refused& refused) {
    return refused.status;
  } catch (const YAML::Exception& error) {
    BERTH_RETURN_IF_ERROR(builder.CheckLastQuoteIsClosed(text));
    return builder.ErrorOf(error);
  } catch (const std::exception& error) {
    return tree.ErrorAt({}, builder.CurrentPath(),
                        fmt::format("cannot be parsed: {}; split the file", error.what()));
  }
  if (tree.items.empty()) tree.items.emplace_back().end = 1;
  return builder.CheckLastQuoteIsClosed(text);
}

Status TooLarge(const std::string& file) {
  return {Code::kInvalidArgument,
          fmt::format("{}: is over {} MB; split the file", file, kDocumentBytesMax >> 20)};
}

Status Unreadable(const std::string& path, std::string_view what) {
  const int error = errno;
  return {error == ENOENT ? Code::kNotFound : Code::kUnavailable,
          fmt::format("{}: cannot be {}: {}; check the path", path, what,
                      std::generic_category().message(error))};
}

}  // namespace

Document::Document(std::unique_ptr<const DocumentTree> tree) : tree_(std::move(tree)) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Result<Document> ParseDocument(std::string_view text, std::string file_name) {
  if (text.size() > kDocumentBytesMax) return TooLarge(file_name);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  auto tree = std::make_unique<DocumentTree>();
  tree->file = std::move(file_name);
  BERTH_RETURN_IF_ERROR(CheckIsText(*tree, text));
  BERTH_RETURN_IF_ERROR(Build(text, *tree));
  return Document(std::move(tree));
}

Result<std::string> ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Unreadable(path, "opened");
  // Read to the bound rather than by the file's size: pipes and devices have none.
  std::string text;
  std::vector<char> chunk(std::size_t{1} << 20);
  while (text.size() <= kDocumentBytesMax) {
    errno = 0;
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    if (errno != 0) return Unreadable(path, "read");
    if (!file) break;
  }
  if (text.size() > kDocumentBytesMax) return TooLarge(path);
  return text;
}

Result<Document> ReadDocument(const std::string& path) {
  BERTH_TRY(const std::string text, ReadText(path));
  return ParseDocument(text, path);
}

}  // namespace berth
