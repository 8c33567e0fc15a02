#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/text.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {

void warn_of_missing_calibration(std::vector<Warning>& warnings) {
  warnings.push_back({"calibration-missing",
                      "no time was left to calibrate by cross-fitting: the model gives no "
                      "calibrated probabilities; allow more time or take fewer folds",
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
       fmt::format("on samples held out, larger decision values do not go with {}: its probability "
                   "is the same for every sample; nothing was learned of it that holds for new "
                   "samples, or there are too few",
                   first_names(names)),
       {}});
}

void warn_of_undone_class_weights(const Model& model, std::vector<Warning>& warnings) {
  const Vector& weights = model.settings.class_weights;
  if (std::ranges::adjacent_find(weights, std::not_equal_to<>()) == weights.end()) return;
  warnings.push_back(
      {"calibration-undoes-class-weights",
       "probabilities are of the classes as they occur in the data, and labels follow them: class "
       "weights hardly move labels any more; leave out one of the two, or decide by a threshold "
       "of the probability other than 0.5",
       {}});
}

}  // namespace kernmix
