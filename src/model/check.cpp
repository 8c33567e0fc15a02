#include "model/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "base/samples.hpp"
#include "base/shape.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "model/kernel_choice.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/make_model.hpp"
#include "model/product/product.hpp"
#include "model/targets.hpp"

namespace kernmix {
namespace {

using Names = std::unordered_set<std::string>;

void require_model(bool holds, const std::string& sentence) {
  if (!holds) throw DataError(sentence);
}

bool all_positive(ConstSpan values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v) && v > 0.0; });
}

bool all_nonnegative(ConstSpan values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v) && v >= 0.0; });
}

bool are_unique(const std::vector<std::string>& names) {
  return Names(names.begin(), names.end()).size() == names.size();
}

bool are_ascending(const std::vector<Index>& numbers, Index below) {
  if (numbers.empty()) return true;
  return std::ranges::adjacent_find(numbers, std::greater_equal<>()) == numbers.end() &&
         numbers.front() >= 0 && numbers.back() < below;
}

/// Calls body(); its ParameterErrors concern the content of the model.
template <typename Body>
void check_settings_of(const Body& body) {
  try {
    body();
  } catch (const ParameterError& failure) {
    throw DataError(std::string("has settings that are not allowed: ") + failure.what());
  }
}

void check_settings(const Model& model) {
  const ModelSettings& settings = model.settings;
  require_model(std::isfinite(settings.C) && settings.C > 0.0, "has a C that is not > 0");
  require_model(settings.tolerance > 0.0 && settings.tolerance < 1.0,
                "has a tolerance that is not between 0 and 1");
  require_model(
      model.sample_weights.empty() || length(model.sample_weights) == model.training_samples,
      "has sample weights that do not match its number of training samples");
  require_model(all_positive(model.sample_weights), "has a sample weight that is not > 0");
  require_model(!model.weights_repeat || !model.sample_weights.empty(),
                "has repeated samples and no sample weights");
  (void)parse_bias(settings.bias);
  const bool fills = parse_missing_rule(settings.missing) != MissingRule::refuse;
  (void)parse_absent_rule(settings.absent);
  const LandmarkRule rule = landmark_rule(model);
  require_model((rule.choice == LandmarkRule::Choice::none) == !model.landmarks &&
                    rule.choice != LandmarkRule::Choice::automatic && rule.file.empty(),
                "has a rule of landmarks that does not match its landmarks");
  require_model(model.columns.empty() || fills != model.scaling.fill.empty(),
                "has a rule for missing cells that does not match its scaling");
  (void)loss_weight(settings.loss, settings.C, model.training_samples);
  (void)regularizer_of(settings.regularizer, descriptions_of(model.kernels));
}

void check_support(const Model& model) {
  const Index count = length(model.support);
  const Index width = length(model.columns);
  const bool may_miss = !model.scaling.fill.empty() || !model.presences.empty();
  const auto usable = [&](double value) {
    return std::isfinite(value) || (may_miss && std::isnan(value));
  };
  require_model(are_ascending(model.support, model.training_samples),
                "has support vectors that are not in ascending order or beyond its training "
                "samples");
  require_model(model.support_ids.empty() || length(model.support_ids) == count,
                "has sample ids that do not match its support vectors");
  const bool sparse = model.sparse_support.rows > 0 || !model.sparse_support.values.empty();
  const bool right_size =
      sparse ? model.sparse_support.rows == count && model.sparse_support.cols == width &&
                   is_well_formed(model.sparse_support) && model.support_values.values.empty()
             : model.support_values.rows == count && model.support_values.cols == width &&
                   length(model.support_values.values) == count * width;
  const Vector& values = sparse ? model.sparse_support.values : model.support_values.values;
  require_model(right_size && std::ranges::all_of(values, usable),
                "has support values that are not finite numbers for each support vector and "
                "column");
  require_model(are_unique(model.columns), "has two columns of the same name");
  require_model(are_unique(model.matrices), "has two matrices of the same name");
  require_model(are_unique(model.support_ids), "has two support vectors of the same name");
}

bool has_rule(const ScaledView& view) {
  return view.rule != ScalingRule::automatic &&
         (view.asked == ScalingRule::automatic || view.asked == view.rule);
}

/// Each column that a kernel reads is scaled in exactly one view, and columns of kernels with
/// weight have scaling parameters.
void check_scaling(const Model& model) {
  Names read;
  for (const ModelKernel& kernel : model.kernels) {
    read.insert(kernel.description.columns.begin(), kernel.description.columns.end());
  }
  Names names;
  Names roots;
  for (const ScaledView& view : model.views) {
    require_model(has_rule(view), "has a view without a rule of scaling");
    require_model(names.insert(view.view).second, "has two scaled views of the same name");
    for (const std::string& column : view.columns) {
      require_model(read.erase(column) > 0,
                    "has a column that is scaled twice, or that no kernel reads");
    }
    if (takes_roots(view.rule)) roots.insert(view.columns.begin(), view.columns.end());
  }
  require_model(read.empty(), "has no scaling of a column that a kernel reads");
  const Scaling& scaling = model.scaling;
  const std::size_t width = model.columns.size();
  require_model(scaling.offset.size() == width && scaling.divisor.size() == width &&
                    scaling.root.size() == width && all_finite(scaling.offset) &&
                    all_finite(scaling.divisor) &&
                    std::ranges::all_of(scaling.divisor, [](double d) { return d >= 0.0; }) &&
                    (scaling.fill.empty() || scaling.fill.size() == width) &&
                    all_finite(scaling.fill),
                "has a scaling that does not match its columns");
  for (std::size_t j = 0; j < width; ++j) {
    require_model(scaling.root[j] == roots.contains(model.columns[j]),
                  "has a scaling that is not that of its views");
  }
}

bool same_numbers(const KernelFunction& left, const KernelFunction& right) {
  return left.name == right.name && left.parameters == right.parameters;
}

/// `fitted` is `asked`, or stored relative to a mean: with `variance`, and about an origin.
bool fits_rule(const Normalization& fitted, Normalization asked, bool about_origin) {
  if (asked.scale == Normalization::Scale::variance) asked.center |= fitted.center;
  asked.center |= about_origin;
  return fitted == asked;
}

/// Eigenvectors are present if they are applied to new samples.
void check_repair(const Model& model, const ModelKernel& kernel) {
  const FittedRepair& repair = kernel.repair;
  const Index n = model.training_samples;
  require_model(repair.rule == kernel.description.repair &&
                    (kernel.description.from_matrix || repair.rule == Repair::none),
                "has a repair of a kernel that is not of a given matrix");
  require_model(std::isfinite(repair.smallest) && repair.negative_count >= 0 &&
                    repair.negative_count <= n && (!repair.changed() || repair.smallest < 0.0) &&
                    (!repair.changed() || repair.rule != Repair::none),
                "has impossible eigenvalues of a repaired kernel");
  const bool kept = kernel.weight > 0.0 && repair.mixes_columns();
  require_model(repair.negative.rows == (kept ? n : 0) &&
                    repair.negative.cols == (kept ? repair.negative_count : 0) &&
                    all_finite(repair.negative.values),
                "has eigenvectors that do not match a repaired kernel");
}

void check_function(const KernelDescription& description) {
  require_model(
      same_numbers(make_kernel_function(description.function.name, description.function.parameters),
                   description.function),
      "does not give every parameter of the function");
  require_model(!description.relative_width ||
                    (takes_width(description.function) && description.relative_width->factor > 0.0),
                "has a relative width that its function cannot have");
}

void check_fitted(const Model& model, const ModelKernel& kernel) {
  const FittedNormalization& fitted = kernel.normalization;
  require_model(std::isfinite(kernel.weight) && kernel.weight >= 0.0 &&
                    std::isfinite(kernel.norm) && kernel.norm >= 0.0,
                "has a weight or norm that is not >= 0");
  const ModelPresence* const presence = presence_in(model, kernel.description.view);
  require_model(presence == nullptr || kernel.weight == 0.0 || !presence->origin.empty(),
                "has no origin of a view that some samples lack");
  require_model(fits_rule(fitted.rule, kernel.description.normalization, presence != nullptr) &&
                    std::isfinite(fitted.scale) &&
                    (fitted.scale > 0.0 || (fitted.rule.center && fitted.scale == 0.0)) &&
                    std::isfinite(fitted.grand_mean) && all_finite(fitted.column_means),
                "has an impossible normalisation");
  const bool centred = kernel.weight > 0.0 && fitted.rule.center;
  require_model(fitted.column_means.size() == (centred ? model.support.size() : 0),
                "has column means that do not match the support vectors");
}

void check_kernel(const Model& model, const ModelKernel& kernel, const Names& columns,
                  const Names& matrices) {
  const KernelDescription& description = kernel.description;
  check_function(description);
  check_fitted(model, kernel);
  check_repair(model, kernel);
  if (description.from_matrix) {
    require_model(description.columns.empty() && matrices.contains(description.view),
                  "reads a matrix that the model does not name");
    return;
  }
  require_model(!description.columns.empty(), "reads no column");
  for (std::size_t c = 0; c < description.columns.size(); ++c) {
    require_model(
        kernel.weight <= 0.0 || !description.reads(c) || columns.contains(description.columns[c]),
        "reads a column that the model does not name");
  }
}

/// Normalizations and repairs are of kernels that are added, not of factors.
void check_product_factor(const Model& model, const ModelKernel& factor) {
  check_fitted(model, factor);
  require_model(!factor.description.columns.empty(), "has a factor that reads no column");
  require_model(factor.norm == 0.0 && factor.normalization.scale == 1.0 &&
                    factor.normalization.grand_mean == 0.0 && factor.repair.rule == Repair::none,
                "has a factor with a norm, a normalization or a repair of its own");
}

/// The kernel is the product of its factors, and describes them as training does.
void check_product_kernel(const ModelKernel& kernel, const Product& product) {
  const KernelDescription expected = product_kernel(product.factors);
  const KernelDescription& own = kernel.description;
  require_model(own.columns == expected.columns && own.column_weights == expected.column_weights &&
                    own.view == expected.view && same_numbers(own.function, expected.function) &&
                    kernel.weight == 1.0,
                "has a kernel that is not the product of its factors");
}

void check_product(const Model& model) {
  const auto weighted = [](const ModelKernel& kernel) {
    return !kernel.description.column_weights.empty();
  };
  if (!model.product) {
    return require_model(std::ranges::none_of(model.kernels, weighted),
                         "has a kernel with column weights that is not a product");
  }
  const Product& product = *model.product;
  require_model(model.single() && model.target != Target::none && model.kernels.size() == 1 &&
                    regularizer_text(model.settings.regularizer) == "sum",
                "has a product of kernels where its settings allow none");
  require_model(!product.factors.empty() && std::ranges::none_of(product.factors, weighted),
                "has a product without factors");
  check_settings_of([&] {
    check_factors(descriptions_of(product.factors));
    for (const ModelKernel& factor : product.factors) check_function(factor.description);
    (void)parse_penalty_rule(product.penalty);
    require_in_range(product.start, "the weight start");
  });
  for (const ModelKernel& factor : product.factors) check_product_factor(model, factor);
  check_product_kernel(model.kernels.front(), product);
  require_model(
      std::isfinite(product.stationarity) && product.stationarity >= 0.0 && product.iterations >= 0,
      "has an impossible stationarity of its product");
}

void check_presences(const Model& model) {
  const Index count = length(model.support);
  const Names matrices(model.matrices.begin(), model.matrices.end());
  Names read;
  for (const ScaledView& view : model.views) read.insert(view.columns.begin(), view.columns.end());
  Names names;
  for (const ModelPresence& own : model.presences) {
    const auto is_read = [&](const std::string& column) { return read.contains(column); };
    require_model(std::ranges::all_of(own.view.columns, is_read),
                  "has a view that some samples lack with a column that no kernel reads");
    const bool of_matrix = own.view.columns.empty() && own.view.name != all_views;
    require_model(names.insert(own.view.name).second && are_unique(own.view.columns) &&
                      (!of_matrix || matrices.contains(own.view.name)),
                  "has a view that some samples lack twice, or of an unknown matrix");
    require_model(are_ascending(own.support, count) && are_ascending(own.origin, count) &&
                      std::ranges::includes(own.support, own.origin) &&
                      length(own.support) <= own.samples && own.samples <= model.training_samples,
                  "has impossible samples of a view that some lack");
  }
}

/// How new samples are read: columns by name, words by their code in training.
void check_table_section(const Model& model) {
  require_model(are_unique(model.table_columns), "has a table with two columns of the same name");
  const Names columns(model.table_columns.begin(), model.table_columns.end());
  Names described;
  for (const Categories& own : model.categories) {
    require_model(columns.contains(own.column) && described.insert(own.column).second,
                  "has categories that are not of one column of its table");
    require_model(!own.values.empty() && are_unique(own.values),
                  "has a column of categories whose values are not different words");
  }
  Names indicators;
  for (const Indicators& own : model.indicators) {
    require_model(columns.contains(own.column) && are_unique(own.values),
                  "has indicators that are not of different words of one column of its table");
    for (const std::string& name : own.names()) {
      require_model(indicators.insert(name).second, "has two indicators of the same name");
    }
  }
  const std::string& type = model.class_type;
  const bool known = type == "text" || type == "integer" || type == "number" || type == "boolean";
  require_model(type.empty() || (known && model.target == Target::classes),
                "has a type of classes that is not text, integer, number or boolean");
}

/// The kernels, and the support vectors that they are evaluated at.
void check_basis(const Model& model) {
  require_model(!model.kernels.empty(), "has no kernel");
  check_settings_of([&] { check_settings(model); });
  check_support(model);
  check_presences(model);
  check_scaling(model);
  const Names columns(model.columns.begin(), model.columns.end());
  const Names matrices(model.matrices.begin(), model.matrices.end());
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    try {
      check_kernel(model, model.kernels[m], columns, matrices);
    } catch (const Error& failure) {
      throw DataError(fmt::format("has an impossible kernel {}: it {}", m + 1, failure.what()));
    }
  }
}

void check_single_names(const Model& model) {
  const Vector& weights = model.settings.class_weights;
  if (model.target != Target::classes) {
    require_model(weights.empty(), "has class weights without classes");
    const std::vector<std::string> novelty = {outlier_name, inlier_name};
    require_model(model.target == Target::none ? model.names == novelty : model.names.empty(),
                  "has names that its target does not know");
    return;
  }
  require_model(model.names.size() == 2 && model.names[0] != model.names[1],
                "has two classes of the same name");
  require_model(weights.size() == 2 && all_positive(weights),
                "has class weights that are not two numbers > 0");
}

void check_names(const Model& model) {
  require_model(loss_target(model.settings.loss) == model.target,
                "has a loss that does not fit its target");
  if (model.single()) return check_single_names(model);
  const bool classes = !model.of_labels() && !model.of_targets();
  require_model(model.names.size() >= (classes ? 2 : 1), "has too few classes, labels or targets");
  require_model(are_unique(model.names), "has two classes, labels or targets of the same name");
  const Vector& weights = model.settings.class_weights;
  require_model(weights.size() == (classes ? model.names.size() : 0) && all_positive(weights),
                "has class weights that are not a number > 0 for each class");
  require_model(model.target == (model.of_targets() ? Target::numbers : Target::classes),
                "has a loss that does not learn from what its scheme has");
}

/// The number of tasks of the scheme.
Index count_of_tasks(const Model& model) {
  const Index K = length(model.names);
  if (model.single()) return 1;
  return model.scheme == TaskScheme::one_vs_one ? K * (K - 1) / 2 : K;
}

void check_joint_settings(const Model& model) {
  check_bias(of_all_classes(model.settings.loss), parse_bias(model.settings.bias));
  const auto has_bounds = [](const TaskModel& task) {
    return task.primal != 0.0 || task.gap != 0.0;
  };
  require_model(std::ranges::none_of(model.tasks, has_bounds),
                "is a joint model with bounds of single classes");
}

void check_coupling(const Model& model) {
  const bool joint = model.scheme == TaskScheme::joint;
  if (joint) check_settings_of([&] { check_joint_settings(model); });
  require_model(joint || !joins_classes(model.settings.loss),
                "has a loss of all classes together, which its scheme does not train");
  require_model(joint            ? model.coupling == "joint"
                : model.single() ? model.coupling == "sum"
                                 : model.coupling == "sum" || model.coupling == "minimax" ||
                                       model.coupling == "separate",
                "has a sharing that its scheme does not know");
  const Index T = count_of_tasks(model);
  require_model(length(model.gamma) == T && all_nonnegative(model.gamma),
                "has task weights that are not a number >= 0 for each task");
  const double sum = std::accumulate(model.gamma.begin(), model.gamma.end(), 0.0);
  const bool ones = std::ranges::all_of(model.gamma, [](double g) { return g == 1.0; });
  require_model(model.coupling == "minimax" ? std::abs(sum - 1.0) <= 1e-9 : ones,
                "has task weights that its sharing does not allow");
}

bool has_shape(const Matrix& matrix, Index rows, Index cols) {
  return matrix.rows == rows && matrix.cols == cols && length(matrix.values) == rows * cols;
}

void check_weights(const Model& model) {
  const Index T = count_of_tasks(model);
  const Index M = length(model.kernels);
  require_model(has_shape(model.weights, model.coupling == "separate" ? T : 1, M) &&
                    all_nonnegative(model.weights.values),
                "has weights that are not a number >= 0 for each kernel");
  require_model(has_shape(model.norms, T, M) && all_nonnegative(model.norms.values),
                "has norms that are not a number >= 0 for each task and kernel");
  const WeightedKernels all = over_tasks(model.weights, model.norms);
  // Version 0.1 included tasks without functions in the mean.
  const Vector of_all_tasks = mean_weights(model.weights, all_samples(model.weights.rows));
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    const ModelKernel& kernel = model.kernels[m];
    require_model(
        (kernel.weight == all.weights[m] || kernel.weight == of_all_tasks[m]) &&
            std::abs(kernel.norm - all.norms[m]) <= 1e-9 * all.norms[m],
        fmt::format("has a kernel {} whose weight or norm is not that of its tasks", m + 1));
  }
}

void check_task(const Model& model, const TaskModel& task, const TaskModel& expected) {
  require_model(task.name == expected.name && task.positive == expected.positive &&
                    task.negative == expected.negative,
                "is not the one that its scheme has there");
  const Index most = model.landmarks ? model.training_samples : length(model.support);
  require_model(are_ascending(task.support, most),
                "has support vectors that are not in ascending order or not in the model");
  require_model(task.coefficients.size() == task.support.size() && all_finite(task.coefficients),
                "has coefficients that are not one finite number for each support vector");
  require_model(task.witness.empty() ||
                    (task.witness.size() == task.support.size() && all_finite(task.witness)),
                "has a proof that is not one finite number for each support vector");
  require_model(all_finite(Vector{task.bias, task.threshold, task.primal, task.gap}),
                "has a bias, threshold or bound that is not finite");
  require_model(model.of_labels() || task.threshold == 0.0, "has a threshold, which is for labels");
}

void check_tasks(const Model& model) {
  require_model(length(model.tasks) == count_of_tasks(model),
                "has a number of tasks that does not fit its names");
  const std::vector<TaskModel> expected = outline_tasks(model.scheme, model.names);
  for (std::size_t k = 0; k < model.tasks.size(); ++k) {
    try {
      check_task(model, model.tasks[k], expected[k]);
    } catch (const DataError& failure) {
      throw DataError(fmt::format("has an impossible task {}: it {}", k + 1, failure.what()));
    }
  }
}

void check_landmarks(const Model& model) {
  if (!model.landmarks) {
    return require_model(!model.exact_certificate,
                         "has bounds of the kernels as written and no landmarks");
  }
  const Index M = length(model.kernels);
  require_model(!model.support.empty() && !model.product && model.presences.empty(),
                "has landmarks with a product, with absent views, or none");
  require_model(length(model.landmarks->jitter) == M && all_positive(model.landmarks->jitter),
                "has a jitter of its landmarks that is not a number > 0 for each kernel");
  require_model(model.landmarks->coefficients.size() == model.tasks.size(),
                "has coefficients of landmarks that are not those of its tasks");
  const std::vector<std::string>& ids = model.landmarks->dual_ids;
  require_model(ids.empty() || (ids.size() == dual_rows(model).size() && are_unique(ids)),
                "has sample ids that do not match its dual variables");
  for (const Matrix& own : model.landmarks->coefficients) {
    require_model(has_shape(own, M, length(model.support)) && all_finite(own.values),
                  "has coefficients of landmarks that are not a finite number for each kernel");
  }
}

void check_calibration(const Model& model) {
  const Calibration& calibration = model.calibration;
  if (calibration.method == CalibrationMethod::none) {
    return require_model(calibration.empty(), "has maps to probabilities without a calibration");
  }
  require_model(model.target == Target::classes,
                "has a calibration, which is for classes and labels");
  require_model(length(calibration.maps) == model.outputs(),
                "has a calibration that is not one map for each class or label");
  require_model(calibration.folds >= 2 && calibration.folds <= model.training_samples &&
                    calibration.max_iterations >= 1,
                "has a calibration of an impossible number of folds or iterations");
  for (const ProbabilityMap& map : calibration.maps) {
    require_model(method_of(map) == calibration.method, "has a map of another calibration");
    check_settings_of([&] { check_map(map); });
  }
  require_model(calibration.groups.empty() || length(calibration.groups) == model.training_samples,
                "has groups of a calibration that are not one for each training sample");
  const auto has_threshold = [](const TaskModel& task) { return task.threshold != 0.0; };
  require_model(std::ranges::none_of(model.tasks, has_threshold),
                "has both thresholds and a calibration, which decide labels differently");
}

}  // namespace

void check_model(const Model& model) {
  check_product(model);  // first: kernels have a weight for each column
  check_basis(model);
  check_table_section(model);
  check_settings_of([&] { check_names(model); });
  check_coupling(model);
  check_tasks(model);
  check_weights(model);
  check_landmarks(model);
  check_calibration(model);
  const Bounds& bounds = model.certificate;
  require_model(all_finite(Vector{bounds.primal, bounds.dual, bounds.gap, bounds.inner_gap,
                                  bounds.outer_gap, bounds.least_size}),
                "has a certificate that is not finite");
}

}  // namespace kernmix
