// How a Document is kept: one flat array of nodes in reading order, and one string of all texts. A
// fleet file has millions of nodes; allocating each would cost ten times the memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"

namespace berth {

struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

struct DocumentTree {
  // A part of `texts`.
  struct Slice {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
  };
  struct Item {
    Node::Kind kind = Node::Kind::kNull;
    bool quoted = false;
    Position at;
    Position key_at;  // Of a map's value.
    Slice text;       // Of a scalar.
    Slice key;        // Of a map's value.
    std::uint32_t parent = 0;
    std::uint32_t end = 0;  // The first item that is not inside this one.
  };

  std::string_view TextOf(Slice slice) const {
    return std::string_view(texts).substr(slice.begin, slice.size);
  }
  Slice Keep(std::string_view text);
  // Empty for the root.
  std::string PathOf(std::uint32_t index) const;
  Status ErrorAt(Position at, std::string_view path, std::string_view what) const;

  std::string file;
  std::string texts;
  std::vector<Item> items;
};

// "a.b" of "a" and "b".
std::string JoinPath(std::string_view path, std::string_view key);

}  // namespace berth
