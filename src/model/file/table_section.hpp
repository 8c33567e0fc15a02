#pragma once
/// \file
/// The part of a model file that says how new samples are read: columns, words and classes.

#include "kernmix/model.hpp"
#include "model/file/container.hpp"

namespace kernmix {

/// The keys `table_columns`, `categories` and `class_type`, each where there is something to say.
void put_table(const Model& model, Container& container);

/// \throws DataError for a section of another form
void read_table_section(const Container& container, Model& model);

}  // namespace kernmix
