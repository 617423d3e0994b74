// The dashboard, built from web/ and compiled in by cmake/web.cmake.
#pragma once

#include <string_view>

namespace berth {

struct DashboardAssets {
  std::string_view page;  // HTML with its script and style.
  std::string_view page_gzip;
  std::string_view policy;  // The content security policy that it is to be served with.
};

const DashboardAssets& Dashboard();

}  // namespace berth
