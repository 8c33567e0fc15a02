#include "model/targets.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "kernmix/error.hpp"

namespace kernmix {

Vector target_values(Target target, const BinaryLabels& classes, const Table& table, Index n) {
  if (target == Target::none) return Vector(static_cast<std::size_t>(n), 0.0);
  if (table.labels.empty()) {
    throw DataError(fmt::format("{}: has no labels; name the label column", table.source));
  }
  return target == Target::classes ? classes.encode(table.labels) : numbers_of(table.labels);
}

Matrix as_column(const Vector& y) {
  Matrix column(length(y), 1);
  column.values = y;
  return column;
}

Vector class_weights(const std::map<std::string, double>& by_label, const BinaryLabels& classes) {
  Vector weights = {1.0, 1.0};
  std::set<bool> given;
  for (const auto& [label, weight] : by_label) {
    if (!(std::isfinite(weight) && weight > 0.0)) {
      throw ParameterError(
          fmt::format("the weight of class '{}' must be > 0 and finite, got {}", label, weight));
    }
    bool positive = false;
    try {
      positive = classes.encode({label}).front() > 0.0;
    } catch (const DataError&) {
      throw ParameterError(
          fmt::format("class weight for unknown class '{}', the classes are '{}' and '{}'", label,
                      classes.negative, classes.positive));
    }
    if (!given.insert(positive).second) {
      throw ParameterError(fmt::format("two weights are given for class '{}'", label));
    }
    weights[positive ? 1 : 0] = weight;
  }
  return weights;
}

Vector loss_weights(double base, ConstSpan class_weights, ConstSpan y, ConstSpan sample_weights) {
  Vector weights(y.size(), base);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!class_weights.empty()) weights[i] *= class_weights[y[i] > 0.0 ? 1 : 0];
    if (!sample_weights.empty()) weights[i] *= sample_weights[i];
  }
  return weights;
}

}  // namespace kernmix
