#pragma once
/// \file
/// The output of kernmix stability as text, JSON and CSV.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/selection/significance.hpp"
#include "kernmix/selection/stability.hpp"
#include "kernmix/sets.hpp"
#include "output.hpp"

namespace kernmix::cli {

struct StabilityFindings {
  Stability weights;
  std::vector<SetSize> sets;  ///< of --sets; the others of the views have no size
  std::optional<Significance> significance;
};

[[nodiscard]] std::string stability_text(const StabilityFindings& found);
[[nodiscard]] Json stability_json(const StabilityFindings& found);

/// kind (view or kernel), task, view, name, share, frequency, mean, low, high, null_frequency, and
/// of the views of --sets matched (columns) and named (names in the set).
[[nodiscard]] std::string stability_csv(const StabilityFindings& found);

}  // namespace kernmix::cli
