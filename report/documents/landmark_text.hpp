#pragma once
/// \file
/// The landmarks of a model, and its bounds on the kernels as written.

#include <vector>

#include "json_text.hpp"
#include "kernmix/model.hpp"
#include "layout.hpp"

namespace kernmix::documents {

/// The number of landmarks and, if they are known, the bounds; no row for other models.
[[nodiscard]] std::vector<Row> landmark_rows(const Model& model);

/// `landmarks`: their `rows` in the training data, from 1, and their `ids`; no key for other
/// models.
[[nodiscard]] Json landmarks_json(const Model& model);

}  // namespace kernmix::documents
