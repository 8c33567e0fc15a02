#include "predict/predicted_blocks.hpp"

#include <algorithm>
#include <utility>

#include "kernmix/error.hpp"
#include "model/feature_columns.hpp"
#include "model/prediction_kernels.hpp"

namespace kernmix::cli {
namespace {

/// Bytes of a sample beside its text: its columns as read and as kernels read them, its decision
/// values, and their text.
std::size_t bytes_of_sample(const Model& model, bool contributions) {
  constexpr std::size_t copies_of_column = 3;
  constexpr std::size_t copies_of_value = 7;
  const std::size_t values = model.tasks.size() + model.names.size() +
                             (contributions ? model.tasks.size() * model.kernels.size() : 0);
  return sizeof(double) *
         (copies_of_column * model.columns.size() + copies_of_value * (values + 1));
}

}  // namespace

PredictedBlocks::PredictedBlocks(const Model& model, const std::string& file, ReadOptions options,
                                 bool contributions)
    : model_(model),
      file_(file),
      options_(options),
      indicators_(indicators_read(sources_of(model.columns, model.indicators), model.indicators)),
      blocks_(file, new_table_options(model.columns, column_reading(model), std::move(options)),
              bytes_of_sample(model, contributions), predicted_together),
      contributions_(contributions) {}

/// A missing cell may be that of an absent view, and is otherwise an error of its line. \throws
/// DataError, unless the file cannot be read again
void PredictedBlocks::say_missing_cells() const {
  if (file_ == "-" || model_.settings.missing != missing_rule_name(MissingRule::refuse)) return;
  ColumnReading reading = column_reading(model_);
  reading.keep_missing = false;
  TableBlocks again(file_, new_table_options(model_.columns, reading, options_),
                    bytes_of_sample(model_, false), predicted_together);
  while (again.next()) {
  }
}

std::optional<PredictedBlock> PredictedBlocks::next(const Context& context) {
  Dataset data;
  std::optional<Table> table = blocks_.next();
  if (!table) return std::nullopt;
  PredictedBlock block;
  block.first = std::exchange(first_, false);
  try {
    data.table = std::move(*table);
    make_indicators(data, indicators_, context);
    block.prediction = predict(model_, data, context, contributions_);
  } catch (const DataError&) {
    blocks_.finish();  // says what is wrong with the file
    say_missing_cells();
    throw;
  }
  block.table = std::move(data.table);
  context.report({"samples", block.table.before + block.table.samples(), 0, 1.0});
  return block;
}

}  // namespace kernmix::cli
