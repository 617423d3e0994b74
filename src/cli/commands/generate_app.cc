#include <fmt/format.h>

#include <ostream>

#include "appsim/app_write.h"
#include "appsim/recipe/generate_app.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunGenerateApp(const Invocation& given, Console& console) {
  const Result<AppRecipe> recipe = ReadRecipe(given.Text("--recipe"));
  if (!recipe.ok()) return console.Fail(recipe.status());
  const Result<AppModel> model = GenerateApp(recipe.value(), given.Number("--seed"));
  if (!model.ok()) return console.Fail(model.status());
  console.out << fmt::format("# Drawn by berth generate app --recipe {} --seed {}\n",
                             given.Text("--recipe"), given.Number("--seed"));
  for (const std::string& note : recipe.value().notes) console.out << fmt::format("# {}\n", note);
  console.out << WriteAppFile(model.value());
  return kExitOk;
}

}  // namespace

Command GenerateAppCommand() {
  return {
      .words = "generate app",
      .summary = "print an application drawn by a recipe, for `berth simulate app`",
      .arguments = {},
      .options = {{"--recipe", "FILE", "YAML: what is known of it, and what is left open", true},
                  {"--seed", "N", "of everything that is drawn", false, "1"}},
      .examples = {"berth generate app --recipe testdata/recipes/shop.yaml",
                   "berth generate app --recipe testdata/recipes/azure.yaml --seed 2"},
      .run = RunGenerateApp};
}

}  // namespace berth
