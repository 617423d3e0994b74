#include "report/html.h"

#include <fmt/format.h>

#include <string_view>

#include "report/json.h"
#include "report/page_assets.h"

namespace berth {
namespace {

constexpr std::string_view kPage = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '{script_hash}'; style-src '{style_hash}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<link rel="icon" href="{icon}">
<style>{style}</style>
</head>
<body>
<noscript>This report draws its plots and tables with JavaScript, which is switched off. The same data is in report.json.</noscript>
<script type="application/json" id="report-data">{data}</script>
<script>{script}</script>
</body>
</html>
)";

constexpr std::string_view kIcon =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Crect width='16' height='16' rx='4' fill='%231d5fd0'/%3E"
    "%3Cpath d='M4 4v8h8V4M8 4v5' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E";

std::string EscapeHtml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// In JSON these three stand in strings only. Without '<' neither </script> nor <!-- can be formed.
std::string EscapeForScriptElement(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    switch (c) {
      case '&':
        out += "\\u0026";
        break;
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string Title(std::span<const Report> runs) {
  if (runs.empty()) return "Berth report";
  if (runs.size() == 1) return runs.front().title;
  return fmt::format("{} and {} more", runs.front().title, runs.size() - 1);
}

}  // namespace

std::string ToHtml(std::span<const Report> runs) {
  const PageAssets& assets = ReportPage();
  return fmt::format(
      kPage, fmt::arg("script_hash", assets.script_hash), fmt::arg("style_hash", assets.style_hash),
      fmt::arg("title", EscapeHtml(Title(runs))), fmt::arg("icon", kIcon),
      fmt::arg("style", assets.style), fmt::arg("data", EscapeForScriptElement(ToJson(runs))),
      fmt::arg("script", assets.script));
}

}  // namespace berth
