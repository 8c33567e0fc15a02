#pragma once
/// \file
/// The parts of header and blocks that models of every kind have, and how vectors are kept.

#include <string>
#include <vector>

#include "kernmix/model/model.hpp"
#include "model/file/container.hpp"

namespace kernmix {

[[nodiscard]] Json settings_entry(const ModelSettings& settings);
/// \param version  of the container: 1 knew a free bias only
[[nodiscard]] ModelSettings read_settings(const Json& entry, std::uint32_t version);

[[nodiscard]] Json bounds_entry(const Bounds& bounds);
[[nodiscard]] Bounds read_bounds(const Json& entry);

/// Keys from `training_samples` to `support_ids`, and the blocks of scaling, support vectors,
/// column means and sample weights.
void put_basis(const ModelBasis& model, Container& container);
/// The same and the settings. \throws DataError naming the key or block that is missing or wrong
void read_basis(const Container& container, ModelBasis& model);

[[nodiscard]] Block vector_block(const char* name, const Vector& values);
[[nodiscard]] Block index_block(const char* name, const std::vector<Index>& values);
[[nodiscard]] bool has_block(const Container& container, const char* name);
/// \throws DataError where there is none
[[nodiscard]] const Matrix& find_block(const Container& container, const char* name);
/// \throws DataError where there is none, or none of one column
[[nodiscard]] const Vector& find_vector(const Container& container, const char* name);
/// A vector of whole numbers >= 0. \param what  "a support vector whose row"
[[nodiscard]] std::vector<Index> find_indices(const Container& container, const char* name,
                                              const char* what);

}  // namespace kernmix
