#pragma once
/// \file
/// The views that a result learned from, and the columns of each file in them.

#include <string>

#include "json_text.hpp"
#include "kernmix/data.hpp"
#include "kernmix/train.hpp"

namespace kernmix::documents {

/// "clinic: 3 columns of clinic, K: gram matrix"; the first views of many.
[[nodiscard]] std::string views_text(const Dataset& data);

/// [{name, kind, columns, files: [{file, columns}]}]; `samples` of a view that some samples lack.
[[nodiscard]] Json views_json(const Dataset& data);

}  // namespace kernmix::documents
