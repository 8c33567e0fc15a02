#include "model/file/model_container.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/file/calibration_section.hpp"
#include "model/file/header.hpp"
#include "model/file/landmark_section.hpp"
#include "model/file/table_section.hpp"
#include "model/make_model.hpp"
#include "model/targets.hpp"

namespace kernmix {
namespace {

constexpr const char* format_name = "kernmix model";
constexpr const char* kFill = "scaling_fill";  ///< absent where no cell may miss
/// Sparse support vectors and products came with version 8; other models can be read by earlier
/// versions of kernmix.
constexpr std::uint32_t version_before_products = 7;
constexpr std::uint32_t version_before_landmarks = 8;
constexpr const char* kExactCertificate = "exact_certificate";
constexpr const char* kSparseStarts = "sparse_starts";
/// Models that fill no cell and have neither indicators nor absent views can be read by earlier
/// versions of kernmix.
constexpr std::uint32_t version_without_missing = 6;
constexpr std::uint32_t scaling_version = 6;  ///< first version with a rule for each view
/// Absent without weights and in files of version 0.1.
constexpr const char* kWeightsRepeat = "weights_repeat";
constexpr const char* many_format_name = "kernmix model of many tasks";  ///< in version 3

Json kernel_entry(const ModelKernel& kernel) {
  const KernelDescription& description = kernel.description;
  Json entry = {{"function", description.function.name},
                {"parameters", description.function.parameters},
                {"view", description.view},
                {"columns", description.columns},
                {"from_matrix", description.from_matrix},
                {"group", description.group},
                {"normalization", description.normalization.text()},
                {"weight", kernel.weight},
                {"norm", kernel.norm},
                {"scale", kernel.normalization.scale},
                {"grand_mean", kernel.normalization.grand_mean},
                {"centred", !kernel.normalization.column_means.empty()}};
  if (kernel.normalization.rule != description.normalization) entry["about_mean"] = true;
  if (description.repair != Repair::none) {
    entry["repair"] = {{"rule", repair_name(description.repair)},
                       {"smallest_eigenvalue", kernel.repair.smallest},
                       {"negative_eigenvalues", kernel.repair.negative_count},
                       {"eigenvectors", kernel.repair.negative.cols}};
  }
  if (!description.column_weights.empty()) entry["column_weights"] = description.column_weights;
  if (const auto& width = description.relative_width) {
    entry["relative_width"] = {{"factor", width->factor},
                               {"distance", distance_name(width->distance)}};
  }
  return entry;
}

ModelKernel read_kernel(const Json& entry) {
  ModelKernel kernel;
  KernelDescription& description = kernel.description;
  description.function.name = get_text(entry, "function");
  const Json& parameters = get_object(entry, "parameters");
  for (const auto& [name, value] : parameters.items()) {
    description.function.parameters[name] = get_number(parameters, name.c_str());
  }
  if (entry.contains("relative_width")) {
    const Json& width = get_object(entry, "relative_width");
    description.relative_width = {get_number(width, "factor"),
                                  parse_distance(get_text(width, "distance"))};
  }
  if (entry.contains("repair")) {
    const Json& repair = get_object(entry, "repair");
    description.repair = kernel.repair.rule = parse_repair(get_text(repair, "rule"));
    kernel.repair.smallest = get_number(repair, "smallest_eigenvalue");
    kernel.repair.negative_count = get_count(repair, "negative_eigenvalues");
    kernel.repair.negative.cols = get_count(repair, "eigenvectors");
  }
  description.view = get_text(entry, "view");
  description.columns = get_texts(entry, "columns");
  if (entry.contains("column_weights")) {
    description.column_weights = get_numbers(entry, "column_weights");
  }
  description.from_matrix = get_flag(entry, "from_matrix");
  description.group = get_text(entry, "group");
  description.normalization = parse_normalization(get_text(entry, "normalization"));
  kernel.weight = get_number(entry, "weight");
  kernel.norm = get_number(entry, "norm");
  kernel.normalization.rule = description.normalization;
  if (entry.contains("about_mean"))
    kernel.normalization.rule.center |= get_flag(entry, "about_mean");
  kernel.normalization.scale = get_number(entry, "scale");
  kernel.normalization.grand_mean = get_number(entry, "grand_mean");
  return kernel;
}

std::uint64_t read_unsigned(const Json& parent, const char* key, int base) {
  const std::string& text = get_text(parent, key);
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value, base);
  if (failure != std::errc() || stop != end) {
    throw DataError(fmt::format("has a header in which '{}' is not a 64-bit number", key));
  }
  return value;
}

/// One row for each kernel with column means, in the order of the kernels.
Block means_block(const Model& model) {
  Block block{"column_means", Matrix(0, length(model.support))};
  for (const ModelKernel& kernel : model.kernels) {
    const Vector& means = kernel.normalization.column_means;
    if (means.empty()) continue;
    ++block.values.rows;
    block.values.values.insert(block.values.values.end(), means.begin(), means.end());
  }
  return block;
}

void read_means(const Json& entries, const Matrix& means, std::vector<ModelKernel>& kernels) {
  Index next = 0;
  for (std::size_t m = 0; m < kernels.size(); ++m) {
    if (!get_flag(entries[m], "centred")) continue;
    if (next == means.rows) throw DataError("has too few rows of column means");
    const ConstSpan row = means.row(next++);
    kernels[m].normalization.column_means.assign(row.begin(), row.end());
  }
  if (next != means.rows) throw DataError("has too many rows of column means");
}

/// The eigenvectors of all repairs, concatenated.
Vector eigenvectors_of(const Model& model) {
  Vector all;
  for (const ModelKernel& kernel : model.kernels) {
    const Vector& own = kernel.repair.negative.values;
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

void read_eigenvectors(const Vector& all, Model& model) {
  Index left = length(all);
  for (ModelKernel& kernel : model.kernels) {
    Matrix& own = kernel.repair.negative;
    if (own.cols == 0) continue;
    if (model.training_samples == 0 || own.cols > left / model.training_samples) {
      throw DataError("has too few eigenvectors of repaired kernels");
    }
    own.rows = model.training_samples;
    const auto begin = all.end() - left;
    own.values.assign(begin, begin + own.rows * own.cols);
    left -= own.rows * own.cols;
  }
  if (left > 0) throw DataError("has too many eigenvectors of repaired kernels");
}

Json settings_entry(const ModelSettings& settings) {
  Json entry = {{"loss", loss_text(settings.loss)},
                {"regularizer", regularizer_text(settings.regularizer)},
                {"solver", settings.solver},
                {"status", settings.status},
                {"bias", settings.bias},
                {"C", settings.C},
                {"class_weights", settings.class_weights},
                {"tolerance", settings.tolerance},
                {"seed", fmt::format("{}", settings.seed)},
                {"version", settings.version}};
  if (settings.landmarks != "none") entry["landmarks"] = settings.landmarks;
  if (settings.missing != "refuse") entry["missing"] = settings.missing;
  if (settings.absent == absent_rule_name(AbsentRule::drop)) entry["absent"] = settings.absent;
  return entry;
}

/// A loss or regularizer from its text. \throws DataError if it is unknown
template <typename Named>
Named get_named(const Json& entry, const char* key) {
  try {
    return Named(get_text(entry, key));
  } catch (const ParameterError& failure) {
    throw DataError(std::string("has settings that are not allowed: ") + failure.what());
  }
}

ModelSettings read_settings(const Json& entry, std::uint32_t version) {
  return {.loss = get_named<Loss>(entry, "loss"),
          .regularizer = get_named<Regularizer>(entry, "regularizer"),
          .solver = get_text(entry, "solver"),
          .status = get_text(entry, "status"),
          .bias = version == 1 ? "free" : get_text(entry, "bias"),
          .C = get_number(entry, "C"),
          .class_weights = get_numbers(entry, "class_weights"),
          .missing = entry.contains("missing") ? get_text(entry, "missing") : "refuse",
          .absent = entry.contains("absent") ? get_text(entry, "absent") : "keep",
          .landmarks = entry.contains("landmarks") ? get_text(entry, "landmarks") : "none",
          .tolerance = get_number(entry, "tolerance"),
          .seed = read_unsigned(entry, "seed", 10),
          .version = get_text(entry, "version")};
}

Json bounds_entry(const Bounds& bounds) {
  Json entry = {{"primal", bounds.primal},
                {"dual", bounds.dual},
                {"gap", bounds.gap},
                {"inner_gap", bounds.inner_gap},
                {"outer_gap", bounds.outer_gap}};
  if (bounds.least_size != 0.0) entry["least_size"] = bounds.least_size;
  return entry;
}

Bounds read_bounds(const Json& entry) {
  return {.primal = get_number(entry, "primal"),
          .dual = get_number(entry, "dual"),
          .gap = get_number(entry, "gap"),
          .inner_gap = get_number(entry, "inner_gap"),
          .outer_gap = get_number(entry, "outer_gap"),
          .least_size = entry.contains("least_size") ? get_number(entry, "least_size") : 0.0};
}

Json scaled_views_entry(const std::vector<ScaledView>& views) {
  Json entries = Json::array();
  for (const ScaledView& view : views) {
    entries.push_back({{"view", view.view},
                       {"asked", scaling_name(view.asked)},
                       {"rule", scaling_name(view.rule)},
                       {"columns", view.columns}});
  }
  return entries;
}

/// For files with one rule for all columns.
std::vector<ScaledView> views_with(ScalingRule rule, const std::vector<ModelKernel>& kernels) {
  std::vector<ScaledView> views;
  std::set<std::string> seen;
  for (const ModelKernel& kernel : kernels) {
    const KernelDescription& description = kernel.description;
    auto own = std::ranges::find(views, description.view, &ScaledView::view);
    for (const std::string& column : description.columns) {
      if (!seen.insert(column).second) continue;
      if (own == views.end()) own = views.insert(own, {description.view, rule, rule, {}});
      own->columns.push_back(column);
    }
  }
  return views;
}

void read_scaling(const Container& container, Model& model) {
  const Json& header = container.header;
  if (container.version < scaling_version) {
    model.views = views_with(parse_scaling_rule(get_text(header, "scaling")), model.kernels);
  } else {
    for (const Json& entry : get_list(header, "scaling")) {
      model.views.push_back({get_text(entry, "view"), parse_scaling_rule(get_text(entry, "asked")),
                             parse_scaling_rule(get_text(entry, "rule")),
                             get_texts(entry, "columns")});
    }
  }
  std::set<std::string> roots;
  for (const ScaledView& view : model.views) {
    if (takes_roots(view.rule)) roots.insert(view.columns.begin(), view.columns.end());
  }
  model.scaling.offset = find_vector(container, "scaling_offset");
  model.scaling.divisor = find_vector(container, "scaling_divisor");
  if (has_block(container, kFill)) model.scaling.fill = find_vector(container, kFill);
  for (const std::string& column : model.columns) {
    model.scaling.root.push_back(roots.contains(column));
  }
}

Json product_entry(const Product& product) {
  Json factors = Json::array();
  for (const ModelKernel& factor : product.factors) factors.push_back(kernel_entry(factor));
  return {{"optimum", "local"},
          {"stationarity", product.stationarity},
          {"iterations", product.iterations},
          {"penalty", product.penalty},
          {"start", product.start},
          {"factors", factors}};
}

Product read_product(const Json& entry) {
  if (get_text(entry, "optimum") != "local") {
    throw DataError("has a product whose optimum is not local");
  }
  Product product{{},
                  get_text(entry, "penalty"),
                  get_number(entry, "start"),
                  get_number(entry, "stationarity"),
                  get_count(entry, "iterations")};
  for (const Json& factor : get_list(entry, "factors")) {
    if (get_flag(factor, "centred")) throw DataError("has a factor with column means");
    product.factors.push_back(read_kernel(factor));
  }
  return product;
}

/// Keys from `training_samples` to `support_ids`, and their blocks.
void put_basis(const Model& model, Container& container) {
  Json& header = container.header;
  header["training_samples"] = model.training_samples;
  header["training_hash"] = fmt::format("{:016x}", model.training_hash);
  if (model.weights_repeat) header[kWeightsRepeat] = true;
  header["scaling"] = scaled_views_entry(model.views);
  put_table(model, container);
  header["columns"] = model.columns;
  header["matrices"] = model.matrices;
  Json& kernels = header["kernels"] = Json::array();
  for (const ModelKernel& kernel : model.kernels) kernels.push_back(kernel_entry(kernel));
  if (model.product) header["product"] = product_entry(*model.product);
  header["support_ids"] = model.support_ids;
  container.blocks = {vector_block("scaling_offset", model.scaling.offset),
                      vector_block("scaling_divisor", model.scaling.divisor),
                      index_block("support", model.support),
                      {"support_values", model.support_values},
                      means_block(model),
                      vector_block("sample_weights", model.sample_weights)};
  if (const SparseMatrix& sparse = model.sparse_support; sparse.rows > 0) {
    container.blocks.push_back(index_block(kSparseStarts, sparse.starts));
    container.blocks.push_back(
        vector_block("sparse_columns", Vector(sparse.columns.begin(), sparse.columns.end())));
    container.blocks.push_back(vector_block("sparse_values", sparse.values));
  }
  if (!model.scaling.fill.empty()) {
    container.blocks.push_back(vector_block(kFill, model.scaling.fill));
  }
  put_presences(model, container);
  const Vector eigenvectors = eigenvectors_of(model);
  if (!eigenvectors.empty()) {
    container.blocks.push_back(vector_block("repair_eigenvectors", eigenvectors));
  }
}

/// Whether the parts fit each other is checked with the model.
void read_sparse_support(const Container& container, Model& model) {
  SparseMatrix& sparse = model.sparse_support;
  sparse.rows = length(model.support);
  sparse.cols = length(model.columns);
  sparse.starts = find_indices(container, kSparseStarts, "a sparse support vector whose start");
  for (const Index j : find_indices(container, "sparse_columns", "an entry whose column")) {
    if (j >= sparse.cols) throw DataError("has an entry beyond its columns");
    sparse.columns.push_back(static_cast<std::int32_t>(j));
  }
  sparse.values = find_vector(container, "sparse_values");
}

void read_basis(const Container& container, Model& model) {
  const Json& header = container.header;
  model.settings = read_settings(get_object(header, "settings"), container.version);
  model.training_samples = get_count(header, "training_samples");
  model.training_hash = read_unsigned(header, "training_hash", 16);
  read_table_section(container, model);
  model.columns = get_texts(header, "columns");
  model.matrices = get_texts(header, "matrices");
  const Json& kernels = get_list(header, "kernels");
  for (const Json& entry : kernels) model.kernels.push_back(read_kernel(entry));
  if (header.contains("product")) model.product = read_product(get_object(header, "product"));
  read_scaling(container, model);
  model.support_ids = get_texts(header, "support_ids");
  model.support = find_indices(container, "support", "a support vector whose row");
  model.support_values = find_block(container, "support_values");
  read_presences(container, model);
  if (has_block(container, kSparseStarts)) read_sparse_support(container, model);
  read_means(kernels, find_block(container, "column_means"), model.kernels);
  model.sample_weights = find_vector(container, "sample_weights");
  model.weights_repeat = header.contains(kWeightsRepeat) && get_flag(header, kWeightsRepeat);
  const bool repaired = has_block(container, "repair_eigenvectors");
  read_eigenvectors(repaired ? find_vector(container, "repair_eigenvectors") : Vector(), model);
}

Json task_entry(const TaskModel& task) {
  return {{"name", task.name},
          {"positive", task.positive},
          {"negative", task.negative < 0 ? Json(nullptr) : Json(task.negative)},
          {"support_vectors", task.support.size()},
          {"proof", !task.witness.empty()},
          {"bias", task.bias},
          {"threshold", task.threshold},
          {"primal", task.primal},
          {"gap", task.gap}};
}

/// The support vectors of all tasks, concatenated.
struct TaskBlocks {
  std::vector<Index> support;
  Vector coefficients;
  Vector witness;
};

TaskBlocks task_blocks(const std::vector<TaskModel>& tasks) {
  TaskBlocks all;
  for (const TaskModel& task : tasks) {
    all.support.insert(all.support.end(), task.support.begin(), task.support.end());
    all.coefficients.insert(all.coefficients.end(), task.coefficients.begin(),
                            task.coefficients.end());
    all.witness.insert(all.witness.end(), task.witness.begin(), task.witness.end());
  }
  return all;
}

constexpr const char* kTooFewSupportVectors =
    "has tasks of more support vectors than its blocks hold";

Index read_negative(const Json& entry) {
  const auto found = entry.find("negative");
  return found != entry.end() && found->is_null() ? -1 : get_count(entry, "negative");
}

std::vector<TaskModel> read_tasks(const Json& entries, const TaskBlocks& all) {
  std::vector<TaskModel> tasks;
  std::size_t at_support = 0;
  std::size_t at_coefficients = 0;
  std::size_t at_witness = 0;
  for (const Json& entry : entries) {
    TaskModel& task = tasks.emplace_back();
    task.name = get_text(entry, "name");
    task.positive = get_count(entry, "positive");
    task.negative = read_negative(entry);
    const Index count = get_count(entry, "support_vectors");
    task.support = take_entries(all.support, at_support, count, kTooFewSupportVectors);
    task.coefficients =
        take_entries(all.coefficients, at_coefficients, count, kTooFewSupportVectors);
    if (get_flag(entry, "proof"))
      task.witness = take_entries(all.witness, at_witness, count, kTooFewSupportVectors);
    task.bias = get_number(entry, "bias");
    task.threshold = get_number(entry, "threshold");
    task.primal = get_number(entry, "primal");
    task.gap = get_number(entry, "gap");
  }
  if (at_support != all.support.size() || at_coefficients != all.coefficients.size() ||
      at_witness != all.witness.size()) {
    throw DataError("has blocks of more support vectors than its tasks name");
  }
  return tasks;
}

void read_tasks_of(const Container& container, Model& model) {
  const Json& header = container.header;
  if (container.version > 3) model.target = parse_target(get_text(header, "target"));
  const std::string& scheme = get_text(header, "scheme");
  if (scheme != scheme_name(TaskScheme::single)) model.scheme = parse_scheme(scheme);
  model.coupling = get_text(header, "sharing");
  model.names = get_texts(header, "names");
  model.weights = find_block(container, "weights");
  model.norms = find_block(container, "norms");
  model.gamma = find_vector(container, "gamma");
  const TaskBlocks all{
      find_indices(container, "task_support", "a task with a support vector whose place"),
      find_vector(container, "task_coefficients"), find_vector(container, "task_proof")};
  model.tasks = read_tasks(get_list(header, "tasks"), all);
}

/// The target of a single task. Version 1 had only two classes.
void read_target(const Container& container, Model& model) {
  const Json& header = container.header;
  if (container.version > 1) model.target = parse_target(get_text(header, "target"));
  if (model.target == Target::none) model.names = {outlier_name, inlier_name};
  if (model.target != Target::classes) return;
  const Json& classes = get_object(header, "classes");
  model.names = {get_text(classes, "negative"), get_text(classes, "positive")};
}

/// A single task in versions 1 and 2, which has all support vectors.
void read_single(const Container& container, Model& model) {
  read_target(container, model);
  const auto M = length(model.kernels);
  model.weights = model.norms = Matrix(1, M);
  for (Index m = 0; m < M; ++m) {
    model.weights(0, m) = model.kernels[to_size(m)].weight;
    model.norms(0, m) = model.kernels[to_size(m)].norm;
  }
  model.gamma = {1.0};
  TaskModel& task = model.tasks.emplace_back(outline_tasks(model.scheme, model.names).front());
  task.coefficients = find_vector(container, "coefficients");
  if (has_block(container, "proof")) task.witness = find_vector(container, "proof");
  for (Index s = 0; s < length(model.support); ++s) task.support.push_back(s);
  task.bias = get_number(container.header, "bias");
  task.primal = model.certificate.primal;
  task.gap = model.certificate.gap;
  if (get_number(get_object(container.header, "certificate"), "bias") != task.bias) {
    throw DataError("has another bias than its certificate");
  }
}

}  // namespace

Container to_container(const Model& model) {
  Container container;
  container.version = model.landmarks ? landmark_version : version_before_landmarks;
  const bool plain =
      model.settings.missing == "refuse" && model.indicators.empty() && model.presences.empty();
  if (model.sparse_support.rows == 0 && !model.product && !model.landmarks) {
    container.version = plain ? version_without_missing : version_before_products;
  }
  Json& header = container.header;
  header["format"] = format_name;
  header["target"] = target_name(model.target);
  header["scheme"] = scheme_name(model.scheme);
  header["sharing"] = model.coupling;
  header["names"] = model.names;
  header["settings"] = settings_entry(model.settings);
  header["certificate"] = bounds_entry(model.certificate);
  if (model.exact_certificate) header[kExactCertificate] = bounds_entry(*model.exact_certificate);
  put_basis(model, container);
  Json& tasks = header["tasks"] = Json::array();
  for (const TaskModel& task : model.tasks) tasks.push_back(task_entry(task));
  const TaskBlocks all = task_blocks(model.tasks);
  container.blocks.push_back({"weights", model.weights});
  container.blocks.push_back({"norms", model.norms});
  container.blocks.push_back(vector_block("gamma", model.gamma));
  container.blocks.push_back(index_block("task_support", all.support));
  container.blocks.push_back(vector_block("task_coefficients", all.coefficients));
  container.blocks.push_back(vector_block("task_proof", all.witness));
  put_landmarks(model, container);
  put_calibration(model.calibration, container);
  return container;
}

Model to_model(const Container& container) {
  const std::string& format = get_text(container.header, "format");
  const bool many = format == many_format_name;
  if (!many && format != format_name) throw DataError("is not a model");
  if (many && container.version < 3) {
    throw DataError("is a model of many tasks in a version that knew none");
  }
  Model model;
  read_basis(container, model);
  model.certificate = read_bounds(get_object(container.header, "certificate"));
  if (container.header.contains(kExactCertificate)) {
    model.exact_certificate = read_bounds(get_object(container.header, kExactCertificate));
  }
  read_landmarks(container, model);
  many || container.version > 3 ? read_tasks_of(container, model) : read_single(container, model);
  model.calibration = read_calibration(container);
  return model;
}

}  // namespace kernmix
