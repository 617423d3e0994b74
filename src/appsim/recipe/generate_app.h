// Applications drawn by a recipe.
#pragma once

#include <cstdint>
#include <vector>

#include "appsim/app_model.h"
#include "appsim/recipe/app_recipe.h"

namespace berth {

// The same recipe and seed give the same application. Refused if no node type holds an instance.
Result<AppModel> GenerateApp(const AppRecipe& recipe, std::uint64_t seed);

// So many as evenly as whole numbers allow by these shares: who is cut off most gets one first.
std::vector<std::uint32_t> SplitByShares(std::uint32_t count, const std::vector<double>& shares);

}  // namespace berth
