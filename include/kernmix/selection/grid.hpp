#pragma once
/// \file
/// Grids of settings: values for some of them, in all combinations.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernmix/settings.hpp"

namespace kernmix {

struct GridValue {
  std::string text;
  std::optional<double> number;  ///< where it is one
};

/// A key of a setting such as "C", or a parameter of the regularizer such as "p", and its values.
struct GridAxis {
  std::string key;
  std::vector<GridValue> values;
};

/// "C=0.1,1,10" or "C=0.01..100*10" (from, to, factor), each.
/// \throws ParameterError for other forms and a key that is named twice
[[nodiscard]] std::vector<GridAxis> parse_grid(const std::vector<std::string>& specifications);

/// Keys of settings that a model may have for itself: all but those of the classes of the data.
[[nodiscard]] std::vector<std::string> grid_keys();

/// Why a grid cannot have this key: "is neither ..."; nothing where it can.
/// \param regularizer  of the model, as text: "lp" has the parameter p
[[nodiscard]] std::optional<std::string> refusal_of_axis(const std::string& key,
                                                         const std::string& regularizer);

struct GridPoint {
  std::string name;  ///< "p=2, C=10": of the axes with several values
  SettingTexts settings;
  std::vector<std::pair<std::string, double>> numbers;  ///< of the axes whose values are numbers
  Index path = 0;  ///< points of a path follow each other and differ in the last axis only
};

/// Every combination, the key C fastest: models of a path begin with each other's answers.
/// \param settings  of all points  \throws ParameterError for more than 100,000 points
[[nodiscard]] std::vector<GridPoint> grid_points(const SettingTexts& settings,
                                                 std::vector<GridAxis> axes);

}  // namespace kernmix
