#include "fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace berth {
namespace {

constexpr std::uint64_t kChangesMax = 8;
constexpr std::size_t kPieceMax = 64;

// What readers stumble over.
constexpr std::array<std::string_view, 14> kTokens = {"0",
                                                      "-1",
                                                      "9223372036854775807",
                                                      "18446744073709551616",
                                                      "1e9",
                                                      "99999999",
                                                      "\n",
                                                      "\"",
                                                      ": ",
                                                      "- ",
                                                      "{",
                                                      "]",
                                                      "\xff\xff\xff\xff\x0f",
                                                      "\xef\xbb\xbf"};

struct Piece {
  std::size_t begin = 0;
  std::size_t size = 0;
};
Piece DrawPiece(const std::string& text, Rng& rng) {
  Piece piece;
  piece.begin = rng.Below(text.size() + 1);
  piece.size = rng.Below(std::min(kPieceMax, text.size() - piece.begin) + 1);
  return piece;
}

void ChangeByte(std::string& text, Rng& rng) {
  if (text.empty()) return;
  const std::size_t at = rng.Below(text.size());
  const auto flipped = static_cast<unsigned char>(1 + rng.Below(255));
  text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ flipped);
}

void Change(std::string& text, const std::vector<std::string>& seeds, Rng& rng) {
  const std::uint64_t kind = rng.Below(6);
  const Piece piece = DrawPiece(text, rng);
  const std::size_t at = rng.Below(text.size() + 1);
  switch (kind) {
    case 0:
      return ChangeByte(text, rng);
    case 1:
      text.erase(piece.begin, piece.size);
      return;
    case 2:
      text.insert(at, std::string(text, piece.begin, piece.size));
      return;
    case 3:
      text.insert(at, kTokens[rng.Below(kTokens.size())]);
      return;
    case 4:
      text.replace(piece.begin, piece.size, kTokens[rng.Below(kTokens.size())]);
      return;
    default: {
      const std::string& other = seeds[rng.Below(seeds.size())];
      const Piece theirs = DrawPiece(other, rng);
      text.insert(at, other, theirs.begin, theirs.size);
    }
  }
}

}  // namespace

std::string Mutated(const std::vector<std::string>& seeds, Rng& rng) {
  std::string text = seeds[rng.Below(seeds.size())];
  const std::uint64_t changes = 1 + rng.Below(kChangesMax);
  for (std::uint64_t i = 0; i < changes; ++i) Change(text, seeds, rng);
  return text;
}

}  // namespace berth
