#pragma once
/// \file
/// Grids: all combinations of the values of some settings.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernmix/settings.hpp"

namespace kernmix {

struct GridValue {
  std::string text;
  std::optional<double> number;  ///< if the text is a number
};

/// The key of a setting ("C") or a parameter of the regularizer ("p"), and its values.
struct GridAxis {
  std::string key;
  std::vector<GridValue> values;
};

/// Parses specifications such as "C=0.1,1,10" or "C=0.01..100*10" (from, to, factor). Commas in
/// double quotes or parentheses belong to a value.
/// \throws ParameterError for other forms and for repeated keys
[[nodiscard]] std::vector<GridAxis> parse_grid(const std::vector<std::string>& specifications);

/// A value that the axis has twice, if there is one.
[[nodiscard]] std::optional<std::string> repeated_value(const GridAxis& axis);

/// Keys of all settings except those of the classes of the data.
[[nodiscard]] std::vector<std::string> grid_keys();

/// Why a grid cannot have this key ("is neither ..."); nothing if it can.
/// \param regularizer  of the model, as text: "lp" has the parameter p
[[nodiscard]] std::optional<std::string> refusal_of_axis(const std::string& key,
                                                         const std::string& regularizer);

struct GridPoint {
  std::string name;  ///< "p=2, C=10": names the axes with several values
  SettingTexts settings;
  std::vector<std::pair<std::string, double>> numbers;  ///< axes with numeric values
  Index path = 0;  ///< points of a path are consecutive and differ only in the last axis
};

/// All combinations; C varies fastest, because models of a path start from each other's answers.
/// \param settings common to all points \throws ParameterError for more than 100,000 points
/// and for a value that an axis has twice
[[nodiscard]] std::vector<GridPoint> grid_points(const SettingTexts& settings,
                                                 std::vector<GridAxis> axes);

}  // namespace kernmix
