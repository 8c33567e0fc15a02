// Fitting a normalization on a training kernel and applying it to any kernel.

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <utility>

#include "base/linear_algebra.hpp"
#include "base/mean.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernel/given_source.hpp"
#include "kernel/mean_entry.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {
namespace {

/// If centring reduces the trace by more than this factor, the rest may be rounding, and the
/// centred kernel is taken as zero.
constexpr double vanished = 1e-12;

/// If the variance is a smaller share of the trace, the kernel is stored relative to its mean:
/// single precision would lose the differences between samples (docs/decisions/0021-variance.md).
constexpr double nearly_constant = 1e-3;

Vector inverse_roots(Vector diagonal) {
  for (double& k : diagonal) k = k > 0.0 ? 1.0 / std::sqrt(k) : 0.0;
  return diagonal;
}

/// Weighted sum; without weights the plain sum.
double counted_sum(ConstSpan values, ConstSpan weights) {
  if (weights.empty()) return sum_in_order(values);
  Vector counted(values.begin(), values.end());
  for (std::size_t i = 0; i < counted.size(); ++i) counted[i] *= weights[i];
  return sum_in_order(counted);
}

double count_of(Index samples, ConstSpan weights) {
  return weights.empty() ? static_cast<double>(samples) : sum_in_order(weights);
}

/// The mean, corrected by the mean of the residuals: accurate to one or two units in the last
/// place, where a single sum of n nearly equal numbers may have an error of n units.
double refined_mean(ConstSpan values, ConstSpan weights) {
  const double n = count_of(length(values), weights);
  const double first = counted_sum(values, weights) / n;
  Vector left(values.begin(), values.end());
  for (double& value : left) value -= first;
  return first + counted_sum(left, weights) / n;
}

/// scale * (cosined, centred kernel).
class NormalizedSource final : public KernelSource {
 public:
  NormalizedSource(KernelSourcePtr source, FittedNormalization fitted, bool left_is_training)
      : source_(std::move(source)),
        fitted_(std::move(fitted)),
        left_is_training_(left_is_training) {
    if (!fitted_.rule.cosine) return;
    left_root_.resize(to_size(source_->rows()));
    right_root_.resize(to_size(source_->cols()));
    source_->left_diagonal(left_root_);
    source_->right_diagonal(right_root_);
    left_root_ = inverse_roots(std::move(left_root_));
    right_root_ = inverse_roots(std::move(right_root_));
  }

  [[nodiscard]] const KernelSource& given() const { return *source_; }
  Index rows() const override { return source_->rows(); }
  Index cols() const override { return source_->cols(); }
  Index rank_bound() const override { return source_->rank_bound(); }
  bool always_psd() const override { return source_->always_psd(); }
  bool is_repairable() const override { return source_->is_repairable(); }
  bool read_each_time() const override { return source_->read_each_time(); }
  std::size_t bytes() const override {
    const std::size_t numbers = left_root_.size() + right_root_.size() +
                                fitted_.column_means.size() + fitted_.weights.size();
    return source_->bytes() + numbers * sizeof(double);
  }

  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    source_->block(row_index, col_index, out);
    normalize(row_index, col_index, out, left_means(row_index, col_index, out));
  }
  std::optional<Stored> stored() const override {
    auto inner = source_->stored();
    if (fitted_.rule.cosine || fitted_.rule.center || !inner) return std::nullopt;
    inner->scale *= fitted_.scale;
    return inner;
  }
  std::optional<SampleComparison> comparison() const override {
    return centres_new_samples() ? std::nullopt : source_->comparison();
  }
  void compare(std::span<const Index> row_index, std::span<const Index> col_index,
               MutableSpan out) const override {
    if (centres_new_samples()) return block(row_index, col_index, out);
    source_->compare(row_index, col_index, out);
  }
  void finish(std::span<const Index> row_index, std::span<const Index> col_index,
              MutableSpan values) const override {
    if (centres_new_samples()) return;
    source_->finish(row_index, col_index, values);
    normalize(row_index, col_index, values, left_means(row_index, col_index, values));
  }

  void left_diagonal(MutableSpan out) const override {
    source_->left_diagonal(out);
    normalize_diagonal(left_root_, means_of_all_left(), out);
  }
  void right_diagonal(MutableSpan out) const override {
    source_->right_diagonal(out);
    normalize_diagonal(right_root_, fitted_.column_means, out);
  }

 private:
  bool centres_new_samples() const { return fitted_.rule.center && !left_is_training_; }

  void normalize(std::span<const Index> row_index, std::span<const Index> col_index,
                 MutableSpan values, const Vector& left_means) const {
    if (!fitted_.rule.cosine && !fitted_.rule.center) {
      for (double& value : values) value *= fitted_.scale;
      return;
    }
    double* entry = values.data();
    for (std::size_t r = 0; r < row_index.size(); ++r) {
      const double root = at(left_root_, row_index[r], 1.0);
      const double left = at(left_means, static_cast<Index>(r), 0.0);
      for (const Index j : col_index) {
        const double cosined = *entry * (root * at(right_root_, j, 1.0));
        *entry++ = centred(cosined, left, at(fitted_.column_means, j, 0.0));
      }
    }
  }

  static double at(const Vector& values, Index i, double otherwise) {
    return values.empty() ? otherwise : values[to_size(i)];
  }

  /// An entry of scale * H K H. The means are added first, so that entries (i, j) and (j, i) are
  /// bitwise equal, and so is the diagonal.
  double centred(double k, double left_mean, double right_mean) const {
    return fitted_.scale * (k + (fitted_.grand_mean - (left_mean + right_mean)));
  }

  /// The mean (cosined) kernel of each left sample with the training samples; {} without means.
  /// \param values of source_
  Vector left_means(std::span<const Index> row_index, std::span<const Index> col_index,
                    ConstSpan values) const {
    if (fitted_.column_means.empty()) return {};
    if (left_is_training_) return entries_at(fitted_.column_means, row_index);
    const bool of_all = fitted_.origin.empty();
    const std::vector<Index> origin = of_all ? all_samples(cols()) : fitted_.origin;
    Vector whole;
    if (!of_all || col_index.size() != origin.size()) {
      whole.resize(row_index.size() * origin.size());
      source_->block(row_index, origin, whole);
      col_index = origin;
      values = whole;
    }
    const Vector weights =
        of_all ? fitted_.weights : entries_at(ConstSpan(fitted_.weights), fitted_.origin);
    Vector means;
    Vector row(origin.size());
    for (const Index i : row_index) {
      for (std::size_t c = 0; c < row.size(); ++c) {
        row[c] = values[c] * (at(left_root_, i, 1.0) * at(right_root_, col_index[c], 1.0));
      }
      means.push_back(refined_mean(row, weights));
      values = values.subspan(row.size());
    }
    return means;
  }

  Vector means_of_all_left() const {
    if (left_is_training_ || fitted_.column_means.empty()) return fitted_.column_means;
    constexpr Index rows_at_once = 64;
    const std::vector<Index> all = all_samples(rows());
    Vector means;
    for (Index begin = 0; begin < rows(); begin += rows_at_once) {
      const Vector some =
          left_means(slice(all, begin, std::min(begin + rows_at_once, rows())), {}, {});
      means.insert(means.end(), some.begin(), some.end());
    }
    return means;
  }

  void normalize_diagonal(const Vector& roots, const Vector& means, MutableSpan diagonal) const {
    for (Index i = 0; i < length(diagonal); ++i) {
      double& k = diagonal[to_size(i)];
      const double root = at(roots, i, 1.0);
      const double mean = at(means, i, 0.0);
      k = centred(k * (root * root), mean, mean);
    }
  }

  KernelSourcePtr source_;
  FittedNormalization fitted_;
  bool left_is_training_;
  Vector left_root_;   ///< cosine: 1 / sqrt(k(x, x)), otherwise {}
  Vector right_root_;  ///< the same for the right samples
};

/// The mean of each row over the samples `origin`, which have these weights.
Vector row_means(const KernelSource& symmetric, std::span<const Index> origin, ConstSpan weights,
                 const Context& context) {
  constexpr Index most_entries = Index{1} << 20;  // of a thread at a time
  const Index rows_at_once =
      std::clamp<Index>(most_entries / std::max<Index>(1, length(origin)), 1, 64);
  const Index n = symmetric.rows();
  Vector means(to_size(n));
  const std::vector<Index> all = all_samples(n);
  parallel_blocks(context, n, rows_at_once, [&](Index, Index first, Index end) {
    stop_if_asked(context);
    const Index count = end - first;
    Vector rows(to_size(count) * origin.size());
    symmetric.block(slice(all, first, end), origin, rows);
    for (Index r = 0; r < count; ++r) {
      const auto row = ConstSpan(rows).subspan(to_size(r) * origin.size(), origin.size());
      means[to_size(first + r)] = refined_mean(row, weights);
    }
  });
  return means;
}

double trace(const KernelSource& square, ConstSpan weights) {
  Vector diagonal(to_size(square.rows()));
  square.left_diagonal(diagonal);
  if (weights.empty()) return std::accumulate(diagonal.begin(), diagonal.end(), 0.0);
  return std::inner_product(diagonal.begin(), diagonal.end(), weights.begin(), 0.0);
}

/// Weighted tr K / s and 1'K1 / s^2 of the kernel between s samples.
struct Moments {
  double diagonal;
  double entry;
  [[nodiscard]] double variance() const { return diagonal - entry; }
};

Moments moments(const KernelSource& training, const VarianceSample& sample, ConstSpan weights,
                const Context& context) {
  Vector diagonal(to_size(training.rows()));
  training.left_diagonal(diagonal);
  const std::vector<Index> all = all_samples(training.rows());
  const auto chosen = sample.samples.empty() ? std::span<const Index>(all) : sample.samples;
  const double mean_diagonal =
      refined_mean(entries_at(diagonal, chosen), entries_at(weights, chosen));
  if (sample.mean_entry) return {mean_diagonal, *sample.mean_entry};
  const auto of = [&](Index) { return chosen; };
  return {mean_diagonal, mean_entries({&training}, of, weights, context).front()};
}

/// Stores the means of centring. \param cosined  the training kernel as it is centred
void center(FittedNormalization& fitted, const KernelSource& cosined, std::vector<Index> origin,
            ConstSpan weights, const Context& context) {
  const std::vector<Index> all = all_samples(origin.empty() ? cosined.rows() : 0);
  const std::span<const Index> samples = origin.empty() ? all : origin;
  const Vector own =
      origin.empty() ? Vector(weights.begin(), weights.end()) : entries_at(weights, origin);
  fitted.rule.center = true;
  fitted.weights.assign(weights.begin(), weights.end());
  fitted.column_means = row_means(cosined, samples, own, context);
  fitted.grand_mean = refined_mean(entries_at(fitted.column_means, samples), own);
  fitted.origin = std::move(origin);
}

/// `training` with the cosine alone, borrowed.
NormalizedSource cosined_source(const KernelSource& training, bool cosine) {
  FittedNormalization only_cosine;
  only_cosine.rule = {.cosine = cosine, .center = false, .scale = Normalization::Scale::none};
  return {KernelSourcePtr(KernelSourcePtr(), &training), only_cosine, true};
}

/// The scale that gives the (possibly centred) kernel the trace of the rule.
double scale_of(Normalization::Scale rule, double trace, double samples) {
  if (rule == Normalization::Scale::none || !(trace > 0.0)) return 1.0;
  return (rule == Normalization::Scale::unit_trace ? 1.0 : samples) / trace;
}

}  // namespace

FittedNormalization fit_normalization(const Normalization& rule, const KernelSource& training,
                                      const Context& context, const VarianceSample& sample,
                                      ConstSpan weights) {
  using Scale = Normalization::Scale;
  if (training.rows() != training.cols()) {
    throw ParameterError(
        fmt::format("a normalization is fitted on a square training kernel, got {} x {}",
                    training.rows(), training.cols()));
  }
  // Not owned, valid during this call only.
  const KernelSourcePtr borrowed(KernelSourcePtr(), &training);
  FittedNormalization fitted;
  fitted.rule = rule;
  if (!rule.center && rule.scale == Scale::none) return fitted;
  const NormalizedSource cosined = cosined_source(training, rule.cosine);
  if (rule.scale == Scale::variance && !rule.center) {
    const Moments found =
        moments(cosined, rule.cosine ? VarianceSample{sample.samples} : sample, weights, context);
    const double rounding = vanished * std::abs(found.diagonal);
    if (found.variance() < -rounding || !(found.diagonal > 0.0)) return fitted;
    fitted.rule.center = found.variance() < nearly_constant * found.diagonal;
    fitted.scale = 1.0 / found.variance();
    if (!fitted.rule.center) return fitted;
  }
  const double samples = count_of(training.rows(), weights);
  const double trace_before = trace(cosined, weights);
  if (!fitted.rule.center) {
    fitted.scale = scale_of(rule.scale, trace_before, samples);
    return fitted;
  }
  fitted.scale = 1.0;
  center(fitted, cosined, {}, weights, context);
  const double trace_after = trace(NormalizedSource(borrowed, fitted, true), weights);
  const bool is_constant = !(trace_after > vanished * trace_before);
  fitted.scale = is_constant ? 0.0 : scale_of(rule.scale, trace_after, samples);
  return fitted;
}

FittedNormalization about_origin(FittedNormalization fitted, const KernelSource& training,
                                 std::vector<Index> origin, ConstSpan weights,
                                 const Context& context) {
  const NormalizedSource cosined = cosined_source(training, fitted.rule.cosine);
  center(fitted, cosined, std::move(origin), weights, context);
  FittedNormalization unscaled = fitted;
  unscaled.scale = 1.0;
  const KernelSourcePtr borrowed(KernelSourcePtr(), &training);
  const double after = trace(NormalizedSource(borrowed, std::move(unscaled), true), weights);
  if (!(after > vanished * trace(cosined, weights))) fitted.scale = 0.0;
  return fitted;
}

KernelSourcePtr normalized_source(KernelSourcePtr source, FittedNormalization fitted,
                                  bool left_is_training) {
  if (fitted.rule.center && length(fitted.column_means) != source->cols()) {
    throw ParameterError(
        fmt::format("a centred kernel of {} right samples needs as many column "
                    "means, got {}",
                    source->cols(), fitted.column_means.size()));
  }
  if (!fitted.weights.empty() && length(fitted.weights) != source->cols()) {
    throw ParameterError(fmt::format("a centred kernel of {} right samples got {} weights",
                                     source->cols(), fitted.weights.size()));
  }
  if (!fitted.rule.cosine && !fitted.rule.center && fitted.scale == 1.0) return source;
  return std::make_shared<NormalizedSource>(std::move(source), std::move(fitted), left_is_training);
}

const KernelSource* given_source(const KernelSource& source) {
  const auto* const normalized = dynamic_cast<const NormalizedSource*>(&source);
  return normalized == nullptr ? nullptr : &normalized->given();
}

}  // namespace kernmix
