#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "base/text.hpp"
#include "command.hpp"
#include "data/arrays/array_place.hpp"
#include "data/number.hpp"
#include "dual_variables.hpp"
#include "inspect_arrays.hpp"
#include "inspect_result.hpp"
#include "inspect_sets.hpp"
#include "json_run.hpp"
#include "kernmix/error.hpp"
#include "kernmix/matrix_files.hpp"
#include "kernmix/table_summary.hpp"
#include "kernmix/version.hpp"
#include "landmark_text.hpp"
#include "layout.hpp"
#include "odd_columns.hpp"
#include "options.hpp"
#include "product_text.hpp"
#include "repair_text.hpp"
#include "scaling_text.hpp"
#include "tasks.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t shown_names = 12;

struct InspectArguments {
  std::string file;  ///< the first one
  DataArguments data;
  CommonArguments common;
  std::string alphas;
  bool full = false;
};

const HelpText kInspectHelp = {
    "inspect", "Summarise a file: a model, a result, a data file or a matrix.", "FILE... [OPTIONS]",
    "  kernmix inspect model.kmx\n"
    "  kernmix inspect model.kmx --alphas alphas.csv\n"
    "  kernmix inspect run.json\n"
    "  kernmix inspect train.csv --label y\n"
    "  kernmix inspect clinic.csv assay.csv --id patient --label y\n"
    "  kernmix inspect kernels.npy\n"
    "  kernmix inspect cells.h5ad\n"
    "  kernmix inspect train.csv --label y --sets hallmark.gmt\n",
    "Of a data file it also lists the cells that training refuses."};

std::string weights_table(const Model& model) {
  std::vector<Row> rows = {{"weight", "raw weight", "norm", "view", "kernel"}};
  for (const ModelKernel& kernel : model.kernels) {
    if (kernel.weight == 0.0) continue;
    rows.push_back({fmt::format("{:.6g}", kernel.weight),
                    fmt::format("{:.6g}", kernel.raw_weight()), fmt::format("{:.6g}", kernel.norm),
                    kernel.description.view, kernel.description.name()});
  }
  return aligned(rows, true);
}

/// Sum of weights and number of kernels used, by view in order of first use.
std::string views_table(const Model& model) {
  std::vector<std::string> order;
  std::map<std::string, std::pair<double, Index>> totals;
  for (const ModelKernel& kernel : model.kernels) {
    const std::string& view = kernel.description.view;
    if (totals.count(view) == 0) order.push_back(view);
    auto& [weight, used] = totals[view];
    weight += kernel.weight;
    used += kernel.weight > 0.0 ? 1 : 0;
  }
  std::vector<Row> rows = {{"view", "weight", "kernels used"}};
  for (const std::string& view : order) {
    rows.push_back(
        {view, fmt::format("{:.6g}", totals[view].first), fmt::format("{}", totals[view].second)});
  }
  return aligned(rows, true);
}

std::string learned_from(const Model& model) {
  if (model.single()) return tasks_text(model);
  return fmt::format("{}: {}", tasks_text(model), listed(model.names, shown_names));
}

std::string facts_table(const Model& model) {
  const ModelSettings& settings = model.settings;
  const Bounds& bounds = model.certificate;
  std::vector<Row> rows = {
      {"file", "kernmix model, written by kernmix " + settings.version},
      {"learned from", learned_from(model)},
      {"loss", loss_text(settings.loss)},
      {"regularizer", model.product ? "none" : regularizer_text(settings.regularizer)},
      {"C", fmt::format("{}", settings.C)},
      {"solver", settings.solver},
      {"status", settings.status},
      {"primal", fmt::format("{:.10g}", bounds.primal)},
      {"dual", fmt::format("{:.10g}", bounds.dual)},
      {"relative gap",
       fmt::format("{:.3e}  (tolerance {:g})", bounds.relative_gap(), settings.tolerance)},
      {"training samples", fmt::format("{}", model.training_samples)},
      {"support vectors", fmt::format("{}", support_vectors(model))},
      {"columns read", model.columns.empty() ? "none" : listed(model.columns, shown_names)},
      {"scaling", scaling_text(model.views)},
      {"matrices read", model.matrices.empty() ? "none" : listed(model.matrices, shown_names)}};
  std::ranges::move(landmark_rows(model), std::back_inserter(rows));
  if (model.single()) {
    rows.push_back({"bias", fmt::format("{:.10g}  ({})", model.tasks.front().bias, settings.bias)});
  }
  for (const ModelPresence& own : model.presences) {
    rows.push_back({"view " + own.view.name, fmt::format("{} of {} training samples have it",
                                                         own.samples, model.training_samples)});
  }
  if (model.settings.missing != "refuse") {
    rows.push_back({"missing cells", model.settings.missing});
  }
  for (const Indicators& own : model.indicators) {
    if (!own.values.empty()) {
      rows.push_back({"words of " + own.column, listed(own.values, shown_names)});
    }
  }
  std::ranges::move(product_rows(model), std::back_inserter(rows));
  if (has_repair(model)) rows.push_back({"repair", repair_text(model)});
  if (!model.calibration.empty()) rows.push_back({"calibrated", calibration_text(model)});
  return aligned(rows);
}

Json indicators_json(const Model& model) {
  Json all = Json::array();
  for (const Indicators& own : model.indicators) {
    all.push_back({{"column", own.column}, {"values", own.values}});
  }
  return all;
}

Json presences_json(const Model& model) {
  Json all = Json::array();
  for (const ModelPresence& own : model.presences) {
    all.push_back({{"view", own.view.name}, {"samples", own.samples}});
  }
  return all;
}

Json model_json(const Model& model, const std::string& file) {
  Json document = {
      {"version", KERNMIX_VERSION},
      {"command", "inspect"},
      {"kind", "model"},
      {"file", file},
      {"written_by", model.settings.version},
      {"status", model.settings.status},
      {"certificate", certificate_json(model, model.certificate, model.tasks.front().bias)},
      {"settings", settings_json(model.settings)}};
  document.update(learned_json(model));
  document.update(Json{{"n_samples", model.training_samples},
                       {"n_support", support_vectors(model)},
                       {"columns", model.columns},
                       {"scaling", scaling_json(model.views)},
                       {"missing", model.settings.missing},
                       {"indicators", indicators_json(model)},
                       {"matrices", model.matrices},
                       {"weights", weights_json(model)}});
  if (!model.presences.empty()) document["presences"] = presences_json(model);
  document.update(landmarks_json(model));
  document.update(product_json(model));
  if (!model.single()) document["tasks"] = tasks_json(model);
  if (!model.calibration.empty()) document["calibration"] = calibration_json(model);
  return document;
}

Findings inspect_model(const InspectArguments& a, const Context& context) {
  const Model model = load_model(a.file, context);
  const std::string weights = model.product
                                  ? factors_table(*model.product, model.product->factors.size())
                                  : views_table(model) + "\n" + weights_table(model);
  Findings findings{
      facts_table(model) + "\n" + (model.single() ? "" : tasks_table(model) + "\n") + weights,
      model_json(model, a.file)};
  if (a.full) {
    findings.text += "\n" + duals_table(model);
    findings.document["support_vectors"] = duals_json(model);
  }
  if (!a.alphas.empty()) write_text(a.alphas, duals_csv(model));
  return findings;
}

struct MatrixFacts {
  double smallest = 0.0;
  double largest = 0.0;
  double trace = 0.0;
  double asymmetry = 0.0;  ///< largest |a_ij - a_ji|, square matrices only
};

MatrixFacts matrix_facts(const Matrix& matrix) {
  MatrixFacts facts;
  if (matrix.values.empty()) return facts;
  const auto [low, high] = std::minmax_element(matrix.values.begin(), matrix.values.end());
  facts.smallest = *low;
  facts.largest = *high;
  if (matrix.rows != matrix.cols) return facts;
  for (Index i = 0; i < matrix.rows; ++i) {
    facts.trace += matrix(i, i);
    for (Index j = 0; j < i; ++j) {
      facts.asymmetry = std::max(facts.asymmetry, std::abs(matrix(i, j) - matrix(j, i)));
    }
  }
  return facts;
}

Findings inspect_matrices(const std::string& file, const Context& context) {
  const std::vector<MatrixInFile> stack = open_matrix_file(file, {}, context);
  std::vector<Row> rows = {
      {"matrix", "rows", "columns", "smallest", "largest", "trace", "asymmetry"}};
  Json matrices = Json::array();
  for (const auto& [name, given] : stack) {
    if (context.should_stop()) throw ResourceError(file + ": interrupted while it was read");
    const Matrix matrix = given.whole();
    const MatrixFacts facts = matrix_facts(matrix);
    rows.push_back({name, fmt::format("{}", matrix.rows), fmt::format("{}", matrix.cols),
                    fmt::format("{:.6g}", facts.smallest), fmt::format("{:.6g}", facts.largest),
                    fmt::format("{:.6g}", facts.trace), fmt::format("{:.2e}", facts.asymmetry)});
    matrices.push_back({{"name", name},
                        {"rows", matrix.rows},
                        {"columns", matrix.cols},
                        {"smallest", facts.smallest},
                        {"largest", facts.largest},
                        {"trace", facts.trace},
                        {"asymmetry", facts.asymmetry}});
  }
  return {fmt::format("file  {} NumPy matrices\n\n{}", stack.size(), aligned(rows, true)),
          Json{{"version", KERNMIX_VERSION},
               {"command", "inspect"},
               {"kind", "matrices"},
               {"file", file},
               {"matrices", std::move(matrices)}}};
}

/// The labels of a label matrix with their counts.
std::string multi_label_counts(const MultiLabels& labels) {
  std::vector<std::string> texts;
  for (Index t = 0; t < length(labels.names); ++t) {
    const Vector signs = labels.signs(t);
    texts.push_back(fmt::format("{} x {}", std::count(signs.begin(), signs.end(), 1.0),
                                labels.names[to_size(t)]));
  }
  return fmt::format("any of {}: {}", texts.size(), listed(texts, 10));
}

/// Classes with their counts; for more than ten different numbers their range.
std::string label_counts(const Table& table) {
  if (!table.multi_labels.names.empty()) return multi_label_counts(table.multi_labels);
  std::vector<std::string> labels;
  std::ranges::remove_copy_if(table.labels, std::back_inserter(labels), is_missing_name);
  const std::size_t missing = table.labels.size() - labels.size();
  std::map<std::string, Index> counts;
  for (const std::string& label : labels) ++counts[label];
  if (counts.size() > 10) {
    try {
      const Vector numbers = numbers_of(labels);
      const auto [least, most] = std::minmax_element(numbers.begin(), numbers.end());
      return fmt::format("numbers from {:g} to {:g}, {} different", *least, *most, counts.size());
    } catch (const DataError&) {  // classes with names
    }
  }
  std::vector<std::string> texts;
  for (const auto& [label, count] : counts) texts.push_back(fmt::format("{} x {}", count, label));
  if (table.labels.empty()) return "none (name the column with --label)";
  return listed(texts, 10) + (missing > 0 ? fmt::format("; {} missing", missing) : "") +
         (texts.size() == 1 ? " (classification needs two classes)" : "");
}

/// The columns of each kind: "5 numbers, 1 words".
std::string kinds_text(const std::vector<ColumnSummary>& columns) {
  std::vector<std::pair<std::string, std::vector<std::string>>> kinds;
  for (const ColumnSummary& column : columns) {
    auto found = std::ranges::find(kinds, column.kind, &decltype(kinds)::value_type::first);
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {column.kind, {}});
    found->second.push_back(column.name);
  }
  std::vector<Row> rows;
  for (const auto& [kind, names] : kinds) {
    rows.push_back({kind, fmt::format("{}: {}", names.size(), listed(names, shown_names))});
  }
  return rows.empty() ? "" : "\n" + aligned(rows);
}

std::string separator_text(char separator) {
  return separator == '\t' ? "tab" : separator == ' ' ? "blank" : std::string(1, separator);
}

/// How the text of a CSV or TSV file is written.
std::string notation_text(const TableSummary& summary) {
  std::string text =
      fmt::format("{}, separator {}", summary.encoding, separator_text(summary.separator));
  if (summary.decimal != '\0') text += fmt::format(", decimal mark {}", summary.decimal);
  if (summary.thousands != '\0') {
    text += fmt::format(", thousands separator {}", separator_text(summary.thousands));
  }
  return text;
}

/// One row for each problem, and its remedy below. \param file  one of several, or empty
std::string problems_text(const std::vector<TableProblem>& problems, const std::string& file = {}) {
  constexpr std::size_t shown = 100;
  if (problems.empty()) return "";
  std::vector<Row> rows = {{"line", "column", "cells", "problem"}};
  std::string remedies;
  for (std::size_t k = 0; k < std::min(shown, problems.size()); ++k) {
    const TableProblem& problem = problems[k];
    rows.push_back({problem.line > 0 ? fmt::format("{}", problem.line) : "",
                    kernmix::visible(problem.column, kernmix::Layout::none),
                    fmt::format("{}", problem.cells),
                    kernmix::visible(problem.fault, kernmix::Layout::none)});
    if (problem.remedy.empty()) continue;
    const std::string where = problem.column.empty()
                                  ? fmt::format("line {}", problem.line)
                                  : kernmix::visible(problem.column, kernmix::Layout::none);
    remedies +=
        fmt::format("  {}: {}\n", where, kernmix::visible(problem.remedy, kernmix::Layout::none));
  }
  std::string text =
      fmt::format("\n{}{}{} that {} training\n\n{}", kernmix::visible(file, kernmix::Layout::none),
                  file.empty() ? "" : ": ",
                  problems.size() == 1 ? "1 problem" : fmt::format("{} problems", problems.size()),
                  problems.size() == 1 ? "stops" : "stop", aligned(rows));
  if (problems.size() > shown) {
    text += fmt::format("... {} more, which --json lists\n", problems.size() - shown);
  }
  return remedies.empty() ? text : text + "\nremedies\n" + remedies;
}

Json problems_json(const std::vector<TableProblem>& problems) {
  Json list = Json::array();
  for (const TableProblem& problem : problems) {
    list.push_back({{"line", problem.line},
                    {"column", problem.column},
                    {"problem", problem.fault},
                    {"example", problem.example},
                    {"cells", problem.cells},
                    {"remedy", problem.remedy}});
  }
  return list;
}

Json table_json(const TableSummary& summary, const std::string& file) {
  const auto mark = [](char c) { return c == '\0' ? Json(nullptr) : Json(std::string(1, c)); };
  const std::vector<std::string>& labels = summary.table.labels;
  Json kinds = Json::array();
  for (const ColumnSummary& column : summary.columns) {
    kinds.push_back({{"name", column.name}, {"kind", column.kind}, {"missing", column.missing}});
  }
  return {{"version", KERNMIX_VERSION},
          {"command", "inspect"},
          {"kind", "data"},
          {"file", file},
          {"format", summary.format},
          {"encoding", summary.encoding},
          {"separator", mark(summary.separator)},
          {"decimal", mark(summary.decimal)},
          {"thousands", mark(summary.thousands)},
          {"n_samples", summary.samples},
          {"columns", summary.table.columns},
          {"column_kinds", std::move(kinds)},
          {"labels", std::set<std::string>(labels.begin(), labels.end())},
          {"notes", summary.table.notes},
          {"problems", problems_json(summary.problems)}};
}

std::vector<Row> table_facts(const TableSummary& summary) {
  const Table& table = summary.table;
  std::vector<Row> facts = {{"file", "data"}};
  if (summary.separator != '\0') facts.push_back({"text", notation_text(summary)});
  facts.push_back({"samples", fmt::format("{}", summary.samples)});
  facts.push_back(
      {"columns", fmt::format("{}: {}", table.columns.size(), listed(table.columns, shown_names))});
  facts.push_back({"labels", label_counts(table)});
  facts.push_back({"ids", table.ids.empty() ? "none" : fmt::format("{} read", table.ids.size())});
  return facts;
}

std::string notes_text(const Table& table) {
  std::string notes;
  for (const std::string& note : table.notes) {
    notes += (notes.empty() ? "\n" : "") + kernmix::visible(note, kernmix::Layout::none) + "\n";
  }
  return notes;
}

Findings inspect_table(const InspectArguments& a, const Context& context) {
  const TableSummary summary = summarise_table(a.file, read_options(a.data, context));
  const OddColumns odd = odd_columns(summary.table, context);
  Findings findings{aligned(table_facts(summary)) + kinds_text(summary.columns) +
                        odd_columns_text(odd) + notes_text(summary.table) +
                        problems_text(summary.problems),
                    table_json(summary, a.file)};
  findings.document.update(odd_columns_json(odd));
  if (!a.data.sets.empty()) add_sets(a.data, summary.table, context, findings);
  return findings;
}

/// Several files as training joins them, whose samples may lack some of them.
Findings joined_files(const InspectArguments& a, const Context& context) {
  ReadOptions reading = read_options(a.data, context);
  reading.keep_missing = true;
  reading.keep_absent = true;
  TableSummary summary;
  summary.table = read_table(a.data.files, reading);
  summary.samples = summary.table.samples();
  std::vector<Row> facts = table_facts(summary);
  facts.front().back() = fmt::format("{} data files", a.data.files.size());
  Json document = {{"version", KERNMIX_VERSION},
                   {"command", "inspect"},
                   {"kind", "data"},
                   {"files", a.data.files},
                   {"n_samples", summary.samples},
                   {"columns", summary.table.columns},
                   {"notes", summary.table.notes}};
  const OddColumns odd = odd_columns(summary.table, context);
  document.update(odd_columns_json(odd));
  Findings findings{aligned(facts) + odd_columns_text(odd) + notes_text(summary.table),
                    std::move(document)};
  if (a.data.sets.empty()) {
    add_presence({summary.table, resolve_views({}, summary.table), {}}, findings);
  } else {
    add_sets(a.data, summary.table, context, findings);
  }
  return findings;
}

/// What is known of files with problems, which may be in the way of joining them.
Findings joined_if_possible(const InspectArguments& a, const Context& context) {
  try {
    return joined_files(a, context);
  } catch (const DataError&) {
    return {aligned({{"file", fmt::format("{} data files", a.data.files.size())}}),
            Json{{"version", KERNMIX_VERSION},
                 {"command", "inspect"},
                 {"kind", "data"},
                 {"files", a.data.files}}};
  }
}

/// The problems of each file. Standard input and pipes can be read once only.
Findings inspect_files(const InspectArguments& a, const Context& context) {
  const auto is_read_again = [](const std::string& argument) {
    std::error_code unknown;
    return std::filesystem::is_regular_file(file_place(argument).file, unknown);
  };
  if (!std::ranges::all_of(a.data.files, is_read_again)) return joined_files(a, context);
  ReadOptions reading = read_options(a.data, context);
  reading.keep_missing = !a.data.sets.empty();  // a sample may lack the columns of a set
  std::string problems;
  Json list = Json::array();
  for (const TableSummary& summary : summarise_tables(a.data.files, reading)) {
    problems += problems_text(summary.problems, summary.table.source);
    for (Json& problem : problems_json(summary.problems)) {
      problem["file"] = summary.table.source;
      list.push_back(std::move(problem));
    }
  }
  Findings findings = list.empty() ? joined_files(a, context) : joined_if_possible(a, context);
  findings.text += problems;
  findings.document["problems"] = std::move(list);
  return findings;
}

Findings inspect_npy(const InspectArguments& a, const Context& context) {
  std::vector<Index> shape;
  (void)read_npy(a.file, shape, context);
  const bool square = shape.size() == 2 && shape[0] == shape[1];
  return square || shape.size() == 3 ? inspect_matrices(a.file, context)
                                     : inspect_table(a, context);
}

/// Rejects --alphas for a file that is not a model.
void refuse_alphas(const InspectArguments& a) {
  if (!a.full && a.alphas.empty()) return;
  throw ParameterError(fmt::format("{}: {} is not a model, and only models have dual variables",
                                   a.full ? "--full" : "--alphas", a.file));
}

/// Rejects the notation of numbers for a file that is not text.
void refuse_notation(const InspectArguments& a) {
  if (a.data.decimal.empty() && a.data.thousands.empty()) return;
  throw ParameterError(fmt::format("{} is for CSV and TSV files, and {} is no such file",
                                   a.data.decimal.empty() ? "--thousands" : "--decimal", a.file));
}

/// Several files are tables that are joined.
void refuse_single(const std::string& file) {
  const std::string head = first_bytes(file);
  const bool is_model = head.starts_with("KERNMIX");
  if (!is_model && !head.starts_with("{")) return;
  throw ParameterError(
      fmt::format("{} is a {}, and several files are data that are joined: inspect it alone", file,
                  is_model ? "model" : "result in JSON"));
}

Findings look_into(const InspectArguments& a, const Context& context) {
  if (a.data.files.size() > 1) {
    refuse_alphas(a);
    for (const std::string& file : a.data.files) refuse_single(file);
    return inspect_files(a, context);
  }
  const std::string head = first_bytes(a.file);
  const bool is_table = !head.starts_with("KERNMIX") && !is_file_of_arrays(a.file) &&
                        !head.starts_with("\x93NUMPY") && !head.starts_with("{");
  if (!is_table) refuse_notation(a);
  if (head.starts_with("KERNMIX")) return inspect_model(a, context);
  if (!head.empty()) refuse_alphas(a);
  if (is_file_of_arrays(a.file)) {
    Findings findings = inspect_arrays(a.file, context);
    ReadOptions reading = read_options(a.data, context);
    reading.keep_missing = true;
    if (!a.data.sets.empty()) add_sets(a.data, read_table({a.file}, reading), context, findings);
    return findings;
  }
  if (kernmix::lowercase(a.file).ends_with(".gmt")) return inspect_sets(a.file, context);
  if (head.starts_with("\x93NUMPY")) return inspect_npy(a, context);
  if (head.starts_with("{") || head.starts_with("[")) return inspect_result(a.file, context);
  return inspect_table(a, context);
}

int run_inspect(InspectArguments& a) {
  if (!a.data.files.empty()) a.file = a.data.files.front();
  require(!a.data.files.empty(), "FILE", "name the file to summarise");
  const Findings findings = look_into(a, limits_of(a.common));
  if (a.alphas == "-") {  // the table replaces the text
    if (!a.common.json.empty()) write_text(a.common.json, json_text(findings.document));
    return kDone;
  }
  emit(findings.text, findings.document, a.common.json);
  return kDone;
}

}  // namespace

Command make_inspect(CLI::App& root) {
  const auto arguments = std::make_shared<InspectArguments>();
  CLI::App& app = add_command(root, kInspectHelp);
  OptionGroup data(app, "Data");
  data.values("FILE", arguments->data.files, reads_table("FILE..."),
              "File to summarise; several data files are joined on --id");
  data.value("--label", arguments->data.label, "COL", "Column with labels");
  data.values("--labels", arguments->data.labels, {"COLUMNS", FileUse::reads_names},
              "Columns of 0 and 1, one for each label; may be repeated");
  data.value("--id", arguments->data.id, "COL", "Column with sample ids");
  data.values("--ignore", arguments->data.ignore, "COLUMNS",
              "Columns to ignore, separated by commas; may be repeated");
  data.value("--format", arguments->data.format, "FORMAT",
             "csv, tsv, libsvm, arff or npy [default: by file name and content]");
  data.toggle("--no-header", arguments->data.no_header,
              "CSV and TSV files have no header; their columns are called 1, 2, ...");
  add_notation_options(data, arguments->data);
  add_cell_options(app, arguments->data, false);
  add_sets_option(data, arguments->data, false);
  OptionGroup model(app, "Models");
  model.toggle("--full", arguments->full,
               "Also show the dual variables of the support vectors, one column for each task");
  model.value(
      "--alphas", arguments->alphas, writes("FILE"),
      "Write the dual variables as CSV; - is standard output, where they replace the summary");
  add_limit_options(app, arguments->common);
  OptionGroup(app, "General")
      .value("--json", arguments->common.json, writes("FILE"),
             "Also write the result as JSON; - is standard output");
  return {&app, nullptr, [arguments] { return run_inspect(*arguments); }};
}

}  // namespace kernmix::cli
