#include "model/cross_fitting/cross_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors_at.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/thresholds/folds.hpp"
#include "solve/unfinished.hpp"

namespace kernmix {

std::vector<Index> labels_of_both_signs(const MultiLabels& labels,
                                        const std::vector<Index>& samples) {
  std::vector<Index> found;
  for (Index t = 0; t < length(labels.names); ++t) {
    const auto has = [&](Index i) { return labels.has(i, t); };
    const auto count = std::ranges::count_if(samples, has);
    if (count > 0 && count < length(samples)) found.push_back(t);
  }
  return found;
}

namespace {

class CrossFit {
 public:
  CrossFit(const Dataset& data, Index outputs, const FoldTraining& fit, const Context& context)
      : data_(data),
        fit_(fit),
        context_(context),
        of_labels_(!data.table.multi_labels.names.empty()),
        result_{Matrix(sample_count_of(data), outputs), std::vector<bool>(to_size(outputs), true)} {
  }

  /// False if the training of the fold was stopped early.
  [[nodiscard]] bool run(const Fold& fold);
  [[nodiscard]] HeldOutDecisions result() && { return std::move(result_); }

 private:
  static Index sample_count_of(const Dataset& data) {
    return data.matrices.empty() ? data.table.samples() : data.matrices.front().matrix.cols();
  }
  [[nodiscard]] std::vector<Index> outputs_of(const Fold& fold) const {
    return of_labels_ ? labels_of_both_signs(data_.table.multi_labels, fold.train)
                      : all_samples(result_.decision.cols);
  }

  const Dataset& data_;
  const FoldTraining& fit_;
  const Context& context_;
  bool of_labels_;
  HeldOutDecisions result_;
};

bool CrossFit::run(const Fold& fold) {
  const std::vector<Index> outputs = outputs_of(fold);
  for (std::size_t t = 0; t < result_.known.size(); ++t) {
    if (!std::ranges::binary_search(outputs, static_cast<Index>(t))) result_.known[t] = false;
  }
  if (outputs.empty()) return true;
  const std::vector<Index> labels = of_labels_ ? outputs : std::vector<Index>();
  const Model model = fit_(part_of(data_, fold.train, fold.train, labels), fold.train);
  if (is_unfinished(model.settings.status)) return false;
  const Matrix decision =
      predict(model, part_of(data_, fold.test, fold.train, labels), context_).decision;
  for (Index i = 0; i < decision.rows; ++i) {
    for (Index t = 0; t < decision.cols; ++t) {
      result_.decision(fold.test[to_size(i)], outputs[to_size(t)]) = decision(i, t);
    }
  }
  return true;
}

}  // namespace

std::optional<HeldOutDecisions> cross_fit(const Dataset& data, const std::vector<Fold>& folds,
                                          Index outputs, const FoldTraining& fit,
                                          const std::string& purpose, const Context& context) {
  CrossFit all(data, outputs, fit, context);
  for (std::size_t f = 0; f < folds.size(); ++f) {
    if (context.should_stop()) return std::nullopt;
    const std::string where = fmt::format("{}: fold {} of {}", purpose, f + 1, folds.size());
    context.tell(where);
    try {
      if (!errors_at(where, [&] { return all.run(folds[f]); })) return std::nullopt;
    } catch (const ResourceError&) {
      if (!context.should_stop() || context.is_abandoned()) throw;
      return std::nullopt;
    }
  }
  return std::move(all).result();
}

TrainOptions options_on(const TrainOptions& options, const std::vector<Index>& rows) {
  TrainOptions own = options;
  own.trace = nullptr;
  own.similar_kernels = 0;
  own.sample_weights = entries_at(options.sample_weights, rows);
  own.groups = entries_at(options.groups, rows);
  return own;
}

TrainOptions without_cross_fits(TrainOptions options) {
  options.threshold_folds = 0;
  options.calibration = CalibrationMethod::none;
  return options;
}

TrainOptions fold_options(const TrainOptions& options, const std::vector<Index>& rows) {
  return without_cross_fits(options_on(options, rows));
}

std::vector<Fold> folds_without_classes(Index n, const std::vector<Index>& groups,
                                        ConstSpan weights, Index folds, std::uint64_t seed) {
  if (!groups.empty()) return grouped_folds(groups, folds, weights);
  return predefined_folds(random_folds(n, folds, seed));
}

}  // namespace kernmix
