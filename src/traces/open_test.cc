#include "traces/open.h"

#include <gtest/gtest.h>

#include "support/traces.h"

namespace berth {
namespace {

std::string ErrorAt(std::string_view where) { return FirstError(OpenTrace(where, {})); }

TEST(OpenTrace, ReadsBerthsOwnFormatUnlessAnImporterIsNamed) {
  EXPECT_EQ(ErrorAt(TestFile("formats/trace.csv")), "no error");
  EXPECT_EQ(ErrorAt("berth:" + TestFile("formats/trace.csv")), "no error");
  EXPECT_EQ(ErrorAt("azure_v1:" + TestFile("azure_v1/arrivals.csv")), "no error");
}

TEST(OpenTrace, ListsTheImportersWhenOneIsUnknown) {
  EXPECT_EQ(ErrorAt("azure_v9:x.csv"),
            "'azure_v9:x.csv': there is no importer 'azure_v9'; the importers are berth, azure_v1, "
            "google2011_tasks, google2011_jobs, alibaba_gpu_v2023, huawei_topology, "
            "alibaba_batch_v2017");
}

TEST(OpenTrace, RefusesWhatIsNoFile) {
  EXPECT_EQ(ErrorAt("berth:"), "'berth:': names no file; write FILE or IMPORTER:FILE");
  EXPECT_EQ(ErrorAt(""), "'': names no file; write FILE or IMPORTER:FILE");
  EXPECT_EQ(ErrorAt("./no:such.csv"),
            "./no:such.csv: cannot be opened: No such file or directory; check the path");
  EXPECT_EQ(ErrorAt("azure_v1:-"),
            "standard input: azure_v1 reads its file twice, first for the sizes; give a file");
}

TEST(Importers, HaveASummaryEach) {
  for (const ImporterEntry& entry : BuiltinImporters()) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_EQ(entry.summary.find('\n'), std::string_view::npos) << entry.name;
  }
}

// Every importer must bear what is no trace at all.
TEST(Importers, AnswerNonsenseWithAnErrorThatNamesTheFile) {
  for (const ImporterEntry& entry : BuiltinImporters()) {
    for (const std::string_view text : {"", "\n", "\"", "a,b\n1,2\n", "\xff\xfe\x00,"}) {
      const std::string error =
          FirstError(entry.open(TraceSource::Memory(std::string(text), "t.csv"), {}));
      EXPECT_TRUE(error.starts_with("t.csv:")) << entry.name << ": " << error;
    }
  }
}

}  // namespace
}  // namespace berth
