#pragma once
/// \file
/// y = +1 or -1 from two classes, y = the number that a label is, or y = 0 where nothing is read:
/// the labels of a table as the loss learns from them.

#include <map>
#include <string>

#include "kernmix/data.hpp"
#include "kernmix/loss.hpp"

namespace kernmix {

/// y of n samples. \param classes  read for Target::classes only
/// \throws DataError for missing labels, an unknown class or a label that is not a number
[[nodiscard]] Vector target_values(Target target, const BinaryLabels& classes, const Table& table,
                                   Index n);

/// y as a matrix of one column.
[[nodiscard]] Matrix as_column(const Vector& y);

/// The weights of {negative, positive}; labels are compared as in the data ("1.0" is "1").
/// \throws ParameterError for a weight that is not > 0, an unknown class or one named twice
[[nodiscard]] Vector class_weights(const std::map<std::string, double>& by_label,
                                   const BinaryLabels& classes);

/// C_i = base * class weight of y_i * sample weight i, base = loss_weight(loss, C, n).
/// \param class_weights {negative, positive}, or empty;  \param sample_weights n, or empty
[[nodiscard]] Vector loss_weights(double base, ConstSpan class_weights, ConstSpan y,
                                  ConstSpan sample_weights);

}  // namespace kernmix
