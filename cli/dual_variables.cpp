#include "dual_variables.hpp"

#include <fmt/format.h>

#include "data/names/row_ids.hpp"
#include "layout.hpp"

namespace kernmix::cli {
namespace {

/// The content of the three forms: a row for each support vector, a column for each task.
struct Duals {
  std::vector<std::string> tasks;  ///< names; empty for a single task
  Matrix alpha;
  std::vector<Index> rows;       ///< of the samples in the file of training
  std::vector<std::string> ids;  ///< of the samples, or empty
};

Duals duals_of(const Model& model) {
  const std::vector<std::string>& ids =
      model.landmarks ? model.landmarks->dual_ids : model.support_ids;
  Duals duals{{}, coefficients_of(model), file_rows(dual_rows(model), ids), given_ids(ids)};
  if (model.single()) return duals;
  for (const TaskModel& task : model.tasks) duals.tasks.push_back(task.name);
  return duals;
}

/// A header and a row for each support vector. \param digits format of a number, "{}" for all
/// digits
std::vector<Row> rows_of(const Duals& duals, const std::string& digits) {
  const bool named = !duals.ids.empty();
  Row header = {"row"};
  if (named) header.push_back("sample");
  if (duals.tasks.empty()) header.push_back("alpha");
  for (const std::string& task : duals.tasks) header.push_back("alpha " + task);
  std::vector<Row> rows = {header};
  for (Index s = 0; s < duals.alpha.rows; ++s) {
    const auto at = to_size(s);
    Row& row = rows.emplace_back(Row{fmt::format("{}", duals.rows[at])});
    if (named) row.push_back(duals.ids[at]);
    for (const double a : duals.alpha.row(s)) row.push_back(fmt::format(fmt::runtime(digits), a));
  }
  return rows;
}

}  // namespace

std::string duals_table(const Model& model) {
  return aligned(rows_of(duals_of(model), "{:.6g}"), true);
}

std::string duals_csv(const Model& model) {
  std::string csv;
  for (const Row& row : rows_of(duals_of(model), "{}")) {
    for (std::size_t k = 0; k < row.size(); ++k) csv += (k > 0 ? "," : "") + csv_field(row[k]);
    csv += "\n";
  }
  return csv;
}

Json duals_json(const Model& model) {
  const Duals duals = duals_of(model);
  Json vectors = Json::array();
  for (Index s = 0; s < duals.alpha.rows; ++s) {
    const auto at = to_size(s);
    Json& vector = vectors.emplace_back(Json{{"row", duals.rows[at]}});
    if (!duals.ids.empty()) vector["sample"] = duals.ids[at];
    if (duals.tasks.empty()) vector["alpha"] = duals.alpha(s, 0);
    for (std::size_t k = 0; k < duals.tasks.size(); ++k) {
      vector["alpha"][duals.tasks[k]] = duals.alpha(s, static_cast<Index>(k));
    }
  }
  return vectors;
}

}  // namespace kernmix::cli
