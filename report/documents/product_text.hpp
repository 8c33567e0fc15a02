#pragma once
/// \file
/// The weights of a learned product of kernels.

#include <string>
#include <vector>

#include "json_text.hpp"
#include "kernmix/model.hpp"
#include "layout.hpp"

namespace kernmix::documents {

/// `optimum`, which is "local", and `product` with the measured stationarity and the weight of each
/// factor; no key for other models.
[[nodiscard]] Json product_json(const Model& model);

/// The optimum, its stationarity, the objective and the penalty; no row for other models.
[[nodiscard]] std::vector<Row> product_rows(const Model& model);

/// The accuracy of an answer: "relative gap 3e-04", or "local optimum, stationarity 3e-04".
[[nodiscard]] std::string accuracy_text(const Model& model);

/// Factors with weight, the largest first. \param limit  of rows
[[nodiscard]] std::string factors_table(const Product& product, std::size_t limit);

}  // namespace kernmix::documents
