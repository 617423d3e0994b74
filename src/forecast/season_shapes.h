// What STL finds of seasons, less what chance explains of it: in noise it finds a shape too, and
// the fewer periods there are, the more of one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forecast/stl.h"

namespace berth {

struct SeasonShapes {
  // In the order of the periods: of each shape the share that chance does not explain.
  std::vector<std::vector<double>> seasons;
  std::vector<double> kept;  // That share, 0 to 1.
  // The values without all that was found, chance's too: what is alike in noise a season apart says
  // nothing of where the level goes.
  std::vector<double> rest;
  // By how much more than the rest shows the next values vary about what is foreseen of them: by
  // the noise that the shapes took from the rest, and by the error of what is kept of them.
  double hidden_variance = 0;
};

// Ascending periods, of each at least two. A shape is shrunk by the share of its variance that
// noise like that of the remainder would have given it (James and Stein 1961).
SeasonShapes ShapesOf(std::span<const double> values, std::span<const std::size_t> periods);

// What a season's shape, an average over periods, makes of noise; as shares of its variance. From
// the weights that STL gives to the values of so many periods.
struct ShapeNoise {
  double own = 0;    // The weight of a value in the shape at its own place.
  double found = 0;  // The variance of the shape found.
  double ahead = 0;  // The same of the last period alone, which goes on.

  // Of the noise, once the shape found in it is taken off.
  double left() const { return 1 - 2 * own + found; }
};
ShapeNoise ShapeNoiseOf(std::size_t periods, std::size_t season_window);

}  // namespace berth
