#include "model/kernel_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "base/samples.hpp"
#include "data/column_places.hpp"
#include "data/csv/encoding.hpp"
#include "data/scaling/scaling_fit.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "kernmix/range.hpp"
#include "model/absence/presence.hpp"
#include "model/feature_columns.hpp"
#include "model/pipeline.hpp"
#include "model/product/product.hpp"

namespace kernmix {
namespace {

/// The group of each kernel, numbered in order of first use.
std::vector<Index> kernel_groups(const std::vector<KernelDescription>& kernels) {
  std::vector<Index> group;
  std::map<std::string, Index> numbers;
  for (const KernelDescription& kernel : kernels) {
    group.push_back(
        numbers.emplace(kernel.group, static_cast<Index>(numbers.size())).first->second);
  }
  return group;
}

/// What to do with a matrix that is not square.
std::string remedy_of_shape(const Dataset& data, const MatrixView& view) {
  if (length(data.matrices) == view.matrix.rows() && view.name.ends_with(']')) {
    return "; write a stack n x n x M as M x n x n, numpy.moveaxis(K, -1, 0)";
  }
  if (view.kind != KernelInput::gram || view.matrix.cols() > view.matrix.rows()) return "";
  return "; if its columns are those of landmarks, list their ids in a file (landmarks FILE)";
}

/// The number of samples, which must be equal in all parts.
Index check_shapes(const Dataset& data) {
  const Index n = sample_count(data.table, data.matrices);
  std::set<std::string> names;
  for (const View& view : data.views) {
    if (names.insert(view.name).second) continue;
    throw ParameterError(fmt::format("two views are called '{}'", view.name));
  }
  for (const MatrixView& view : data.matrices) {
    if (!names.insert(view.name).second) {
      throw ParameterError(fmt::format("two views are called '{}'", view.name));
    }
    if (view.matrix.cols() != n) {
      throw DataError(fmt::format("matrix '{}' must be {} x {} for training, got {} x {}{}",
                                  view.name, n, n, view.matrix.rows(), view.matrix.cols(),
                                  remedy_of_shape(data, view)));
    }
  }
  return n;
}

void check_sample_weights(ConstSpan weights, Index n) {
  if (!weights.empty() && length(weights) != n) {
    throw ParameterError(
        fmt::format("there must be one sample weight for each of the {} samples, "
                    "got {}",
                    n, weights.size()));
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0.0) {
      throw ParameterError(
          fmt::format("the weight of sample {} is 0: leave such samples out of the data", i + 1));
    }
    require_in_range(weights[i], fmt::format("the weight of sample {}", i + 1));
  }
}

/// \throws ParameterError for a column of the views with a missing cell and without its indicator
void require_indicators(const Dataset& data, MissingRule rule) {
  std::set<std::string> marked;  // and the indicators themselves, which never miss
  for (const Indicators& own : data.table.indicators) {
    if (own.values.empty()) marked.insert({own.column, own.names().front()});
  }
  for (const Indicators& own : data.table.indicators) {
    if (!marked.contains(own.column)) continue;
    for (std::string& name : own.names()) marked.insert(std::move(name));
  }
  std::vector<std::string> columns;
  for (const View& view : data.views) {
    std::ranges::copy_if(view.columns, std::back_inserter(columns),
                         [&](const std::string& name) { return !marked.contains(name); });
  }
  if (data.table.sparse) return;  // its cells are all given
  const ConstMatrix numbers = data.table.numbers();
  const std::vector<Index> places = column_places(data.table, columns);
  const ColumnSamples samples(data);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const PresentSamplesPtr own = samples.with(columns[c]);
    for (Index i = 0; i < numbers.rows && places[c] != no_column; ++i) {
      if (!std::isnan(numbers(i, places[c])) || (own && own->place(i) < 0)) continue;
      throw ParameterError(fmt::format(
          "missing={}: the table has no indicator of the missing cells of column '{}'; call "
          "make_indicators() before training, and on the command line give --missing {} itself, "
          "not in a grid alone",
          missing_rule_name(rule), columns[c], missing_rule_name(rule)));
    }
  }
}

/// A candidate would have a view that its rule does not name. \throws ParameterError
void refuse_indicators(const Table& table, MissingRule rule) {
  const auto of_missing = [](const Indicators& own) { return own.values.empty(); };
  if (std::ranges::none_of(table.indicators, of_missing)) return;
  throw ParameterError(fmt::format(
      "missing={}: the table has indicators of missing cells, which only the rules with +indicator "
      "read; compare these rules with the others in a run of their own",
      missing_rule_name(rule)));
}

/// is_sparse() of some columns of a sparse table.
bool is_sparse(const SparseMatrix& numbers, const std::vector<Index>& places, ConstSpan weights) {
  std::vector<bool> read(to_size(numbers.cols), false);
  for (const Index column : places) {
    if (column != no_column) read[to_size(column)] = true;
  }
  double filled = 0.0;
  double cells = 0.0;
  for (Index i = 0; i < numbers.rows; ++i) {
    const double count = weight_at(weights, to_size(i));
    const auto columns = numbers.columns_of(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double value = numbers.values_of(i)[k];
      if (!read[to_size(columns[k])] || value == 0.0) continue;
      if (!(value > 0.0)) return false;
      filled += count;
    }
    cells += count * static_cast<double>(places.size());
  }
  return cells - filled >= kSparse * cells;
}

ViewNames view_names(const View& view, const Table& table) {
  ViewNames names{view.name, view.columns, KernelInput::features};
  for (const Indicators& own : table.indicators) {
    if (own.values.size() > 1) names.together.push_back(own.names());
  }
  return names;
}
ViewNames view_names(const MatrixView& view) { return {view.name, {}, view.kind}; }

/// Expands one expression on one view.
void expand_on(const ViewNames& view, std::string_view expression, const Normalization& rule,
               std::vector<KernelDescription>& kernels) {
  const auto more = expand_kernels({fmt::format("{} on *", expression)}, {view}, rule);
  kernels.insert(kernels.end(), more.begin(), more.end());
}

/// The default kernels of each view, and Gram matrices unchanged.
std::vector<KernelDescription> expand_default(const Dataset& data, const TrainOptions& options) {
  const Normalization rule = normalization_of(options);
  if (options.combination == Combination::product) {
    std::vector<KernelDescription> factors;
    for (const View& view : data.views) {
      const auto own =
          expand_kernels({default_kernels_of_products}, {view_names(view, data.table)}, rule);
      factors.insert(factors.end(), own.begin(), own.end());
    }
    return factors;
  }
  const bool numbers = loss_target(options.loss) == Target::numbers;
  const char* const widths = numbers ? default_kernels_of_numbers : default_kernels;
  std::vector<KernelDescription> kernels;
  for (const View& view : data.views) {
    expand_on(view_names(view, data.table), widths, rule, kernels);
    if (!is_sparse(data.table, view, options.sample_weights)) continue;
    Normalization cosines = rule;
    cosines.cosine = true;
    expand_on(view_names(view, data.table), default_kernel_of_sparse, cosines, kernels);
  }
  for (const MatrixView& view : data.matrices) {
    const bool gram = view.kind == KernelInput::gram;
    expand_on(view_names(view), gram ? "precomputed" : widths, rule, kernels);
  }
  return kernels;
}

/// A Gram matrix between new and training samples does not contain k(x, x) of new samples.
void check_predictable(const std::vector<KernelDescription>& kernels, const Loss& loss) {
  for (const KernelDescription& kernel : kernels) {
    const bool given = kernel.function.name == "precomputed" || kernel.repair != Repair::none;
    if (!kernel.from_matrix || !given) continue;
    if (on_distances(loss)) {
      throw ParameterError(
          fmt::format("kernel {}: {} needs k(x, x) of new samples, which a given Gram matrix does "
                      "not contain; if k(x, x) is constant, one-class is the same model",
                      kernel.name(), loss_text(loss)));
    }
    if (!kernel.normalization.cosine) continue;
    throw ParameterError(fmt::format(
        "kernel {}: cosine cannot be applied to new samples of a given Gram matrix; use trace, or "
        "divide K_ij by sqrt(K_ii K_jj) before",
        kernel.name()));
  }
}

}  // namespace

Normalization default_normalization(const Loss& loss, Bias bias) {
  using Scale = Normalization::Scale;
  const bool sum_to_zero = bias == Bias::free && loss_target(loss) != Target::none;
  const Scale scale = sum_to_zero || on_distances(loss) ? Scale::variance : Scale::trace;
  return {.cosine = false, .center = false, .scale = scale};
}

double default_cost(const Loss& loss) {
  constexpr double of_classes = 10.0;
  return loss_target(loss) == Target::classes && uses_cost(loss) ? of_classes : 1.0;
}

double cost_of(const TrainOptions& options) {
  return options.C ? *options.C : default_cost(options.loss);
}

Normalization normalization_of(const TrainOptions& options) {
  if (options.normalization) return *options.normalization;
  if (options.combination == Combination::product) return {.scale = Normalization::Scale::none};
  return default_normalization(options.loss, options.bias);
}

void require_in_range(double value, const std::string& what) {
  if (in_parameter_range(value)) return;
  throw ParameterError(fmt::format("{} must lie in [{}, {}], got {}", what, smallest_parameter,
                                   largest_parameter, value));
}

bool is_sparse(const Table& table, const View& view, ConstSpan weights) {
  const std::vector<std::string> columns = columns_of_numbers(view.columns, table.indicators);
  if (columns.size() < kFewestColumns || table.samples() == 0) return false;
  check_sample_weights(weights, table.samples());
  if (table.sparse) return is_sparse(*table.sparse, column_places(table, columns), weights);
  const ConstMatrix numbers = table.numbers();
  double zeros = 0.0;
  double entries = 0.0;
  const PresentSamplesPtr present = samples_with(table, view);
  for (const Index column : column_places(table, columns)) {
    for (const Index i : present->samples()) {
      const double value = column == no_column ? 0.0 : numbers(i, column);
      if (value < 0.0 || std::isnan(value)) return false;
      const double count = weights.empty() ? 1.0 : weights[to_size(i)];
      zeros += value == 0.0 ? count : 0.0;
      entries += count;
    }
  }
  return zeros >= kSparse * entries;
}

std::vector<KernelDescription> expand_kernels(const Dataset& data, const TrainOptions& options) {
  std::vector<ViewNames> views;
  for (const View& view : data.views) views.push_back(view_names(view, data.table));
  for (const MatrixView& view : data.matrices) views.push_back(view_names(view));
  if (views.empty()) throw ParameterError("there is no view: give data columns or a matrix");
  std::vector<std::string> with_columns;
  for (const View& view : data.views) with_columns.push_back(view.name);
  check_scaling_views(options.scaling, with_columns);
  std::vector<KernelDescription> kernels =
      options.kernels.empty() ? expand_default(data, options)
                              : expand_kernels(options.kernels, views, normalization_of(options));
  for (KernelDescription& kernel : kernels) {
    if (kernel.from_matrix) kernel.repair = options.repair;
  }
  return kernels;
}

Index check_samples(const Dataset& data, const TrainOptions& options) {
  const Index n = check_shapes(data);
  if (has_indicators(options.missing)) {
    require_indicators(data, options.missing);
  } else {
    refuse_indicators(data.table, options.missing);
  }
  check_absence(data, options.absent);
  check_sample_weights(options.sample_weights, n);
  if (!options.groups.empty() && length(options.groups) != n) {
    throw ParameterError(fmt::format("there must be one group for each of the {} samples, got {}",
                                     n, options.groups.size()));
  }
  return n;
}

void check_text(const Table& table, const std::vector<std::string>& names) {
  const auto check = [&](const std::string& text, const char* what) {
    if (is_utf8(text)) return;
    throw DataError(fmt::format(
        "{}: {} is not UTF-8 text; convert the file, for example with iconv", table.source, what));
  };
  for (const std::string& name : names) check(name, "a label");
  for (const std::string& column : table.columns) check(column, "a column name");
  for (const std::string& id : table.ids) check(id, "a sample id");
}

std::vector<KernelDescription> choose_kernels(const Dataset& data, const TrainOptions& options,
                                              const Loss& loss) {
  std::vector<KernelDescription> kernels = expand_kernels(data, options);
  check_predictable(kernels, loss);
  if (options.combination == Combination::product) check_factors(kernels);
  return kernels;
}

std::vector<KernelDescription> descriptions_of(const std::vector<ModelKernel>& kernels) {
  std::vector<KernelDescription> descriptions;
  for (const ModelKernel& kernel : kernels) descriptions.push_back(kernel.description);
  return descriptions;
}

Regularizer regularizer_of(const Regularizer& regularizer,
                           const std::vector<KernelDescription>& kernels) {
  Regularizer grouped = with_groups(regularizer, kernel_groups(kernels));
  check_regularizer(grouped, length(kernels));
  return grouped;
}

}  // namespace kernmix
