#pragma once
/// \file
/// The output of kernmix stability as text, JSON and CSV.

#include <optional>
#include <string>

#include "kernmix/selection/significance.hpp"
#include "kernmix/selection/stability.hpp"
#include "output.hpp"

namespace kernmix::cli {

struct StabilityFindings {
  Stability weights;
  std::optional<Significance> significance;
};

[[nodiscard]] std::string stability_text(const StabilityFindings& found);
[[nodiscard]] Json stability_json(const StabilityFindings& found);

/// kind (view or kernel), task, view, name, share, frequency, mean, low, high, null_frequency.
[[nodiscard]] std::string stability_csv(const Stability& weights);

}  // namespace kernmix::cli
