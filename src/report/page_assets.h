// The report page's script and style, built from web/ and compiled in by cmake/web.cmake.
#pragma once

#include <string_view>

namespace berth {

struct PageAssets {
  std::string_view script;
  std::string_view script_hash;  // As a content security policy names it: sha256-….
  std::string_view style;
  std::string_view style_hash;
};

const PageAssets& ReportPage();

}  // namespace berth
