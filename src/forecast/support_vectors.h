// Support vector regression with a radial kernel, by libsvm: errors within a tube cost nothing,
// others in proportion.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace berth {

struct SupportVectorSettings {
  double cost = 10;    // Of an error of one beyond the tube.
  double tube = 0.05;  // Half its width.
  double gamma = 0.2;  // Of exp(-gamma distance^2).
};

class SupportVectors {
 public:
  // Rows of equal length, as many as targets, at least one. Both are best about one in size.
  SupportVectors(std::span<const std::vector<double>> rows, std::span<const double> targets,
                 const SupportVectorSettings& settings);
  ~SupportVectors();
  SupportVectors(SupportVectors&&) noexcept;
  SupportVectors& operator=(SupportVectors&&) noexcept;

  double operator()(std::span<const double> row) const;
  std::size_t count() const;  // Rows that it is made of.

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace berth
