// d f_view / d x_j = sum over the kernels m of the view of d_m scale_m / divisor_j times
// d/du_j sum_s b_s k_m(u, u_s), where u is x in the scaled columns of the kernel, and b_s = a_s or,
// for a centred kernel whose training mean does not cancel, a_s - (sum_s a_s) w_s / W with the
// sample weights w of sum W. For a column that is read as its square root, x_j is the root.

#include "kernmix/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/blas_threads.hpp"
#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "kernel/gradient.hpp"
#include "kernmix/error.hpp"
#include "model/explaining/view_effects.hpp"
#include "model/feature_columns.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/prediction_kernels.hpp"
#include "model/product/product.hpp"

namespace kernmix {
namespace {

/// Number of samples whose gradients one thread accumulates.
constexpr Index kExplainedTogether = 16;

void stop_explaining_if_asked(const Context& context,
                              std::string_view activity = "derivatives were computed") {
  if (!context.should_stop()) return;
  throw ResourceError(
      fmt::format("explain: {} while {}: there is no result to write; explain fewer samples or "
                  "allow more time",
                  context.is_cancelled() ? "interrupted" : "the time limit was reached", activity));
}

/// A column of a view; the index of an effect is task * number of slots + slot.
struct FeatureSlot {
  std::string view, feature;
};

/// One kernel with weight on features.
struct DerivedKernel {
  KernelGradient gradient;
  PresentSamplesPtr present;  ///< the samples that have its view; null: all
  ConstMatrix left;           ///< these in its scaled columns
  RowMatrix weights;          ///< |support| x T: b_s d_m scale_m
  std::vector<Index> slots;   ///< of each of its columns
  Vector per_unit;  ///< of each column: derivative of the scaled value in the unit of the column
  std::vector<bool>
      squared;  ///< of each column: the scaled value is the square of the unit, which is a root
};

/// The gradients of all tasks by all columns of all views.
class Gradients {
 public:
  /// \throws ResourceError if the context requests a stop, as at()
  Gradients(const Model& model, const Dataset& data, const Context& context);
  [[nodiscard]] Index slots() const { return length(slots_); }
  [[nodiscard]] const FeatureSlot& slot(Index place) const { return slots_[to_size(place)]; }
  /// T * slots numbers, task by task.
  [[nodiscard]] Vector at(Index sample) const;
  /// Standard deviation of the column of a slot.
  [[nodiscard]] double deviation(Index slot) const { return deviation_[to_size(slot)]; }

 private:
  void add_kernel(const ModelKernel& kernel, Index m, FeatureColumns& left, FeatureColumns& right);
  /// Of the support vectors that have the view.
  [[nodiscard]] RowMatrix weights_of(const ModelKernel& kernel, Index m) const;
  /// The share of each support vector in the mean that the kernel subtracts; {}: there is none.
  [[nodiscard]] Vector mean_shares(const ModelKernel& kernel) const;
  Index slot_of(const std::string& view, const std::string& feature, const FeatureColumns& columns);

  const Model& model_;
  const Context& context_;
  std::vector<FeatureSlot> slots_;
  Vector deviation_;
  std::map<std::pair<std::string, std::string>, Index> place_;
  std::vector<DerivedKernel> kernels_;
  Presences present_;  ///< of the views that some samples may lack
};

/// Derivatives read dense samples.
void require_room(const Model& model, const Table& table, const Context& context) {
  if (!table.sparse && model.sparse_support.rows == 0) return;
  const double columns = static_cast<double>(model.columns.size());
  const double samples = static_cast<double>(table.samples() + length(model.support));
  const double needed = samples * columns * sizeof(double);
  if (has_room(context, needed)) return;
  throw ResourceError(fmt::format(
      "explain reads sparse samples as dense ones: {} samples and support vectors with {} columns "
      "need {}, more than the memory budget of {}; give fewer samples",
      samples, columns, memory_text(needed), memory_text(context.memory_bytes)));
}

Gradients::Gradients(const Model& model, const Dataset& data, const Context& context)
    : model_(model), context_(context) {
  if (model.support.empty()) return;
  std::vector<View> lacking;
  for (const ModelPresence& own : model.presences) lacking.push_back(own.view);
  present_ = new_presences(data.table, {}, lacking);
  std::ranges::move(unknown_presences(model, data.table, {}), std::back_inserter(present_));
  FeatureColumns left(data.table, model.columns, model.scaling, present_);
  FeatureColumns right = support_columns(model);
  require_room(model, data.table, context);
  for (Index m = 0; m < length(model.kernels); ++m) {
    stop_explaining_if_asked(context);
    const ModelKernel& kernel = model.kernels[to_size(m)];
    if (kernel.weight > 0.0 && !kernel.description.from_matrix) add_kernel(kernel, m, left, right);
  }
}

double deviation_of(const Vector& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / n);
}

Index Gradients::slot_of(const std::string& view, const std::string& feature,
                         const FeatureColumns& columns) {
  const auto [at, is_new] = place_.try_emplace({view, feature}, length(slots_));
  if (is_new) {
    slots_.push_back({view, feature});
    const Index column = columns.place(feature);
    Vector values = columns.raw_column(column);
    if (columns.scaling().root[to_size(column)]) {
      for (double& value : values) value = std::sqrt(value);
    }
    deviation_.push_back(deviation_of(values));
  }
  return at->second;
}

RowMatrix Gradients::weights_of(const ModelKernel& kernel, Index m) const {
  const Matrix coefficients =
      model_.landmarks ? landmark_weights(*model_.landmarks, m) : coefficients_of(model_);
  const ModelPresence* const presence = presence_in(model_, kernel.description.view);
  const std::vector<Index> rows =
      presence == nullptr ? all_samples(coefficients.rows) : presence->support;
  const Vector shares = mean_shares(kernel);
  RowMatrix b(length(rows), coefficients.cols);
  for (Index r = 0; r < b.rows(); ++r) b.row(r) = as_matrix(coefficients).row(rows[to_size(r)]);
  for (Index k = 0; k < b.cols(); ++k) {
    if (!shares.empty()) b.col(k) -= b.col(k).sum() * as_vector(entries_at(shares, rows));
    b.col(k) *= model_.task_weights(k)[to_size(m)] * kernel.normalization.scale;
  }
  return b;
}

Vector Gradients::mean_shares(const ModelKernel& kernel) const {
  const Index count = length(model_.support);
  if (const ModelPresence* const own = presence_in(model_, kernel.description.view)) {
    const Vector counts = entries_at(sample_counts(model_), model_.support);
    Vector shares(to_size(count), 0.0);
    double total = 0.0;
    for (const Index s : own->origin) total += weight_at(counts, to_size(s));
    for (const Index s : own->origin) shares[to_size(s)] = weight_at(counts, to_size(s)) / total;
    return shares;
  }
  const bool has_mean = kernel.normalization.rule.center && count == model_.training_samples;
  return has_mean ? sample_shares(model_) : Vector();
}

void Gradients::add_kernel(const ModelKernel& kernel, Index m, FeatureColumns& left,
                           FeatureColumns& right) {
  const KernelDescription& description = kernel.description;
  const ModelPresence* const presence = presence_in(model_, description.view);
  BothPresent present;
  if (const Presence* const fresh = presence_of(description.view, present_)) {
    present.left = fresh->present;
  }
  if (presence != nullptr) {
    present.right =
        std::make_shared<const PresentSamples>(length(model_.support), presence->support);
  }
  DerivedKernel derived{
      {description.function, right.of(description, false, present.right.get()).dense(),
       kernel.normalization.rule.cosine},
      present.left,
      left.of(description, false, present.left.get()).dense(),
      weights_of(kernel, m),
      {},
      {},
      {}};
  const bool scaled = !reads_nonnegative(description.function);
  for (const std::string& feature : description.columns) {
    derived.slots.push_back(slot_of(description.view, feature, left));
    const std::size_t column = to_size(left.place(feature));
    const double divisor = left.scaling().divisor[column];
    const bool silent = divisor == 0.0;  // in training it told nothing
    derived.per_unit.push_back(silent ? 0.0 : scaled ? 1.0 / divisor : 1.0);
    derived.squared.push_back(!silent && !scaled && left.scaling().root[column]);
  }
  kernels_.push_back(std::move(derived));
}

Vector Gradients::at(Index sample) const {
  const Index T = length(model_.tasks);
  Vector all(to_size(T * slots()), 0.0);
  for (const DerivedKernel& kernel : kernels_) {
    stop_explaining_if_asked(context_);
    const Index row = kernel.present ? kernel.present->place(sample) : sample;
    if (row < 0) continue;
    const RowMatrix own = kernel.gradient.at(kernel.left.row(row), kernel.weights);
    for (Index j = 0; j < own.cols(); ++j) {
      const std::size_t column = to_size(j);
      const double read = kernel.left.row(row)[column];
      const double unit = kernel.squared[column] ? 2.0 * std::sqrt(read) : kernel.per_unit[column];
      for (Index k = 0; k < T; ++k) {
        all[to_size(k * slots() + kernel.slots[column])] += own(k, j) * unit;
      }
    }
  }
  return all;
}

/// Sums over samples of g and |g|, for each task and slot.
struct GradientSums {
  Vector sum, size;
  Matrix all;  ///< n x (T * slots), if requested
};

GradientSums gradient_sums(const Gradients& gradients, Index n, Index count, bool keep,
                           const Context& context) {
  const Index blocks = blocks_of(n, kExplainedTogether);
  Matrix sums(blocks, count);
  Matrix sizes(blocks, count);
  GradientSums total{Vector(to_size(count), 0.0), Vector(to_size(count), 0.0),
                     Matrix(keep ? n : 0, keep ? count : 0)};
  parallel_blocks(context, n, kExplainedTogether, [&](Index block, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Vector g = gradients.at(i);
      for (Index j = 0; j < count; ++j) {
        sums(block, j) += g[to_size(j)];
        sizes(block, j) += std::abs(g[to_size(j)]);
      }
      if (keep) std::ranges::copy(g, total.all.row(i).begin());
    }
  });
  for (Index block = 0; block < blocks; ++block) {
    for (Index j = 0; j < count; ++j) {
      total.sum[to_size(j)] += sums(block, j);
      total.size[to_size(j)] += sizes(block, j);
    }
  }
  return total;
}

/// \param keep whether the derivatives of each sample are kept (twice while they are reordered)
void require_room(const Gradients& gradients, Index n, Index tasks, bool keep,
                  const Context& context) {
  const auto columns = static_cast<double>(tasks * gradients.slots());
  const auto blocks = static_cast<double>(blocks_of(n, kExplainedTogether));
  const double bytes = 8.0 * columns * (2.0 * blocks + (keep ? 2.0 * static_cast<double>(n) : 0.0));
  if (has_room(context, bytes)) return;
  throw ResourceError(
      fmt::format("explain: the derivatives of {} samples by {:.0f} columns take {}, more than the "
                  "memory budget of {}; explain fewer samples",
                  n, columns, memory_text(bytes), memory_text(context.memory_bytes)));
}

void add_features(const Gradients& gradients, const GradientSums& sums, Index tasks, Index n,
                  Explanation& explanation) {
  const Index slots = gradients.slots();
  std::vector<FeatureEffect> effects;
  for (Index place = 0; place < tasks * slots; ++place) {
    const Index slot = place % slots;
    const double size = sums.size[to_size(place)];
    effects.push_back({place / slots, gradients.slot(slot).view, gradients.slot(slot).feature,
                       size / static_cast<double>(n) * gradients.deviation(slot),
                       size > 0.0 ? sums.sum[to_size(place)] / size : 0.0});
  }
  std::vector<Index> order = index_range(0, length(effects));
  std::ranges::stable_sort(order, [&](Index left, Index right) {
    const FeatureEffect& a = effects[to_size(left)];
    const FeatureEffect& b = effects[to_size(right)];
    return a.task != b.task ? a.task < b.task : a.importance > b.importance;
  });
  explanation.gradients = Matrix(sums.all.rows, sums.all.cols);
  for (std::size_t to = 0; to < order.size(); ++to) {
    explanation.features.push_back(effects[to_size(order[to])]);
    for (Index i = 0; i < sums.all.rows; ++i) {
      explanation.gradients(i, static_cast<Index>(to)) = sums.all(i, order[to]);
    }
  }
}

/// The parts of all kernels in the decision values.
Prediction parts_of_decisions(const Model& model, const Dataset& data, const Context& context) {
  try {
    return predict(model, data, context, true);
  } catch (const ResourceError&) {
    stop_explaining_if_asked(context, "samples were predicted");
    throw;
  }
}

}  // namespace

Explanation explain(const Model& model, const Dataset& data, const Context& context, bool gradients,
                    const ViewOfMatrix& view_of_matrix) {
  const SerialBlas serial_blas;
  if (on_distances(model.settings.loss)) {
    throw ParameterError(fmt::format(
        "{} decides by distances, and only decisions by a sum over kernels can be explained",
        loss_text(model.settings.loss)));
  }
  refuse_product(model, "an explanation");
  const Prediction prediction = parts_of_decisions(model, data, context);
  const Index n = prediction.decision.rows;
  if (n < 2) {
    throw ParameterError(
        fmt::format("{} sample: an explanation needs at least two different samples", n));
  }
  Explanation explanation;
  explanation.views = view_effects(model, prediction, view_of_matrix);
  const Gradients all(model, data, context);
  const Index tasks = length(model.tasks);
  require_room(all, n, tasks, gradients, context);
  const GradientSums sums = gradient_sums(all, n, tasks * all.slots(), gradients, context);
  add_features(all, sums, tasks, n, explanation);
  return explanation;
}

}  // namespace kernmix
