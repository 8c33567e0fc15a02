// frequency_m, intervals and the bound q^2 / ((2 often - 1) M) on falsely stable kernels

#include "kernmix/selection/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "base/blas_threads.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "model/fits/part_fits.hpp"
#include "model/pipeline.hpp"
#include "model/warnings/warnings.hpp"
#include "selection/stability/limits.hpp"
#include "selection/stability/resampled_models.hpp"
#include "selection/stability/shares.hpp"
#include "selection/stability/stability_warnings.hpp"
#include "selection/stability/weight_relation.hpp"
#include "weights/weight_rules.hpp"

namespace kernmix {
namespace {

void require_option(bool holds, const std::string& sentence) {
  if (!holds) throw ParameterError(sentence);
}

StabilityOptions checked(StabilityOptions options, const TrainOptions& training) {
  check_options(options);
  if (!options.threshold) options.threshold = training.solver.tolerance;
  return options;
}

}  // namespace

void check_options(const StabilityOptions& options) {
  require_option(options.resamples >= 2,
                 fmt::format("resamples: {}; at least 2 are needed", options.resamples));
  require_option(options.method != Resampling::subsample || options.resamples % 2 == 0,
                 fmt::format("resamples: {}; subsamples come in pairs, give an even number",
                             options.resamples));
  const double threshold = options.threshold.value_or(0.0);
  require_option(threshold >= 0.0 && threshold < 1.0,
                 fmt::format("threshold: {}; it must be in [0, 1)", threshold));
  require_option(options.level > 0.0 && options.level < 1.0,
                 fmt::format("level: {}; it must be between 0 and 1", options.level));
  require_option(options.often > 0.5 && options.often <= 1.0,
                 fmt::format("often: {}; it must be above 0.5 and at most 1", options.often));
  require_option(options.null_runs >= 0, "null runs: the number must be >= 0");
  require_waitable(
      static_cast<double>(options.resamples) * (1.0 + static_cast<double>(options.null_runs)),
      "resamples");
}

namespace {

/// Memory of the rows and weights of a resample and the shares of its kernels.
std::size_t bytes_of_resample(Index samples, Index kernels) {
  return sizeof(Resample) + to_size(samples) * (sizeof(Index) + sizeof(double)) +
         to_size(kernels) * sizeof(double);
}

/// Shares of all tasks together (row 0) or of one of them: resamples x M.
Matrix rows_of_task(const std::vector<Matrix>& shares, Index row, Index kernels) {
  Matrix rows(length(shares), kernels);
  for (Index r = 0; r < rows.rows; ++r) {
    std::ranges::copy(shares[to_size(r)].row(row), rows.row(r).begin());
  }
  return rows;
}

/// The original labels, followed by permuted ones.
std::vector<ResampledData> labellings(const PrecomputedKernels& kernels, const Strata& strata,
                                      const StabilityOptions& options, Index null_runs,
                                      std::uint64_t seed) {
  const auto draw = [&](const std::vector<Index>& classes, std::uint32_t stream) {
    return draw_resamples({classes, strata.groups}, options.method, options.resamples, seed,
                          stream);
  };
  std::vector<ResampledData> all = {{kernels.training(), {}, draw(strata.classes, 0)}};
  if (null_runs == 0) return all;
  const Exchange exchange(kernels.training(), {{}, strata.groups, options.within},
                          length(strata.classes), Exchanged::labels);
  if (!exchange.is_possible()) {
    throw ParameterError(
        "null runs: no two groups can exchange their labels, because groups with different labels "
        "inside must have the same size: set the number of null runs to 0");
  }
  for (Index p = 1; p <= null_runs; ++p) {
    const auto stream = static_cast<std::uint32_t>(p);
    const std::vector<Index> order = random_order(exchange, seed, stream);
    all.push_back({with_labels_of(kernels.training(), order), order,
                   draw(entries_at(strata.classes, order), stream)});
  }
  return all;
}

/// The reference from the finished permuted labellings; also sets the frequencies of `whole`.
std::optional<NullReference> null_reference(const ResampledShares& found,
                                            const ViewsOfKernels& views,
                                            const StabilityOptions& options, TaskStability& whole) {
  const Index M = length(whole.kernels);
  NullReference null;
  std::vector<Matrix> all;
  for (std::size_t p = 1; p < found.of.size(); ++p) {
    if (found.unfinished[p] > 0 || found.of[p].empty()) continue;
    const Matrix shares = rows_of_task(found.of[p], 0, M);
    ++null.runs;
    null.stable.push_back(
        static_cast<double>(count_stable(shares, *options.threshold, options.often)));
    all.insert(all.end(), found.of[p].begin(), found.of[p].end());
  }
  if (null.runs == 0) return std::nullopt;
  const auto runs = static_cast<double>(null.runs);
  null.mean_stable = std::accumulate(null.stable.begin(), null.stable.end(), 0.0) / runs;
  const Matrix shares = rows_of_task(all, 0, M);
  null.mean_chosen = mean_chosen(shares, *options.threshold);
  const TaskStability none = summarise("", Vector(to_size(M), 0.0), shares, views, options);
  const auto copy = [](const auto& from, auto& to) {
    for (std::size_t k = 0; k < to.size(); ++k) {
      to[k].null_frequency = from[k].frequency;
      to[k].null_mean = from[k].mean;
    }
  };
  copy(none.kernels, whole.kernels);
  copy(none.views, whole.views);
  return null;
}

void require_enough(Index finished, const ResampledShares& found, const Context& context) {
  if (finished >= 2) return;
  if (context.should_stop()) {
    throw ResourceError("time ran out before two resamples were finished; allow more time");
  }
  throw DataError(
      fmt::format("in {} resamples no sample or every sample has some label, and fewer than two "
                  "are left: leave out labels that few samples have, or that few lack",
                  found.label_missing));
}

/// The model of all samples: 1 x M, or (1 + T) x M shares, and the names of separate tasks.
struct AllSamplesModel {
  Matrix shares;
  std::vector<std::string> tasks;
};

AllSamplesModel train_whole(const PrecomputedKernels& kernels, const Context& context) {
  const Dataset& data = kernels.training();
  const Fold all{all_samples(sample_count(data.table, data.matrices)), {}};
  PartFits fits(data, all, "", context, &kernels.kernels());
  const auto found = fits.in_time(
      "", [&] { return fits.fit(without_cross_fits(kernels.options()), Purpose::only); });
  if (!found) throw ResourceError("time ran out before a model of all samples was trained");
  AllSamplesModel whole{shares_of(found->model), {}};
  for (const TaskModel& task : found->model.tasks) whole.tasks.push_back(task.name);
  return whole;
}

std::optional<double> false_bound(const Stability& result) {
  if (result.options.method != Resampling::subsample) return std::nullopt;
  const double q = result.mean_chosen;
  return q * q / ((2.0 * result.options.often - 1.0) * static_cast<double>(result.kernels.size()));
}

void summarise_all(const AllSamplesModel& whole, const ResampledShares& found,
                   const ViewsOfKernels& views, Stability& result) {
  const auto M = length(result.kernels);
  const std::vector<Matrix>& own = found.of.front();
  const auto of_row = [&](Index row, const std::string& name) {
    return summarise(name, whole.shares.row(row), rows_of_task(own, row, M), views, result.options);
  };
  result.resamples = length(own);
  result.shares = rows_of_task(own, 0, M);
  result.whole = of_row(0, "");
  for (Index k = 1; k < whole.shares.rows; ++k) {
    result.tasks.push_back(of_row(k, whole.tasks[to_size(k - 1)]));
  }
  result.mean_chosen = mean_chosen(result.shares, *result.options.threshold);
  result.stable = count_stable(result.shares, *result.options.threshold, result.options.often);
  result.false_bound = false_bound(result);
  result.null = null_reference(found, views, result.options, result.whole);
}

}  // namespace

std::string resampling_name(Resampling method) {
  return method == Resampling::subsample ? "subsample" : "bootstrap";
}

Resampling parse_resampling(const std::string& text) {
  if (text == "subsample") return Resampling::subsample;
  if (text == "bootstrap") return Resampling::bootstrap;
  throw ParameterError(
      fmt::format("the method of resampling must be subsample or bootstrap, got '{}'", text));
}

Stability weight_stability(const Dataset& data, const TrainOptions& options,
                           const StabilityOptions& stability, const Context& context) {
  const SerialBlas serial_blas;
  Stability result;
  result.options = checked(stability, options);
  const Strata strata{classes_to_keep(data, options), options.groups};
  result.samples = length(strata.classes);
  const PrecomputedKernels kernels(data, options, all_samples(result.samples), {}, context);
  result.kernels = kernels.descriptions();
  ViewsOfKernels views(result.kernels, stability.view_of_matrix);
  views.identities = kernels.identities();
  result.views = views.names;
  result.view_of_kernel = views.of_kernel;
  result.sparse = WeightRules(options.regularizer).sparse();
  const bool has_labels = loss_target(options.loss) != Target::none;
  const Index M = length(result.kernels);
  require_room_for_models(to_size(result.options.resamples * (1 + result.options.null_runs)),
                          bytes_of_resample(result.samples, M), "resamples", context);
  const Index null_runs = has_labels ? result.options.null_runs : 0;
  const auto asked = labellings(kernels, strata, result.options, null_runs, context.seed);
  const AllSamplesModel whole = train_whole(kernels, context);
  const bool weights_follow = null_runs > 0 && weights_follow_labels(data, options);
  const ResampledShares found =
      train_resamples(asked, {kernels, options, stability.steps, weights_follow}, context);
  require_enough(length(found.of.front()), found, context);
  summarise_all(whole, found, views, result);
  const StabilityFacts facts{.strata = strata,
                             .data = data,
                             .label_missing = found.label_missing,
                             .missed = found.missed,
                             .null_runs = length(asked) - 1,
                             .has_labels = has_labels};
  const auto done = [](Index unfinished) { return unfinished == 0; };
  result.complete = std::ranges::all_of(found.unfinished, done);
  result.warnings = warnings_of_targets(data, options);
  std::ranges::move(stability_warnings(result, facts), std::back_inserter(result.warnings));
  if (weights_follow) result.warnings.push_back(warning_of_weights(data, options));
  return result;
}

}  // namespace kernmix
