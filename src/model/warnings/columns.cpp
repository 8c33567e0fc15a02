// Warnings about columns and views: one or two unscaled columns have 99 % of the variance; a column
// is the target, or numbers the samples; no sample of a class has a view.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/linear_algebra.hpp"
#include "base/mean.hpp"
#include "base/samples.hpp"
#include "base/text.hpp"
#include "model/warnings/warnings.hpp"

namespace kernmix {
namespace {

constexpr double dominant_share = 0.99;

double variance_of(ConstSpan values) {
  const auto x = as_vector(values).array();
  return (x - x.mean()).square().mean();
}

/// Columns without separate scaling.
std::set<std::string> unscaled_columns(const std::vector<ScaledView>& views) {
  std::set<std::string> unscaled;
  for (const ScaledView& view : views) {
    if (view.asked != ScalingRule::none && view.asked != ScalingRule::common) continue;
    unscaled.insert(view.columns.begin(), view.columns.end());
  }
  return unscaled;
}

/// One or two of `columns` with nearly all of the variance.
std::vector<std::string> dominant(const FeatureColumns& features,
                                  const std::vector<std::string>& columns) {
  Vector variances;
  for (const std::string& column : columns) {
    variances.push_back(variance_of(features.scaled_column(features.place(column))));
  }
  std::vector<std::size_t> order = index_range<std::size_t>(0, columns.size());
  std::ranges::sort(order, std::ranges::greater(), [&](std::size_t j) { return variances[j]; });
  const double least = dominant_share * as_vector(ConstSpan(variances)).sum();
  std::vector<std::string> found;
  double share = 0.0;
  for (std::size_t k = 0; k < 2 && k + 1 < order.size(); ++k) {
    share += variances[order[k]];
    found.push_back(columns[order[k]]);
    if (share > least) return found;
  }
  return {};
}

constexpr Index fewest_samples =
    10;  ///< with fewer samples a column may equal the target by chance

/// Whether x and the classes determine each other.
bool tells_classes(ConstSpan x, ConstSpan classes) {
  std::map<double, double> class_of;
  std::map<double, double> value_of;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (class_of.try_emplace(x[i], classes[i]).first->second != classes[i]) return false;
    if (value_of.try_emplace(classes[i], x[i]).first->second != x[i]) return false;
  }
  return class_of.size() > 1;
}

/// Whether y = a + b x up to rounding.
bool tells_numbers(ConstSpan x, ConstSpan y) {
  constexpr double rounding = 1e-9;  // residual share of the variance
  const auto own = as_vector(x).array() - as_vector(x).array().mean();
  const auto other = as_vector(y).array() - as_vector(y).array().mean();
  const double of_x = own.square().sum();
  const double of_y = other.square().sum();
  const double both = (own * other).sum();
  if (!(of_x > 0.0 && of_y > 0.0)) return false;
  return std::isfinite(both * both) && both * both >= (1.0 - rounding) * of_x * of_y;
}

/// What is known of targets before a column is looked at.
class KnownTargets {
 public:
  explicit KnownTargets(const TaskTargets& targets) : targets_(targets) {
    for (Index t = 0; t < targets.values.cols; ++t) {
      const Vector y = column_of(targets.values, t);
      means_.push_back(mean_of_values(y));
      double squares = 0.0;
      std::map<double, Index> sizes;
      for (const double value : y) {
        squares += (value - means_.back()) * (value - means_.back());
        if (targets.target == Target::classes) ++sizes[value];
      }
      squares_.push_back(squares);
      auto& own = class_sizes_.emplace_back();
      for (const auto& [value, size] : sizes) own.insert(size);
    }
  }
  /// Whether a sparse column can tell target t: false where its entries alone show that it cannot.
  [[nodiscard]] bool may_tell(const ColumnValues& x, Index t) const {
    return targets_.target == Target::numbers ? may_tell_numbers(x, t) : may_tell_classes(x, t);
  }

 private:
  /// Its zeros are all samples of one class.
  [[nodiscard]] bool may_tell_classes(const ColumnValues& x, Index t) const {
    const Index zeros = x.samples - length(x.values) + std::ranges::count(x.values, 0.0);
    return zeros == 0 || class_sizes_[to_size(t)].contains(zeros);
  }
  /// tells_numbers() with a wider bound: these sums are rounded in another way.
  [[nodiscard]] bool may_tell_numbers(const ColumnValues& x, Index t) const {
    constexpr double rounding = 1e-6;
    double sum = 0.0;
    double squares = 0.0;
    double both = 0.0;
    for (std::size_t k = 0; k < x.values.size(); ++k) {
      sum += x.values[k];
      squares += x.values[k] * x.values[k];
      both += x.values[k] * (targets_.values(x.rows[k], t) - means_[to_size(t)]);
    }
    const double of_x = squares - sum * sum / static_cast<double>(x.samples);
    const bool rounded_off = of_x < rounding * squares;
    return rounded_off || both * both >= (1.0 - rounding) * of_x * squares_[to_size(t)];
  }

  const TaskTargets& targets_;
  Vector means_;
  Vector squares_;  ///< of the differences from the mean
  std::vector<std::set<Index>> class_sizes_;
};

/// The columns of the kernels, without duplicates, in order of first use.
std::vector<std::string> columns_read(const TrainingKernels& kernels) {
  std::vector<std::string> columns;
  std::set<std::string> seen;
  for (const KernelDescription& kernel : kernels.descriptions) {
    for (const std::string& column : kernel.columns) {
      if (seen.insert(column).second) columns.push_back(column);
    }
  }
  return columns;
}

/// "id", "Patient_ID", "row" and similar names.
bool is_name_of_ids(const std::string& column) {
  const std::string name = lowercase(column);
  static constexpr std::array names = {"id",  "ids",    "index", "row", "rows",
                                       "nr.", "number", "no.",   "#",   "rownumber"};
  if (std::ranges::find(names, name) != names.end()) return true;
  for (const char* ending : {"_id", " id", "-id", ".id", "_index", " index", "_nr"}) {
    if (name.ends_with(ending)) return true;
  }
  return name.starts_with("unnamed: ");
}

/// Distinct integers without a gap, or with a name of ids.
bool numbers_samples(const std::string& column, const Vector& values) {
  std::set<double> different;
  for (const double value : values) {
    if (std::floor(value) != value || !different.insert(value).second) return false;
  }
  const double span = *different.rbegin() - *different.begin() + 1.0;
  return span == static_cast<double>(values.size()) || is_name_of_ids(column);
}

}  // namespace

void warn_of_answers_among_columns(const TaskTargets& targets, const TrainingKernels& kernels,
                                   const Context& context, std::vector<Warning>& warnings) {
  if (targets.target == Target::none || targets.samples() < fewest_samples) return;
  const FeatureColumns& features = kernels.features;
  std::vector<std::string> found;
  std::optional<KnownTargets> known;
  if (features.is_sparse()) known.emplace(targets);
  for (const std::string& column : columns_read(kernels)) {
    if (context.should_stop()) break;  // the model is not to be late for a remark
    const Index place = features.place(column);
    const PresentSamples* const present = features.present(place);
    std::optional<ColumnValues> entries;
    if (known && present == nullptr) entries = features.column_values(place);
    Vector x;
    for (Index t = 0; t < targets.values.cols; ++t) {
      if (entries && !known->may_tell(*entries, t)) continue;
      if (x.empty()) x = features.raw_column(place);
      if (length(x) < fewest_samples) break;
      const Vector all = column_of(targets.values, t);
      const Vector y = present == nullptr ? all : entries_at(all, present->samples());
      const bool tells =
          targets.target == Target::numbers ? tells_numbers(x, y) : tells_classes(x, y);
      if (!tells) continue;
      found.push_back(targets.values.cols > 1
                          ? fmt::format("{} ({})", in_quotes(column), targets.names[to_size(t)])
                          : in_quotes(column));
      break;
    }
  }
  if (found.empty()) return;
  warnings.push_back(
      {"target-among-columns",
       fmt::format("One column determines the target of every training sample{}: {}. If the column "
                   "is the target under another name, or is known only after it, new samples will "
                   "not be predicted as well: leave it out with --ignore, or out of the views.",
                   kernels.presences.empty() ? "" : " that has it", first_names(found)),
       {}});
}

void warn_of_numbered_samples(const TrainingKernels& kernels, std::vector<Warning>& warnings) {
  const std::vector<std::string> columns = columns_read(kernels);
  if (columns.size() < 2) return;  // the only feature may be a time or a position
  std::vector<std::string> found;
  for (const std::string& column : columns) {
    const Index place = kernels.features.place(column);
    if (kernels.features.has_equal_zeros(place)) continue;
    const Vector x = kernels.features.raw_column(place);
    if (length(x) >= fewest_samples && numbers_samples(column, x)) {
      found.push_back(in_quotes(column));
    }
  }
  if (found.empty()) return;
  warnings.push_back(
      {"samples-numbered",
       fmt::format("The model learns from columns that number the samples: {}. An id or a row "
                   "number says nothing about new samples: name the column with --id, or leave it "
                   "out with --ignore or out of the views.",
                   first_names(found)),
       {}});
}

void warn_of_classes_without_view(const TaskTargets& targets, const TrainingKernels& kernels,
                                  std::vector<Warning>& warnings) {
  if (targets.target != Target::classes) return;
  const bool labels = targets.scheme == TaskScheme::labels;
  const auto has_class = [&](Index i, Index k) {
    return labels ? targets.values(i, k) > 0.0 : targets.class_of(i) == k;
  };
  std::vector<std::string> found;
  for (const Presence& own : kernels.presences) {
    if (own.view.name == all_views || own.view.name == missing_view) continue;
    for (Index k = 0; k < length(targets.names); ++k) {
      const auto is_of_class = [&](Index i) { return has_class(i, k); };
      if (std::ranges::any_of(own.present->samples(), is_of_class)) continue;
      found.push_back(fmt::format("no sample of class {} has view {}",
                                  in_quotes(targets.names[to_size(k)]), in_quotes(own.view.name)));
    }
  }
  if (found.empty()) return;
  warnings.push_back(
      {"class-without-view",
       fmt::format("A view that a whole class lacks cannot distinguish this class from the others: "
                   "{}.",
                   first_names(found)),
       {}});
}

void warn_of_columns_without_values(const TrainingKernels& kernels,
                                    std::vector<Warning>& warnings) {
  if (kernels.features.without_values().empty()) return;
  std::vector<std::string> names;
  for (const std::string& column : kernels.features.without_values()) {
    names.push_back(in_quotes(column));
  }
  warnings.push_back(
      {"column-without-values",
       fmt::format("All cells of a column are missing among the training samples: {}. The column "
                   "has no influence: leave it out of the data or the views.",
                   first_names(names)),
       {}});
}

void warn_of_constant_columns(const TrainingKernels& kernels,
                              const std::vector<Indicators>& indicators,
                              std::vector<Warning>& warnings) {
  const FeatureColumns& features = kernels.features;
  if (features.samples() < 2) return;
  const std::set<std::string> empty(features.without_values().begin(),
                                    features.without_values().end());
  const std::vector<std::string> columns = columns_read(kernels);
  std::vector<std::string> found;
  for (const std::string& column : columns_of_numbers(columns, indicators)) {
    if (features.is_silent(features.place(column)) && !empty.contains(column)) {
      found.push_back(in_quotes(column));
    }
  }
  // Words of other samples, as in folds, leave some indicators without variation.
  const std::set<std::string> read(columns.begin(), columns.end());
  for (const Indicators& own : indicators) {
    const std::vector<std::string> names = own.names();
    const auto is_silent = [&](const std::string& name) {
      return read.contains(name) && features.is_silent(features.place(name));
    };
    if (own.values.empty() || !std::ranges::all_of(names, is_silent)) continue;
    if (!empty.contains(names.front())) found.push_back(in_quotes(own.column));
  }
  if (found.empty()) return;
  warnings.push_back(
      {"constant-columns",
       fmt::format(
           "{} the same value in every training sample{}: {}. Nothing can be learned about "
           "other values, so {} no influence on the prediction of new samples.",
           found.size() == 1 ? "One column has" : fmt::format("{} columns have", found.size()),
           kernels.presences.empty() ? "" : " that has the view", first_names(found),
           found.size() == 1 ? "the column has" : "these columns have"),
       {}});
}

void warn_of_dominant_columns(const TrainingKernels& kernels, std::vector<Warning>& warnings) {
  const std::set<std::string> unscaled = unscaled_columns(kernels.views);
  if (unscaled.empty()) return;
  std::set<std::vector<std::string>> seen;
  std::vector<std::string> found;
  for (const KernelDescription& kernel : kernels.descriptions) {
    const std::vector<std::string>& columns = kernel.columns;
    const bool own_scale = reads_nonnegative(kernel.function) || columns.size() < 2;
    if (own_scale || !seen.insert(columns).second) continue;
    const auto names = dominant(kernels.features, columns);
    const auto is_unscaled = [&](const std::string& name) { return unscaled.contains(name); };
    if (names.empty() || !std::ranges::all_of(names, is_unscaled)) continue;
    found.push_back(fmt::format("{} of {}", comma_list(names, in_quotes), kernel.view));
  }
  if (found.empty()) return;
  warnings.push_back(
      {"column-dominates",
       fmt::format("Columns are not scaled one by one, and one or two have more than "
                   "99 % of the variance of their view: {}. The other columns hardly "
                   "influence the kernels of this view: use --scale auto, "
                   "standard or minmax.",
                   first_names(found)),
       {}});
}

}  // namespace kernmix
