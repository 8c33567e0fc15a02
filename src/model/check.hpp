#pragma once
/// \file
/// What the checks of models have in common. Sentences go on from the name of the file.

#include <string>
#include <vector>

#include "kernmix/error.hpp"
#include "kernmix/model/multi.hpp"

namespace kernmix {

/// \throws DataError with `sentence` unless it holds
void require_model(bool holds, const std::string& sentence);

[[nodiscard]] bool all_finite(ConstSpan values);
[[nodiscard]] bool all_positive(ConstSpan values);     ///< and finite
[[nodiscard]] bool all_nonnegative(ConstSpan values);  ///< and finite
[[nodiscard]] bool are_unique(const std::vector<std::string>& names);
/// Is every number greater than the one before, and are all in 0 .. below - 1?
[[nodiscard]] bool are_ascending(const std::vector<Index>& numbers, Index below);

/// Everything that models of every kind have. \throws DataError
void check_basis(const ModelBasis& model);

/// check_model of a model that somebody handed over, rather than a file. \throws DataError
template <typename AnyKind>
void require_sound(const AnyKind& model) {
  try {
    check_model(model);
  } catch (const DataError& failure) {
    throw DataError(std::string("the model ") + failure.what());
  }
}

/// body(), whose ParameterErrors are about what the model says. \throws DataError
template <typename Body>
void check_settings_of(const Body& body) {
  try {
    body();
  } catch (const ParameterError& failure) {
    throw DataError(std::string("has settings that are not allowed: ") + failure.what());
  }
}

}  // namespace kernmix
