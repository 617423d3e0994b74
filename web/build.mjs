// Bundles the report page and the dashboard and writes them as C++ string literals:
// node build.mjs <report.cc> <dashboard.cc>
//
// The hashes are those the pages' content security policies name, so they are taken here, over
// exactly the bytes that are embedded.
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const LITERAL_CHARS_MAX = 2000;

async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    outdir: "dist",
    write: false,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2020",
    logLevel: "warning",
  });
  const text = (suffix) => outputFiles.find((file) => file.path.endsWith(suffix)).text;
  return { script: text(".js"), style: text(".css") };
}

// Bundlers drop comments; the licence of what is inside has to travel with it.
async function licence(name) {
  const { version } = JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8"));
  const text = await readFile(`node_modules/${name}/LICENSE`, "utf8");
  return `/* Contains ${name} ${version}.\n\n${text.trim()}\n*/\n`;
}

function refuseUnsafe(text, unsafe) {
  if (unsafe.test(text)) throw new Error(`the bundle matches ${unsafe} and cannot be inlined`);
}

function hash(text) {
  return `sha256-${createHash("sha256").update(text, "utf8").digest("base64")}`;
}

function literals(bytes) {
  const escape = (byte) => {
    const char = String.fromCharCode(byte);
    if (char === "\n") return "\\n";
    if (char === '"' || char === "\\" || char === "?") return `\\${char}`;
    return byte >= 0x20 && byte < 0x7f ? char : `\\${byte.toString(8).padStart(3, "0")}`;
  };
  const lines = [""];
  for (const byte of Buffer.from(bytes)) {
    if (lines[lines.length - 1].length > LITERAL_CHARS_MAX) lines.push("");
    lines[lines.length - 1] += escape(byte);
  }
  return lines.map((line) => `    "${line}"`).join("\n");
}

async function assets(entry) {
  const { script: code, style } = await bundle(entry);
  const script = (await licence("uplot")) + code;
  refuseUnsafe(script, /<\/script|<!--/i);
  refuseUnsafe(style, /<\/style/i);
  return { script, style };
}

async function writeReport(output) {
  const { script, style } = await assets("src/report.ts");
  await writeFile(
    output,
    `#include "report/page_assets.h"

namespace berth {

const PageAssets& ReportPage() {
  static constexpr PageAssets kPage = {
    // script
${literals(script)},
    "${hash(script)}",
    // style
${literals(style)},
    "${hash(style)}",
  };
  return kPage;
}

}  // namespace berth
`,
  );
}

// Nothing but its own calls to its own server.
function policyOf({ script, style }) {
  return [
    "default-src 'none'",
    `script-src '${hash(script)}'`,
    `style-src '${hash(style)}'`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

async function writeDashboard(output) {
  const parts = await assets("src/dashboard.ts");
  const template = await readFile("src/dashboard.html", "utf8");
  const page = template
    .replace("/* style */", () => parts.style)
    .replace("/* script */", () => parts.script);
  const bytes = Buffer.from(page, "utf8");
  const gzip = gzipSync(bytes, { level: 9 });
  await writeFile(
    output,
    `#include "serve/dashboard_assets.h"

namespace berth {

const DashboardAssets& Dashboard() {
  static constexpr DashboardAssets kDashboard = {
    // page
    {
${literals(bytes)}, ${bytes.length}},
    // gzip
    {
${literals(gzip)}, ${gzip.length}},
    "${policyOf(parts)}",
  };
  return kDashboard;
}

}  // namespace berth
`,
  );
}

const [report, dashboard] = process.argv.slice(2);
await writeReport(report);
await writeDashboard(dashboard);
