#pragma once
/// \file
/// Widths relative to the data: width = factor * a distance between training samples
/// (docs/kernels.md).

#include <string>

#include "kernmix/kernel/function.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// A distance that is measured on the training samples.
enum class TypicalDistance {
  median,  ///< of all pairs of samples that differ
  near     ///< of one pair in a thousand of them, but at least median / 4
};
/// "median" or "near".
[[nodiscard]] std::string distance_name(TypicalDistance distance);
/// \throws ParameterError naming the known ones
[[nodiscard]] TypicalDistance parse_distance(const std::string& name);

struct RelativeWidth {
  double factor = 1.0;
  TypicalDistance distance = TypicalDistance::median;
  [[nodiscard]] std::string text() const;  ///< "median*0.5", "near"
  friend bool operator==(const RelativeWidth&, const RelativeWidth&) = default;
};

/// Both are 1 where no two samples differ: their kernel is the same for every width.
struct TypicalDistances {
  double median = 1.0;
  double near = 1.0;
  [[nodiscard]] double width(const RelativeWidth& relative) const {
    return relative.factor * (relative.distance == TypicalDistance::near ? near : median);
  }
};

/// Between samples, in what `function` measures its width in: |x - z|, |x - z|_1 of `laplacian`,
/// sum (x - z)^2 / (x + z) of `chi2`. All pairs of at most 1000 samples count; of more samples
/// evenly spaced ones in the order of their values, so that the order of the rows does not matter.
/// \param samples  as `function` reads them, one a row
[[nodiscard]] TypicalDistances typical_distances(const KernelFunction& function,
                                                 const Matrix& samples);

/// The same of a given distance matrix; of more than 1000 samples, evenly spaced rows.
[[nodiscard]] TypicalDistances typical_given_distances(const GivenMatrix& distances);

/// May `function` be given a width?
[[nodiscard]] bool takes_width(const KernelFunction& function);

/// `function` with gamma as `width` has it. \throws ParameterError when the width is out of range
[[nodiscard]] KernelFunction with_width(const KernelFunction& function, double width);

}  // namespace kernmix
