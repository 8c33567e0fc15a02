#include "model/claims/kernel_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/samples.hpp"
#include "data/scaling/scaling_fit.hpp"
#include "kernel/subset_source.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/bank/checks.hpp"
#include "kernmix/classical/alignment.hpp"
#include "kernmix/two_stage.hpp"
#include "model/kernel_choice.hpp"
#include "model/landmarks/definite.hpp"
#include "model/solving/kernel_store.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

/// Tolerance of the weights of a two-stage rule (norm 1), computed with kernels in single
/// precision.
constexpr double kRuleTolerance = 1e-4;

/// Compares fitted normalisations. The rounding of sums of kernel values is relative to the
/// uncentred values.
void check_fitted(Claims& claims, const ModelKernel& kernel, const FittedNormalization& fitted,
                  const KernelSource& source, const PresentSamples* present,
                  const std::vector<Index>& rows, const std::string& name) {
  const FittedNormalization& own = kernel.normalization;
  const KernelSize size = size_of(source, fitted);
  // A constant kernel, which centring makes 0, has the scale 0.
  const double largest =
      fitted.scale > 0.0 ? size.largest / fitted.scale : std::abs(fitted.grand_mean);
  const auto compare = [&](const char* what, double reported, double recomputed, double of_size) {
    claims.compare("kernels", fmt::format("the {} of {}", what, name), reported, recomputed,
                   of_size);
  };
  const bool scaled = fitted.rule.scale != Normalization::Scale::none;
  compare("scale", own.scale, fitted.scale, scaled ? fitted.scale * size.loss : 0.0);
  compare("mean", own.grand_mean, fitted.grand_mean, largest);
  for (std::size_t s = 0; s < own.column_means.size(); ++s) {
    const Index place = present == nullptr ? rows[s] : present->place(rows[s]);
    const double mean = place < 0 ? 0.0 : fitted.column_means[to_size(place)];
    if (own.column_means[s] == mean) continue;
    compare("mean of a column", own.column_means[s], mean, largest);
  }
}

/// The share of the eigenvectors of `own` that lies in the space of those of `fitted`, of the
/// training samples that the model knows by row.
double share_in(const FittedRepair& own, const FittedRepair& fitted,
                const std::vector<Index>& support, const std::vector<Index>& rows) {
  const auto N = as_matrix(own.negative);
  const auto M = as_matrix(fitted.negative);
  if (support == rows) {
    return (N.transpose() * M).squaredNorm() / static_cast<double>(N.cols());
  }
  double apart = 0.0;
  RowMatrix left(length(support), N.cols());
  RowMatrix right(length(support), M.cols());
  for (Index s = 0; s < left.rows(); ++s) {
    left.row(s) = N.row(support[to_size(s)]);
    right.row(s) = M.row(rows[to_size(s)]);
  }
  apart = (left * left.transpose() - right * right.transpose()).norm();
  return 1.0 - apart;
}

/// Compares fitted repairs.
void check_repair(Claims& claims, const Model& model, const ModelKernel& kernel,
                  const FittedRepair& fitted, const std::vector<Index>& rows,
                  const std::string& name) {
  const FittedRepair& own = kernel.repair;
  if (own.rule == Repair::none) return;
  claims.compare("kernels", fmt::format("the smallest eigenvalue of {}", name), own.smallest,
                 fitted.smallest, std::abs(fitted.smallest));
  claims.compare("kernels", fmt::format("the number of negative eigenvalues of {}", name),
                 static_cast<double>(own.negative_count),
                 static_cast<double>(fitted.negative_count), 1.0);
  if (own.negative.cols == 0 || own.negative.cols != fitted.negative.cols) return;
  claims.compare("kernels", fmt::format("the repair of {}", name), 1.0,
                 share_in(own, fitted, model.support, rows), 1.0);
}

/// For automatic scaling: the rule agrees with the data.
void check_chosen_rule(Claims& claims, const ScaledView& view, const Model& model,
                       const TrainingData& found) {
  const FeatureColumns& features = found.kernels.features;
  if (view.asked != ScalingRule::automatic) return;
  const std::vector<std::string> numbers = columns_of_numbers(view.columns, model.indicators);
  const auto column = [&](Index j) {
    return features.column_values(features.place(numbers[to_size(j)]));
  };
  const PresentSamples* const present =
      numbers.empty() ? nullptr : features.present(features.place(numbers.front()));
  const ConstSpan counts = sample_counts(model);
  const Vector own = present == nullptr ? Vector(counts.begin(), counts.end())
                                        : entries_at(counts, present->samples());
  const FittedView fitted =
      fit_view(ScalingRule::automatic, numbers, column, {.weights = own, .rules = found.rules});
  claims.require("scaling", fitted.rule == view.rule,
                 fmt::format("the columns of view '{}' are scaled by the rule {}, but automatic "
                             "scaling of their values gives {}",
                             view.view, scaling_name(view.rule), scaling_name(fitted.rule)));
}

void require_room_to_check(Index n, const std::string& name, const Context& context) {
  const std::size_t bytes = definiteness_bytes(n, 1, context);
  if (has_room(context, bytes)) return;
  throw ResourceError(
      fmt::format("the test that kernel '{}' is positive semidefinite takes {}, more than the "
                  "budget of {} (--memory)",
                  name, memory_text(bytes), memory_text(context.memory_bytes)));
}

/// The same checks as training makes before storing kernels.
void check_given(Claims& claims, const std::vector<KernelSourcePtr>& sources,
                 const std::vector<std::string>& names, const Context& context) {
  for (std::size_t m = 0; m < sources.size(); ++m) {
    if (sources[m]->always_psd()) continue;
    require_room_to_check(sources[m]->rows(), names[m], context);
    claims.attempt("kernels", [&] {
      if (!sources[m]->comparison()) check_symmetric(*sources[m], names[m], context);
      check_definite(*sources[m], names[m], context);
    });
  }
}

/// The alignment of sum_m d_m K_m with the targets.
double alignment_of(const KernelBank& bank, ConstSpan d, ConstSpan y, const Context& context) {
  Matrix sum(bank.samples(), bank.samples());
  bank.combined(d)->matrix(all_samples(bank.samples()), MutableSpan(sum.values), context);
  return align(*dense_bank({std::move(sum)}), y, context).alignment.front();
}

/// Weights of alignf need not be unique: they are checked by the alignment that they attain.
bool attains(const Alignment& rule, const KernelBank& bank, ConstSpan d, ConstSpan best,
             ConstSpan y, const Context& context) {
  if (!rule.of_the_sum) return false;
  const double size = std::inner_product(d.begin(), d.end(), d.begin(), 0.0);
  if (std::abs(size - 1.0) > agreement) return false;
  return alignment_of(bank, d, y, context) >=
         alignment_of(bank, best, y, context) * (1.0 - kRuleTolerance);
}
bool attains(const Easy&, const KernelBank&, ConstSpan, ConstSpan, ConstSpan, const Context&) {
  return false;
}

/// The weights of the rule with kernels as training stores them; check_given() has tested
/// definiteness.
void check_rule(Claims& claims, const Model& model, const TaskSet& set, Index k,
                const TrainingData& found, const Context& context) {
  MemoryPlan plan;
  Timings seconds;
  const Task& task = set.task(k);
  const ConstSpan d = model.task_weights(k);
  StoredKernels kernels{subset_sources(found.kernels.sources, set.rows(k)),
                        kernel_names(set.kernels)};
  KernelStore store(
      kernels, [](const MemoryPlan&) { return SolverMemory{}; },
      {model.settings.tolerance, std::ranges::max(task.C), true}, context, plan, seconds);
  const Regularizer chosen = choose_weights(set.problem(k, store.bank()), context);
  const Vector expected = initial_weights(chosen, length(d));
  const auto& rule = get_if<TwoStage>(chosen)->rule;
  const auto as_good = [&](const auto& own) {
    return attains(own, store.bank(), d, expected, task.y, context);
  };
  if (std::visit(as_good, rule)) return;
  for (std::size_t m = 0; m < d.size(); ++m) {
    claims.compare("weights", fmt::format("the weight of kernel {}{}", m + 1, of_task(model, k)),
                   d[m], expected[m], kRuleTolerance / agreement);
  }
}

/// Whether all weights of a task are equal because time ran out before its rule was applied.
bool untrained(const Model& model, ConstSpan d) {
  const double even = 1.0 / static_cast<double>(d.size());
  const std::string& status = model.settings.status;
  return (status == status_name(Status::time_limit) ||
          status == status_name(Status::interrupted)) &&
         std::ranges::all_of(d, [&](double weight) { return weight == even; });
}

}  // namespace

void check_widths(Claims& claims, const KernelDescription& own, const KernelDescription& fitted,
                  const std::string& name) {
  if (!own.relative_width) return;
  for (const auto& [parameter, value] : fitted.function.parameters) {
    claims.compare("kernels", fmt::format("the {} of {}", parameter, name),
                   own.function.parameters.at(parameter), value, std::abs(value));
  }
}

KernelSize size_of(const KernelSource& source, const FittedNormalization& fitted) {
  if (const auto part = source.part()) return size_of(*part->source, fitted);
  Vector diagonal(to_size(source.rows()));
  source.left_diagonal(diagonal);
  const double left = std::accumulate(diagonal.begin(), diagonal.end(), 0.0);
  for (std::size_t i = 0; i < fitted.column_means.size(); ++i) {
    diagonal[i] += fitted.scale * (2.0 * fitted.column_means[i] - fitted.grand_mean);
  }
  const double whole = std::accumulate(diagonal.begin(), diagonal.end(), 0.0);
  return {*std::ranges::max_element(diagonal), whole > left ? whole / std::max(left, 0.0) : 1.0};
}

double decision_size(const TrainingKernels& kernels, ConstSpan d, ConstSpan a) {
  double sum = 0.0;
  for (const double own : a) sum += std::abs(own);
  double size = 0.0;
  for (std::size_t m = 0; m < d.size(); ++m) {
    if (d[m] == 0.0) continue;
    size += d[m] * size_of(*kernels.sources[m], kernels.normalizations[m]).largest;
  }
  return size * std::max(sum, 1.0);
}

void check_scaling(Claims& claims, const Model& model, const TrainingData& found) {
  claims.open("scaling");
  const FeatureColumns& features = found.kernels.features;
  for (const ScaledView& view : model.views) {
    check_chosen_rule(claims, view, model, found);
  }
  for (std::size_t j = 0; j < model.columns.size(); ++j) {
    const std::size_t place = features.place(model.columns[j]);
    const double offset = features.scaling().offset[place];
    const double divisor = features.scaling().divisor[place];
    // The rounding error of the mean of a column far from zero is relative to its values.
    const double size = divisor + 1e-3 * std::abs(offset);
    claims.compare("scaling", fmt::format("the offset of column '{}'", model.columns[j]),
                   model.scaling.offset[j], offset, size);
    claims.compare("scaling", fmt::format("the divisor of column '{}'", model.columns[j]),
                   model.scaling.divisor[j], divisor, size);
    if (model.scaling.fill.empty()) continue;
    const double fill = features.scaling().fill[place];
    claims.compare("scaling", fmt::format("the value of missing cells of '{}'", model.columns[j]),
                   model.scaling.fill[j], fill, size + 1e-3 * std::abs(fill));
  }
}

namespace {

/// The samples that have a view.
void check_presences(Claims& claims, const Model& model, const TrainingData& found) {
  for (const ModelPresence& own : model.presences) {
    const std::string& view = own.view.name;
    const PresentSamples* const present = samples_of(presence_of(view, found.kernels.presences));
    const Index count = present == nullptr ? -1 : length(present->samples());
    claims.compare("kernels", fmt::format("the samples that have view '{}'", view),
                   static_cast<double>(own.samples), static_cast<double>(count), 0.0);
    if (count != own.samples) continue;
    std::vector<Index> support;
    for (Index s = 0; s < length(found.rows); ++s) {
      if (present->place(found.rows[to_size(s)]) >= 0) support.push_back(s);
    }
    claims.require("kernels", support == own.support,
                   fmt::format("other support vectors have view '{}' in the data", view));
  }
}

}  // namespace

void check_kernels(Claims& claims, const Model& model, const TrainingData& found,
                   const Context& context) {
  claims.open("kernels");
  const TrainingKernels& kernels = found.kernels;
  check_presences(claims, model, found);
  const std::vector<std::string> names = kernel_names(descriptions_of(model.kernels));
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    const std::string name = fmt::format("kernel {} ({})", m + 1, names[m]);
    check_widths(claims, model.kernels[m].description, kernels.descriptions[m], name);
    check_fitted(claims, model.kernels[m], kernels.normalizations[m], *kernels.sources[m],
                 samples_of(kernels.presence(static_cast<Index>(m))), found.rows, name);
    check_repair(claims, model, model.kernels[m], kernels.repairs[m], found.rows, name);
  }
  check_given(claims, kernels.sources, names, context);
  claims.attempt("kernels",
                 [&] { check_factors(kernels, model.exact_certificate.has_value(), context); });
}

void check_weights_of(Claims& claims, const Model& model, const TaskSet& set, Index part,
                      const TrainingData& found, const Context& context) {
  claims.open("weights");
  const ConstSpan d = model.task_weights(part);
  if (!is<TwoStage>(set.regularizer)) {
    claims.attempt("weights", [&] { check_weights(set.regularizer, d); });
  } else if (!untrained(model, d)) {
    check_rule(claims, model, set, part, found, context);
  }
}

}  // namespace kernmix
