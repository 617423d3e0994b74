// Which of the smoothing models.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forecast/ets_fit.h"

namespace berth {

// Those that ets tries: of 15 with a season, 6 without. Proportional parts need positive values.
std::vector<EtsForm> AdmissibleForms(bool seasonal, bool all_positive);

// The simplest of those whose AICc is within two of the lowest, of such the one with the lowest;
// the first one tried if there are too few values for any. The period is zero for none.
EtsFitted SelectByCriterion(std::span<const double> values, std::size_t period);

// The same among the forms that are all additive and have no season. What is left once seasons are
// taken off is no multiple of its level: one with errors in proportion to it has bands that grow
// without bound where the level moves.
EtsFitted SelectAdditive(std::span<const double> values);

// Of fewer values too little is left to foresee.
inline constexpr std::size_t kForesightValues = 30;

// The average distance of values from what the model, following them, foresaw a third of the
// history ahead, from times between the first and the last third. Zero of too few values,
// infinite of a model without a criterion or a bound.
double ForesightError(const EtsFitted& fitted, std::span<const double> values);

// The same among those forms alone whose foresight error is within a tenth of the least. The
// criterion of Akaike is about one step ahead: it thinks highly of a slope that follows every hour,
// and of factors of values near zero, both far off a week ahead. Not for what is left of values
// once a season found in all of them is taken off: of that every form foresees too much.
EtsFitted SelectByForesight(std::span<const double> values, std::size_t period);

}  // namespace berth
