// The distance of settings is |log C - log C'|, plus terms for another regularizer or loss.

#include "model/warm_starts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/make_model.hpp"

namespace kernmix {
namespace {

/// ||f_m|| of a part, and its dual vector if it is one task.
StartingPoint start_of(const TaskSet& set, const Model& model, const TasksAnswer& answer,
                       Index part) {
  StartingPoint start;
  if (set.separate()) {
    const ConstSpan norms = model.norms.row(part);
    start.norms.assign(norms.begin(), norms.end());
    start.a = answer.a[to_size(part)];
    return start;
  }
  start.norms = over_tasks(model.weights, model.norms).norms;
  return start;
}

}  // namespace

std::vector<StartingPoint> starts_after(const TaskSet& set, const Model& model,
                                        const TasksAnswer& answer, const KernelCache& kernels) {
  std::vector<StartingPoint> starts;
  for (Index part = 0; part < set.parts(); ++part) {
    starts.push_back(start_of(set, model, answer, part));
    starts.back().double_precision = kernels.in_double_precision(set.rows(part));
  }
  return starts;
}

WarmStarts::Settings WarmStarts::settings_of(const TaskSet& set, const TrainOptions& options) {
  return {set.targets.scheme,  set.sharing,  set.targets.names,
          options.regularizer, options.loss, cost_of(options)};
}

double WarmStarts::distance(const Settings& left, const Settings& right) {
  constexpr double other_rule = 1.0;
  if (left.scheme != right.scheme || left.sharing != right.sharing || left.names != right.names) {
    return std::numeric_limits<double>::infinity();
  }
  return std::abs(std::log(left.C / right.C)) +
         (left.regularizer != right.regularizer ? other_rule : 0.0) +
         (left.loss != right.loss ? other_rule : 0.0);
}

void WarmStarts::add(const TaskSet& set, const TrainOptions& options,
                     std::vector<StartingPoint> parts) {
  constexpr Index most_answers = 100;
  if (length(answers_) == most_answers) answers_.erase(answers_.begin());
  answers_.push_back({settings_of(set, options), std::move(parts)});
}

std::vector<StartingPoint> WarmStarts::last() const {
  return answers_.empty() ? std::vector<StartingPoint>() : answers_.back().parts;
}

/// Dual vectors are scaled with C, so that samples at their bounds stay there.
std::vector<StartingPoint> WarmStarts::nearest(const TaskSet& set,
                                               const TrainOptions& options) const {
  const Settings asked = settings_of(set, options);
  double least = std::numeric_limits<double>::infinity();
  const Entry* nearest = nullptr;
  for (const Entry& entry : answers_) {
    const double apart = distance(entry.settings, asked);
    if (apart > least || std::isinf(apart)) continue;
    least = apart;
    nearest = &entry;
  }
  if (nearest == nullptr) return {};
  std::vector<StartingPoint> starts = nearest->parts;
  for (const Entry& entry : answers_) {
    if (std::isinf(distance(entry.settings, asked))) continue;
    for (std::size_t part = 0; part < starts.size(); ++part) {
      starts[part].double_precision =
          starts[part].double_precision || entry.parts[part].double_precision;
    }
  }
  const bool same_loss = nearest->settings.loss == asked.loss;
  for (StartingPoint& start : starts) {
    if (!same_loss) start.a.clear();
    for (double& a : start.a) a *= asked.C / nearest->settings.C;
  }
  return starts;
}

}  // namespace kernmix
