#include "selection/stability/precomputed_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "kernmix/loss.hpp"
#include "model/fits/part_answer.hpp"
#include "model/kernel_choice.hpp"
#include "model/thresholds/folds.hpp"
#include "model/warnings/identity.hpp"

namespace kernmix {
namespace {

std::vector<Index> all_labels(const Dataset& data) {
  return all_samples(length(data.table.multi_labels.names));
}

Dataset part_between(const Dataset& data, const std::vector<Index>& rows,
                     const std::vector<Index>& against) {
  return part_of(data, rows, against, all_labels(data));
}

std::string precomputed_name(std::size_t m) { return fmt::format("k{}", m + 1); }

/// Given matrices in the groups that the kernels were in.
DescribedKernels as_given(const std::vector<KernelDescription>& kernels) {
  DescribedKernels given;
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    KernelDescription& own = given.kernels.emplace_back();
    own.function = make_kernel_function("precomputed", {});
    own.view = precomputed_name(m);
    own.from_matrix = true;
    own.normalization = parse_normalization("none");  // the repair is already applied
    own.group = kernels[m].group;
  }
  return given;
}

/// Labels of `part`, and every entry of the kernels.
Dataset with_matrices(Dataset part, const std::vector<KernelSourcePtr>& sources,
                      const Context& context) {
  const auto entries = std::make_shared<const Vector>(all_entries(sources, context));
  part.table.columns.clear();
  part.table.categories.clear();
  part.table.indicators.clear();
  part.table.parts.clear();
  part.table.values = Matrix();
  part.table.borrowed = ConstMatrix();
  part.table.sparse.reset();
  part.views.clear();
  part.matrices.clear();
  for (std::size_t m = 0; m < sources.size(); ++m) {
    const Index rows = sources[m]->rows();
    const Index cols = sources[m]->cols();
    const double* const first = entries->data() + static_cast<Index>(m) * rows * cols;
    part.matrices.push_back(
        {precomputed_name(m), KernelInput::gram, ConstMatrix(first, rows, cols, cols, entries)});
  }
  return part;
}

/// Settings of models on kernels that are as they should be.
TrainOptions precomputed_options(const Dataset& data, const TrainOptions& asked) {
  TrainOptions options = asked;
  const TaskScheme scheme = training_scheme(data.table, asked);
  if (scheme != TaskScheme::labels && scheme != TaskScheme::targets) options.scheme = scheme;
  options.assume_psd = true;
  options.trace = nullptr;
  options.similar_kernels = 0;
  return options;
}

void require_room(std::size_t bytes, const Context& context) {
  if (has_room(context, bytes)) return;
  throw ResourceError(fmt::format(
      "the kernels, which are kept for all models, take {}, and the memory budget is {}; "
      "allow more memory, or give fewer kernels or samples",
      memory_text(bytes), memory_text(context.memory_bytes)));
}

}  // namespace

void refuse_own_kernels(const TrainOptions& options) {
  if (options.combination == Combination::product) {
    throw ParameterError(
        "the weights of a product of kernels are a local optimum and belong to one model: their "
        "stability cannot be measured; cross-validate instead");
  }
  const LandmarkRule::Choice landmarks = options.landmarks.choice;
  if (landmarks == LandmarkRule::Choice::count || landmarks == LandmarkRule::Choice::listed) {
    throw ParameterError(
        "landmarks cannot serve many models on the same kernels, whose entries are all evaluated "
        "once: use landmarks none on a part of the samples");
  }
  const Loss loss = options.loss;
  if (!on_distances(loss)) return;
  throw ParameterError(
      fmt::format("{} is a loss of distances, whose kernels cannot be kept for several models; if "
                  "k(x, x) is constant, one-class is the same model",
                  loss_text(loss)));
}

std::size_t PrecomputedKernels::bytes(Index kernels, Index train, Index test) {
  return to_size(kernels) * to_size(train) * to_size(train + test) * sizeof(double);
}

PrecomputedKernels::PrecomputedKernels(const Dataset& data, const TrainOptions& options,
                                       const std::vector<Index>& train,
                                       const std::vector<Index>& test, const Context& context) {
  refuse_own_kernels(options);
  const Index kernels = length(expand_kernels(data, options));
  require_room(bytes(kernels, length(train), length(test)), context);
  const auto own = std::make_shared<const Dataset>(part_between(data, train, train));
  const FittedKernels fitted(own, options_on(options, train), context);
  descriptions_ = fitted.descriptions();
  for (const FittedNormalization& fit : fitted.normalizations())
    centred_.push_back(fit.rule.center);
  kernels_ = as_given(descriptions_);
  training_ = with_matrices(part_between(data, train, train), fitted.training(), context);
  if (!test.empty()) {
    const Dataset fresh = part_between(data, test, train);
    test_ = with_matrices(fresh, fitted.between(fresh), context);
  }
  options_ = precomputed_options(data, options);
}

std::vector<bool> PrecomputedKernels::identities() const {
  std::vector<bool> identities;
  for (std::size_t m = 0; m < descriptions_.size(); ++m) {
    const MatrixView& view = training_.matrices[m];
    identities.push_back(
        !descriptions_[m].from_matrix &&
        acts_as_identity(*matrix_source(kernels_.kernels[m].function, view.matrix), centred_[m]));
  }
  return identities;
}

DescribedKernels PrecomputedKernels::some_of(const std::vector<Index>& places) const {
  return {entries_at(kernels_.kernels, places), {}};
}

bool are_same_kernels(const std::vector<KernelDescription>& left,
                      const std::vector<KernelDescription>& right) {
  return std::ranges::equal(left, right, [](const auto& a, const auto& b) {
    return a.view == b.view && (a.columns.size() != 1 || a.columns == b.columns);
  });
}

Dataset with_labels_of(const Dataset& data, const std::vector<Index>& order) {
  Dataset other = data;
  Table& table = other.table;
  table.labels = entries_at(data.table.labels, order);
  table.multi_labels = labels_at(data.table.multi_labels, order, all_labels(data));
  if (!table.targets.empty()) table.targets.values = rows_at(data.table.targets.values, order);
  return other;
}

std::vector<Index> classes_to_keep(const Dataset& data, const TrainOptions& options) {
  const Index n = check_samples(data, options);
  const bool classes = loss_target(options.loss) == Target::classes;
  if (!classes || data.table.labels.empty()) return std::vector<Index>(to_size(n), 0);
  return ClassLabels::find(data.table.labels).encode(data.table.labels);
}

}  // namespace kernmix
