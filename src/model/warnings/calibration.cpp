#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {

void warn_of_missing_calibration(std::vector<Warning>& warnings) {
  warnings.push_back({"calibration-missing",
                      "the time limit ended cross-fitting before calibration: the model has no "
                      "calibrated probabilities; allow more time or use fewer folds",
                      {}});
}

void warn_of_constant_maps(const Model& model, std::vector<Warning>& warnings) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < model.calibration.maps.size(); ++k) {
    if (!is_constant(model.calibration.maps[k])) continue;
    names.push_back(in_quotes(model.single() ? model.names.back() : model.names[k]));
  }
  if (names.empty()) return;
  warnings.push_back(
      {"calibration-constant",
       fmt::format(
           "on held-out samples, larger decision values do not indicate {}: its probability "
           "is the same for every sample; the model has not learned it, or there are "
           "too few samples",
           first_names(names)),
       {}});
}

void warn_of_undone_class_weights(const Model& model, std::vector<Warning>& warnings) {
  const Vector& weights = model.settings.class_weights;
  if (std::ranges::adjacent_find(weights, std::not_equal_to<>()) == weights.end()) return;
  warnings.push_back(
      {"calibration-undoes-class-weights",
       "probabilities refer to the class frequencies in the data, and labels follow them, so class "
       "weights hardly affect labels; use only one of the two, or apply a threshold other than 0.5 "
       "to the probability",
       {}});
}

}  // namespace kernmix
