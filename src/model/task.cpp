#include "model/task.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "kernmix/error.hpp"
#include "model/container.hpp"
#include "model/pipeline.hpp"

namespace kernmix {
namespace {

void require_positive(double value, const std::string& what) {
  if (std::isfinite(value) && value > 0.0) return;
  throw ParameterError(fmt::format("{} must be > 0 and finite, got {}", what, value));
}

void check_shapes(const Dataset& data) {
  const Index n = sample_count(data.table, data.matrices);
  if (data.table.labels.empty()) {
    throw DataError(fmt::format("{}: has no labels; name the label column", data.table.source));
  }
  std::set<std::string> names;
  for (const View& view : data.views) {
    if (names.insert(view.name).second) continue;
    throw ParameterError(fmt::format("two views are called '{}'", view.name));
  }
  for (const MatrixView& view : data.matrices) {
    if (!names.insert(view.name).second) {
      throw ParameterError(fmt::format("two views are called '{}'", view.name));
    }
    if (view.matrix->cols != n) {
      throw DataError(fmt::format("matrix '{}' must be {} x {} for training, got {} x {}",
                                  view.name, n, n, view.matrix->rows, view.matrix->cols));
    }
  }
}

/// Model files hold text as UTF-8: better refused before training than when it is saved.
void check_text(const Table& table, const BinaryLabels& classes) {
  const auto check = [&](const std::string& text, const char* what) {
    if (is_utf8(text)) return;
    throw DataError(fmt::format(
        "{}: {} is not UTF-8 text; convert the file, for example with iconv", table.source, what));
  };
  check(classes.negative + classes.positive, "a label");
  for (const std::string& column : table.columns) check(column, "a column name");
  for (const std::string& id : table.ids) check(id, "a sample id");
}

/// The weights of {negative, positive}; labels are compared as in the data ("1.0" is "1").
Vector class_weights(const std::map<std::string, double>& by_label, const BinaryLabels& classes) {
  Vector weights = {1.0, 1.0};
  std::set<bool> given;
  for (const auto& [label, weight] : by_label) {
    require_positive(weight, fmt::format("the weight of class '{}'", label));
    bool positive = false;
    try {
      positive = classes.encode({label}).front() > 0.0;
    } catch (const DataError&) {
      throw ParameterError(
          fmt::format("class weight for unknown class '{}', the classes are '{}' "
                      "and '{}'",
                      label, classes.negative, classes.positive));
    }
    if (!given.insert(positive).second) {
      throw ParameterError(fmt::format("two weights are given for class '{}'", label));
    }
    weights[positive ? 1 : 0] = weight;
  }
  return weights;
}

ViewNames view_names(const View& view) { return {view.name, view.columns, KernelInput::features}; }
ViewNames view_names(const MatrixView& view) { return {view.name, {}, view.kind}; }

/// Gaussian kernels of ten widths on every view, and Gram matrices as they are.
std::vector<KernelDescription> default_kernels(const std::vector<ViewNames>& views,
                                               const Normalization& rule) {
  std::vector<KernelDescription> kernels;
  for (const ViewNames& view : views) {
    const bool gram = view.input == KernelInput::gram;
    const auto more =
        expand_kernels({gram ? "precomputed on *" : "rbf(gamma=2^-6..2^3) on *"}, {view}, rule);
    kernels.insert(kernels.end(), more.begin(), more.end());
  }
  return kernels;
}

std::vector<KernelDescription> expand(const Dataset& data, const TrainOptions& options) {
  std::vector<ViewNames> views;
  for (const View& view : data.views) views.push_back(view_names(view));
  for (const MatrixView& view : data.matrices) views.push_back(view_names(view));
  if (views.empty()) throw ParameterError("there is no view: give data columns or a matrix");
  return options.kernels.empty() ? default_kernels(views, options.normalization)
                                 : expand_kernels(options.kernels, views, options.normalization);
}

/// A Gram matrix between new and training samples has no k(x, x) of the new ones to divide by.
void check_predictable(const std::vector<KernelDescription>& kernels) {
  for (const KernelDescription& kernel : kernels) {
    if (!kernel.from_matrix || !kernel.normalization.cosine) continue;
    if (kernel.function.name != "precomputed") continue;
    throw ParameterError(fmt::format(
        "kernel {}: cosine cannot be applied to new samples of a given Gram matrix; use trace, or "
        "divide K_ij by sqrt(K_ii K_jj) before",
        kernel.name()));
  }
}

void check_sample_weights(ConstSpan weights, Index n) {
  if (!weights.empty() && length(weights) != n) {
    throw ParameterError(
        fmt::format("there must be one sample weight for each of the {} samples, "
                    "got {}",
                    n, weights.size()));
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    require_positive(weights[i], fmt::format("the weight of sample {}", i + 1));
  }
}

}  // namespace

Task make_task(const Dataset& data, const TrainOptions& options) {
  require_positive(options.C, "C");
  Task task;
  task.loss = parse_loss(options.loss);
  task.regularizer = parse_regularizer(options.regularizer);
  check_solver(task.loss, task.regularizer, options.solver);
  check_shapes(data);
  check_sample_weights(options.sample_weights, length(data.table.labels));
  task.classes = BinaryLabels::find(data.table.labels, options.positive);
  check_text(data.table, task.classes);
  task.class_weights = class_weights(options.class_weights, task.classes);
  task.y = task.classes.encode(data.table.labels);
  task.C = loss_weights(options.C, task.class_weights, task.y, options.sample_weights);
  task.kernels = expand(data, options);
  check_predictable(task.kernels);
  task.regularizer = with_groups(task.regularizer, kernel_groups(task.kernels));
  std::visit([&](const auto& regularizer) { regularizer.check(length(task.kernels)); },
             task.regularizer);
  return task;
}

std::vector<Index> kernel_groups(const std::vector<KernelDescription>& kernels) {
  std::vector<Index> group;
  std::map<std::string, Index> numbers;
  for (const KernelDescription& kernel : kernels) {
    group.push_back(
        numbers.emplace(kernel.group, static_cast<Index>(numbers.size())).first->second);
  }
  return group;
}

Vector loss_weights(double C, ConstSpan class_weights, ConstSpan y, ConstSpan sample_weights) {
  Vector weights(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    weights[i] = C * class_weights[y[i] > 0.0 ? 1 : 0];
    if (!sample_weights.empty()) weights[i] *= sample_weights[i];
  }
  return weights;
}

}  // namespace kernmix
