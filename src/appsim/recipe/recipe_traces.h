// What traces tell in place of what a recipe says.
#pragma once

#include <string>

#include "appsim/recipe/app_recipe.h"
#include "base/document.h"

namespace berth {

// {azure_functions: {...}, azure_vms: {...}}; files are looked for in the folder.
Status EnrichByTraces(const Node& node, const std::string& folder, AppRecipe& recipe);

}  // namespace berth
