#pragma once
/// \file
/// Models as headers and blocks. The order of keys and blocks is fixed: equal models, equal bytes.

#include "kernmix/model/multi.hpp"
#include "model/file/container.hpp"

namespace kernmix {

[[nodiscard]] Container to_container(const Model& model);

/// \throws DataError naming the key or block that is missing or of the wrong type or shape; what
///         the parts say of each other is left to check_model
[[nodiscard]] Model to_model(const Container& container);

[[nodiscard]] Container to_container(const MultiModel& model);
/// \throws DataError as to_model
[[nodiscard]] MultiModel to_multi_model(const Container& container);
/// Whether the container says that it holds a model of many tasks.
[[nodiscard]] bool is_multi_model(const Container& container);

/// The bytes of a model file, checked. \throws DataError without the name of the file
[[nodiscard]] std::string encode_model(const Model& model);
[[nodiscard]] std::string encode_model(const MultiModel& model);
[[nodiscard]] Model decode_model(std::string_view bytes);
[[nodiscard]] AnyModel decode_any_model(std::string_view bytes);

}  // namespace kernmix
