#pragma once
/// \file
/// The dual variables a of a model's support vectors, f(x) = sum_m d_m sum_i a_i k_m(x_i, x) + b,
/// as a table, as CSV and as JSON.

#include <string>

#include "kernmix/model.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// Columns row, sample (if the model has ids) and alpha, or one alpha for each task.
[[nodiscard]] std::string duals_table(const Model& model);
[[nodiscard]] std::string duals_csv(const Model& model);
/// [{row, sample, alpha}], alpha is an object with a number for each task if there are several.
[[nodiscard]] Json duals_json(const Model& model);

}  // namespace kernmix::cli
