#pragma once
/// \file
/// Models as headers and blocks. The order of keys and blocks is fixed: equal models, equal bytes.

#include "kernmix/model.hpp"
#include "model/file/container.hpp"

namespace kernmix {

/// In the earliest version that holds the model.
[[nodiscard]] Container to_container(const Model& model);

/// Of any version. \throws DataError naming the key or block that is missing or of the wrong type
/// or
///         shape; consistency between parts is tested by check_model
[[nodiscard]] Model to_model(const Container& container);

}  // namespace kernmix
