#pragma once
/// \file
/// check_model with sentences that do not go on from the name of a file.

#include <string>

#include "kernmix/error.hpp"
#include "kernmix/model.hpp"

namespace kernmix {

/// check_model for a model object. \throws DataError
inline void require_sound(const Model& model) {
  try {
    check_model(model);
  } catch (const DataError& failure) {
    throw DataError(std::string("the model ") + failure.what());
  }
}

/// Checks that categories have the same codes as in training, and that numbers in a categorical
/// column are valid codes.
/// \throws DataError naming the column, and for LIBSVM files whose columns count from 0 while the
/// model's count from 1
void check_categories(const Model& model, const Table& table);

}  // namespace kernmix
