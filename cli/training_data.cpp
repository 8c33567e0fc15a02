#include "training_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "data/column_places.hpp"
#include "kernmix/error.hpp"
#include "kernmix/fitted_kernels.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

/// Takes the column `name` out of the table: it is a weight, not a feature.
Vector take_column(Table& table, const std::string& name) {
  const auto found = std::find(table.columns.begin(), table.columns.end(), name);
  if (found == table.columns.end()) {
    throw ParameterError(fmt::format("--sample-weight: {} has no column {}{}", table.source,
                                     kernmix::in_quotes(name), did_you_mean(name, table.columns)));
  }
  return kernmix::take_columns(table, {found - table.columns.begin()}).values;
}

/// Labels that are nearly all different are no classes.
void refuse_numbers(const Table& table) {
  const std::set<std::string> different(table.labels.begin(), table.labels.end());
  if (2 * different.size() <= table.labels.size()) return;
  throw DataError(
      fmt::format("{}: {} samples have {} different labels; are these numbers to predict (--loss "
                  "squared)? With --multiclass they are taken for classes",
                  table.source, table.labels.size(), different.size()));
}

}  // namespace

Dataset read_training_data(const TrainArguments& a, const Context& context, TrainOptions& options,
                           const std::vector<std::string>& left_out) {
  Dataset data;
  ReadOptions reading = read_options(a.data, context);
  reading.ignore.insert(reading.ignore.end(), left_out.begin(), left_out.end());
  if (!a.data.files.empty()) data.table = read_table(a.data.files, reading);
  if (!a.sample_weight.empty()) {
    options.sample_weights = take_column(data.table, a.sample_weight);
  }
  if (!data.table.columns.empty() || !a.views.empty()) {
    data.views = resolve_views(a.views, data.table);
  }
  data.matrices = read_matrix_views(a.data, context);
  return data;
}

void complete_options(const TrainArguments& a, const Dataset& data, TrainOptions& options,
                      const TrainOptions* known) {
  const TaskScheme scheme = training_scheme(data.table, options);
  const bool classes = scheme == TaskScheme::one_vs_rest || scheme == TaskScheme::joint;
  if (classes && !options.scheme) refuse_numbers(data.table);
  set_class_weights(a, options);
  const bool same = known != nullptr && options.kernels == known->kernels &&
                    options.normalization == known->normalization && options.loss == known->loss &&
                    options.bias == known->bias;
  if (!same) (void)expand_kernels(data, options);
}

}  // namespace kernmix::cli
