#include "model/make_model.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/samples.hpp"
#include "kernmix/version.hpp"
#include "loss/dual_box.hpp"
#include "model/claims/kernel_claims.hpp"
#include "model/file/fingerprint.hpp"
#include "model/landmarks/landmarks.hpp"
#include "problem/without_end.hpp"

namespace kernmix {
namespace {

/// 0 for samples without the view.
Vector means_at(const Vector& means, const PresentSamples* present,
                const std::vector<Index>& samples) {
  if (present == nullptr) return entries_at(means, samples);
  Vector some;
  for (const Index i : samples) {
    const Index place = present->place(i);
    some.push_back(place < 0 ? 0.0 : means[to_size(place)]);
  }
  return some;
}

std::vector<ModelKernel> model_kernels(const TrainingKernels& kernels,
                                       const WeightedKernels& answer,
                                       const std::vector<Index>& support) {
  std::vector<ModelKernel> result;
  for (std::size_t m = 0; m < kernels.descriptions.size(); ++m) {
    ModelKernel kernel{kernels.descriptions[m], kernels.normalizations[m], answer.weights[m],
                       answer.norms[m]};
    FittedNormalization& fitted = kernel.normalization;
    const bool centred = kernel.weight > 0.0 && fitted.rule.center;
    const Presence* const presence = kernels.presence(static_cast<Index>(m));
    fitted.column_means =
        centred ? means_at(fitted.column_means, samples_of(presence), support) : Vector();
    fitted.weights.clear();
    fitted.origin.clear();
    kernel.repair = kernels.repairs[m];
    if (kernel.weight == 0.0) kernel.repair.negative = {};
    result.push_back(std::move(kernel));
  }
  return result;
}

/// Where missing cells are filled, all columns tell whether a new sample lacks a view, also if only
/// indicators of its missing cells are used.
void mark_whole_views(const TrainingKernels& kernels, const std::vector<Indicators>& indicators,
                      std::vector<bool>& used) {
  const std::vector<std::string>& names = kernels.features.names();
  const bool any = std::ranges::any_of(indicators, [&](const Indicators& own) {
    const auto found = std::ranges::find(names, own.names().front());
    return !own.views.empty() && found != names.end() && used[to_size(found - names.begin())];
  });
  std::set<std::string> views;
  for (const Indicators& own : indicators) {
    if (any) views.insert(own.views.begin(), own.views.end());
  }
  for (const Presence& own : kernels.presences) {
    std::vector<Index> places;
    for (const std::string& column : own.view.columns) {
      places.push_back(kernels.features.place(column));
    }
    const auto is_used = [&](Index j) { return used[to_size(j)]; };
    if (!views.contains(own.view.name) && std::ranges::none_of(places, is_used)) continue;
    for (const Index j : places) used[to_size(j)] = true;
  }
}

/// Columns that kernels with weight read, their scaling, and their values for support vectors.
void keep_columns(const TrainingKernels& kernels, const std::vector<Indicators>& indicators,
                  Model& model) {
  const FeatureColumns& features = kernels.features;
  std::vector<bool> used(features.names().size(), false);
  const std::vector<std::string>* marked = nullptr;  // kernels of one view are consecutive
  for (const ModelKernel& kernel : model.kernels) {
    const std::vector<std::string>& columns = kernel.description.columns;
    if (kernel.weight == 0.0 || (marked != nullptr && *marked == columns)) continue;
    marked = &columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (kernel.description.reads(c)) used[to_size(features.place(columns[c]))] = true;
    }
  }
  if (!features.scaling().fill.empty()) mark_whole_views(kernels, indicators, used);
  std::vector<Index> kept;
  model.views = kernels.views;
  for (std::size_t j = 0; j < used.size(); ++j) {
    if (!used[j]) continue;
    kept.push_back(static_cast<Index>(j));
    model.columns.push_back(features.names()[j]);
    model.scaling.offset.push_back(features.scaling().offset[j]);
    model.scaling.divisor.push_back(features.scaling().divisor[j]);
    model.scaling.root.push_back(features.scaling().root[j]);
    if (!features.scaling().fill.empty()) {
      model.scaling.fill.push_back(features.scaling().fill[j]);
    }
  }
  if (features.is_sparse() && !model.support.empty()) {
    model.sparse_support = features.sparse_at(model.support, kept);
    return;
  }
  model.support_values = Matrix(length(model.support), length(kept));
  for (Index s = 0; s < model.support_values.rows; ++s) {
    for (Index j = 0; j < model.support_values.cols; ++j) {
      model.support_values(s, j) = features.given(model.support[to_size(s)], kept[to_size(j)]);
    }
  }
}

/// True if prediction needs all training samples: centring subtracts the mean kernel of a new
/// sample with them, which cancels only if the dual variables sum to zero.
bool needs_all_samples(const TrainedTasks& trained, ConstSpan kernel_weights) {
  const TaskSet& set = trained.set;
  const Task& first = set.task(0);  // of the same kind as the others
  if (sums_to_zero(dual_set(set.loss, set.bias, first.y, first.C)) || on_distances(set.loss)) {
    return false;
  }
  const auto& normalizations = trained.kernels.normalizations;
  for (std::size_t m = 0; m < normalizations.size(); ++m) {
    if (trained.kernels.presence(static_cast<Index>(m)) != nullptr) continue;  // origin_samples()
    if (kernel_weights[m] > 0.0 && normalizations[m].rule.center) return true;
  }
  return false;
}

/// The training samples whose mean is the origin of a view.
const std::vector<Index>& origin_samples(const Presence& presence) {
  return presence.origin.empty() ? presence.present->samples() : presence.origin;
}

/// Whether kernels of a view that some samples lack have weight.
bool is_weighted(const Presence& presence, const TrainingKernels& kernels,
                 ConstSpan kernel_weights) {
  for (Index m = 0; m < length(kernels.descriptions); ++m) {
    if (kernel_weights[to_size(m)] > 0.0 && kernels.presence(m) == &presence) return true;
  }
  return false;
}

/// ||f_mk|| = d_mk sqrt(q_mk).
Matrix norms_of(const TasksAnswer& answer) {
  Matrix norms(length(answer.a), answer.weights.cols);
  for (Index k = 0; k < norms.rows; ++k) {
    const ConstSpan d = answer.weights.row(answer.weights.rows == 1 ? 0 : k);
    const Vector& q = answer.certificate.tasks[to_size(k)].q;
    for (std::size_t m = 0; m < q.size(); ++m) norms.row(k)[m] = d[m] * std::sqrt(q[m]);
  }
  return norms;
}

bool supports(const TasksAnswer& answer, std::size_t k, std::size_t i) {
  const Vector& witness = answer.witness[k];
  return answer.a[k][i] != 0.0 || (!witness.empty() && witness[i] != 0.0);
}

/// The samples that are support vectors of some task or that prediction needs, ascending.
std::vector<Index> support_of(const TrainedTasks& trained, const TasksAnswer& answer,
                              ConstSpan kernel_weights) {
  const TaskSet& set = trained.set;
  if (!trained.kernels.landmarks.empty()) return trained.kernels.landmarks;
  const bool all = needs_all_samples(trained, kernel_weights);
  std::vector<char> used(to_size(set.targets.samples()), all ? 1 : 0);
  for (std::size_t k = 0; k < answer.a.size(); ++k) {
    for (std::size_t i = 0; i < answer.a[k].size(); ++i) {
      if (supports(answer, k, i)) used[to_size(sample_of(set.tasks[k], i))] = 1;
    }
  }
  for (const Presence& own : trained.kernels.presences) {
    if (!is_weighted(own, trained.kernels, kernel_weights)) continue;
    for (const Index i : origin_samples(own)) used[to_size(i)] = 1;
  }
  std::vector<Index> support;
  for (Index i = 0; i < length(used); ++i) {
    if (used[to_size(i)] != 0) support.push_back(i);
  }
  return support;
}

/// Largest difference between decision values of training samples in prediction and in the solver,
/// due to the order of summation. A novelty detector lowers its threshold by it, so that samples on
/// the boundary, with value 0, do not become outliers by rounding.
double rounding_of_decisions(const TrainedTasks& trained, const TasksAnswer& answer,
                             const Model& model) {
  if (loss_target(trained.set.loss) != Target::none) return 0.0;
  constexpr double of_sums = 1e-12;
  return of_sums *
         (std::abs(answer.certificate.tasks.front().bias) +
          (model.landmarks
               ? landmark_decision_size(trained.kernels, answer.weights.row(0),
                                        model.landmarks->coefficients.front())
               : decision_size(trained.kernels, answer.weights.row(0), answer.a.front())));
}

TaskModel task_model(const TaskSet& set, const TasksAnswer& answer, std::size_t k,
                     const std::vector<Index>& place) {
  const TaskCertificate& certificate = answer.certificate.tasks[k];
  TaskModel model = set.outlines[k];
  model.bias = certificate.bias;
  model.primal = certificate.primal;
  model.gap = certificate.gap;
  for (std::size_t i = 0; i < answer.a[k].size(); ++i) {
    if (!supports(answer, k, i)) continue;
    model.support.push_back(place[to_size(sample_of(set.tasks[k], i))]);
    model.coefficients.push_back(answer.a[k][i]);
    if (!answer.witness[k].empty()) model.witness.push_back(answer.witness[k][i]);
  }
  return model;
}

void add_tasks(const TrainedTasks& trained, const TasksAnswer& answer, ConstSpan kernel_weights,
               const Context& context, Model& model) {
  const TaskSet& set = trained.set;
  model.support = support_of(trained, answer, kernel_weights);
  std::vector<Index> place(to_size(set.targets.samples()), -1);
  const bool landmarks = !trained.kernels.landmarks.empty();
  for (Index i = 0; landmarks && i < length(place); ++i) place[to_size(i)] = i;
  for (Index s = 0; !landmarks && s < length(model.support); ++s) {
    place[to_size(model.support[to_size(s)])] = s;
  }
  for (std::size_t k = 0; k < set.tasks.size(); ++k) {
    model.tasks.push_back(task_model(set, answer, k, place));
  }
  if (landmarks) {
    model.landmarks = {jitter_of(trained.kernels),
                       landmark_coefficients(trained.kernels, set, answer.a, context)};
  }
  model.tasks.front().bias += rounding_of_decisions(trained, answer, model);
}

std::vector<ModelPresence> model_presences(const TrainingKernels& kernels, ConstSpan kernel_weights,
                                           const std::vector<Index>& support) {
  std::vector<ModelPresence> presences;
  for (const Presence& own : kernels.presences) {
    ModelPresence kept{own.view, length(own.present->samples()), {}, {}};
    const std::vector<Index> origin =
        is_weighted(own, kernels, kernel_weights) ? origin_samples(own) : std::vector<Index>();
    for (Index s = 0; s < length(support); ++s) {
      const Index i = support[to_size(s)];
      if (own.present->place(i) >= 0) kept.support.push_back(s);
      if (std::ranges::binary_search(origin, i)) kept.origin.push_back(s);
    }
    presences.push_back(std::move(kept));
  }
  return presences;
}

/// Stores kernels, columns and support vectors.
void fill_kernels(const TrainedTasks& trained, const WeightedKernels& weighted,
                  const Context& context, Model& model) {
  const TrainingKernels& kernels = trained.kernels;
  const Matrix& targets = trained.set.targets.values;
  const Vector& sample_weights = trained.options.sample_weights;
  model.training_samples = targets.rows;
  if (trained.for_use) {
    model.training_hash = fingerprint(targets, kernels, sample_weights, without_end(context));
  }
  model.sample_weights = sample_weights;
  model.weights_repeat = trained.set.weights_repeat && !sample_weights.empty();
  for (const MatrixView& view : kernels.matrices) model.matrices.push_back(view.name);
  const Table& table = trained.data.table;
  model.support_ids = entries_at(table.ids, model.support);
  if (model.target == Target::classes) model.class_type = table.label_type;
  model.table_columns = sources_of(table.columns, table.indicators);
  model.categories = table.categories;
  model.indicators = table.indicators;
  model.missing_codes = table.missing_codes;
  model.kernels = model_kernels(kernels, weighted, model.support);
  model.presences = model_presences(kernels, weighted.weights, model.support);
  keep_columns(kernels, table.indicators, model);
}

ModelSettings settings_of(const TrainedTasks& trained, const std::string& solver,
                          const Context& context) {
  const TaskSet& set = trained.set;
  return {
      .loss = trained.options.loss,
      .regularizer = regularizer_text(set.regularizer),  // without groups or weights
      .solver = solver,
      .status = status_name(trained.status),
      .bias = bias_name(set.bias),
      .C = cost_of(trained.options),
      .class_weights = set.class_weights,
      .missing = missing_rule_name(trained.options.missing),
      .absent = absent_rule_name(trained.options.absent),
      .landmarks = landmark_setting(trained.options.landmarks, length(trained.kernels.landmarks)),
      .tolerance = trained.options.solver.tolerance,
      .seed = context.seed,
      .version = KERNMIX_VERSION};
}

}  // namespace

Vector mean_weights(const Matrix& weights, const std::vector<Index>& tasks) {
  Vector mean(to_size(weights.cols), 0.0);
  for (Index m = 0; m < weights.cols; ++m) {
    double& own = mean[to_size(m)];
    for (const Index k : tasks) own += weights(k, m);
    own /= static_cast<double>(tasks.size());
  }
  return mean;
}

/// If the functions of a task are zero, for example for a constant target, its weights are the
/// initial ones and carry no information.
std::vector<Index> tasks_with_functions(const Matrix& weights, const Matrix& norms) {
  constexpr double rounding = 1e-9;
  const double largest = norms.values.empty() ? 0.0 : std::ranges::max(norms.values);
  std::vector<Index> tasks;
  for (Index k = 0; k < weights.rows && weights.rows == norms.rows; ++k) {
    if (std::ranges::max(norms.row(k)) > rounding * largest) tasks.push_back(k);
  }
  return tasks.empty() ? all_samples(weights.rows) : tasks;
}

WeightedKernels over_tasks(const Matrix& weights, const Matrix& norms) {
  const auto M = to_size(weights.cols);
  WeightedKernels result{mean_weights(weights, tasks_with_functions(weights, norms)),
                         Vector(M, 0.0)};
  for (std::size_t m = 0; m < M; ++m) {
    const auto at = static_cast<Index>(m);
    for (Index k = 0; k < norms.rows; ++k) {
      result.norms[m] = std::hypot(result.norms[m], norms(k, at));
    }
  }
  return result;
}

Model make_model(const TrainedTasks& trained, const TasksAnswer& answer, const Context& context) {
  const TaskSet& set = trained.set;
  Model model;
  model.settings = settings_of(trained, answer.solver, context);
  model.target = set.targets.target;
  model.scheme = set.targets.scheme;
  if (!set.single()) model.coupling = set.joint() ? "joint" : trained.options.coupling;
  model.names = set.targets.names;
  model.weights = answer.weights;
  model.norms = norms_of(answer);
  model.gamma = answer.gamma;
  model.certificate = answer.certificate.bounds;
  const WeightedKernels weighted = over_tasks(model.weights, model.norms);
  add_tasks(trained, answer, weighted.weights, context, model);
  fill_kernels(trained, weighted, context, model);
  if (model.landmarks) {
    model.landmarks->dual_ids = entries_at(trained.data.table.ids, dual_rows(model));
  }
  return model;
}

std::size_t data_bytes(const Dataset& data, const TrainingKernels& kernels) {
  // Names, descriptions, sketches and results of a kernel, measured on 1000 to 10,000 of them.
  constexpr std::size_t bytes_of_a_kernel = 4300;
  std::size_t bytes = bytes_of_a_kernel * kernels.sources.size();
  bytes += data.table.numbers().values.size_bytes() + kernels.features.bytes();
  if (data.table.sparse) bytes += data.table.sparse->bytes();
  for (const MatrixView& view : data.matrices) bytes += view.matrix.bytes();
  for (const KernelSourcePtr& source : kernels.sources) bytes += source->bytes();
  return bytes + kernels.repaired_bytes;
}

}  // namespace kernmix
