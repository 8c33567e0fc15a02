#pragma once
/// \file
/// The section of a model file about reading new samples: columns, words and classes.

#include "kernmix/model.hpp"
#include "model/file/container.hpp"

namespace kernmix {

/// The keys `table_columns`, `categories` and `class_type`, unless they are empty.
void put_table(const Model& model, Container& container);

/// The key `presences` and its blocks, unless all samples have all views.
void put_presences(const Model& model, Container& container);
/// \throws DataError for another form
void read_presences(const Container& container, Model& model);

/// \throws DataError for a section of another form
void read_table_section(const Container& container, Model& model);

}  // namespace kernmix
