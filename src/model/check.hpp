#pragma once
/// \file
/// check_model with sentences that do not go on from the name of a file.

#include <string>

#include "kernmix/error.hpp"
#include "kernmix/model.hpp"

namespace kernmix {

/// check_model of a model that somebody handed over, rather than a file. \throws DataError
inline void require_sound(const Model& model) {
  try {
    check_model(model);
  } catch (const DataError& failure) {
    throw DataError(std::string("the model ") + failure.what());
  }
}

/// What is read must be coded as in training: the words of a column stand for the numbers that they
/// had there, and numbers given for words are their places.
/// \throws DataError naming the column
void check_categories(const Model& model, const Table& table);

}  // namespace kernmix
