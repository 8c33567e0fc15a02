#include "model/cross_fitting/calibration_folds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors_at.hpp"
#include "kernmix/error.hpp"
#include "model/cross_fitting/cross_fit.hpp"

namespace kernmix {
namespace {

/// scikit-learn's random_state has 32 bits.
std::uint32_t folded(std::uint64_t seed) {
  return static_cast<std::uint32_t>(seed) ^ static_cast<std::uint32_t>(seed >> 32U);
}

std::vector<Index> classes_of(const TaskTargets& targets) {
  std::vector<Index> classes;
  for (Index i = 0; i < targets.samples(); ++i) classes.push_back(targets.class_of(i));
  return classes;
}

void require_count(Index count, Index folds, const std::string& what) {
  if (count >= folds) return;
  throw DataError(fmt::format(
      "calibration: {} samples {}, fewer than the {} folds; take fewer folds, or leave it out",
      count, what, folds));
}

void require_labels(Index folds, const TaskSet& set) {
  for (Index k = 0; k < set.size(); ++k) {
    const Vector& y = set.task(k).y;
    const auto with = static_cast<Index>(std::ranges::count(y, 1.0));
    require_count(with, folds, fmt::format("have label '{}'", set.name(k)));
    require_count(length(y) - with, folds, fmt::format("are without label '{}'", set.name(k)));
  }
}

void require_classes(Index folds, const TaskTargets& targets) {
  const std::vector<Index> classes = classes_of(targets);
  for (Index c = 0; c < length(targets.names); ++c) {
    require_count(static_cast<Index>(std::ranges::count(classes, c)), folds,
                  fmt::format("are of class '{}'", targets.names[to_size(c)]));
  }
}

/// Checks that the training part of every fold contains each class.
void require_classes_outside(const std::vector<Fold>& folds, const TaskTargets& targets) {
  for (const Fold& fold : folds) {
    std::vector<bool> trained(targets.names.size(), false);
    for (const Index i : fold.train) trained[to_size(targets.class_of(i))] = true;
    const auto missing = std::ranges::find(trained, false) - trained.begin();
    if (missing == length(targets.names)) continue;
    throw DataError(fmt::format(
        "calibration: the groups with class '{}' are all in one of the {} folds, whose training "
        "part lacks the class; use another number of folds, or leave calibration out",
        targets.names[to_size(missing)], folds.size()));
  }
}

}  // namespace

std::vector<Fold> calibration_folds(const TaskTargets& targets, const std::vector<Index>& groups,
                                    ConstSpan weights, Index folds, std::uint64_t seed) {
  if (targets.scheme == TaskScheme::labels || !groups.empty()) {
    return folds_without_classes(targets.samples(), groups, weights, folds, seed);
  }
  return stratified_folds(classes_of(targets),
                          {.folds = folds, .shuffle = true, .seed = folded(seed)}, weights);
}

void require_samples_to_calibrate(const TrainOptions& options, const TaskSet& set) {
  if (options.calibration == CalibrationMethod::none) return;
  const Index folds = options.calibration_folds;
  if (set.targets.scheme == TaskScheme::labels) require_labels(folds, set);
  if (options.groups.empty()) {
    if (set.targets.scheme != TaskScheme::labels) require_classes(folds, set.targets);
    return;
  }
  const auto dealt = errors_at("calibration", [&] {
    return calibration_folds(set.targets, options.groups, options.sample_weights, folds, 0);
  });
  if (set.targets.scheme != TaskScheme::labels) require_classes_outside(dealt, set.targets);
}

}  // namespace kernmix
