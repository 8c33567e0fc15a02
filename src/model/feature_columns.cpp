#include "model/feature_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>

#include "base/mean.hpp"
#include "base/samples.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// The mean or the median of some values. \param counts of each; {}: 1
double fill_of(const Vector& values, const Vector& counts, bool median) {
  return median ? median_of(values, counts) : mean_of_values(values, counts);
}

/// The same of a sparse column, to the last bit, by its entries; nothing where its zeros count.
std::optional<double> fill_of_entries(ConstSpan entries, Index samples, ConstSpan weights,
                                      bool median) {
  if (!weights.empty()) return std::nullopt;
  Vector known;
  std::ranges::copy_if(entries, std::back_inserter(known), [](double x) { return !std::isnan(x); });
  const Index zeros = samples - length(entries);
  const Index all = zeros + length(known);
  if (all == 0) return std::nullopt;
  if (!median) return std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(all);
  std::ranges::sort(known);
  const Index below = std::ranges::lower_bound(known, 0.0) - known.begin();
  const auto at = [&](Index k) {
    if (k >= below && k < below + zeros) return 0.0;
    return known[to_size(k < below ? k : k - zeros)];
  };
  return all % 2 == 0 ? std::midpoint(at(all / 2 - 1), at(all / 2)) : at(all / 2);
}

/// Rules that move the mean of a column to 0.
bool centres(ScalingRule rule) {
  return rule == ScalingRule::standard || rule == ScalingRule::common ||
         rule == ScalingRule::standard_root;
}

Index sample_of_row(Index row, const PresentSamples* present) {
  return present == nullptr ? row : present->samples()[to_size(row)];
}

Index rows_of(Index samples, const PresentSamples* present) {
  return present == nullptr ? samples : length(present->samples());
}

Index columns_with_weight(const KernelDescription& product) {
  return length(product.column_weights) - std::ranges::count(product.column_weights, 0.0);
}

}  // namespace

bool reads_nonnegative(const KernelFunction& function) {
  for (const KernelFunctionInfo& info : kernel_functions()) {
    if (info.name == function.name) return info.input == KernelInput::nonnegative;
  }
  return false;
}

std::vector<Indicators> indicators_read(const std::vector<std::string>& columns,
                                        const std::vector<Indicators>& indicators) {
  if (indicators.empty()) return {};
  const std::unordered_set<std::string_view> wanted(columns.begin(), columns.end());
  std::vector<Indicators> read;
  for (const Indicators& own : indicators) {
    if (wanted.contains(own.column)) read.push_back(own);
  }
  return read;
}

std::vector<std::string> columns_of_numbers(const std::vector<std::string>& columns,
                                            const std::vector<Indicators>& indicators) {
  if (indicators.empty()) return columns;
  std::set<std::string> apart;
  for (const Indicators& own : indicators) {
    for (std::string& name : own.names()) apart.insert(std::move(name));
  }
  std::vector<std::string> numbers;
  for (const std::string& column : columns) {
    if (!apart.contains(column)) numbers.push_back(column);
  }
  return numbers;
}

FeatureColumns::FeatureColumns(ConstMatrix numbers, std::vector<std::string> names, Scaling scaling,
                               std::string source)
    : names_(std::move(names)),
      samples_(numbers.rows),
      numbers_(std::move(numbers)),
      places_(index_range(0, length(names_))),
      scaling_(std::move(scaling)),
      source_(std::move(source)) {
  for (Index j = 0; j < length(names_); ++j) position_[names_[to_size(j)]] = j;
  present_.resize(names_.size());
}

FeatureColumns::FeatureColumns(std::shared_ptr<const SparseMatrix> numbers,
                               std::vector<std::string> names, Scaling scaling, std::string source)
    : FeatureColumns(ConstMatrix(), std::move(names), std::move(scaling), std::move(source)) {
  if (numbers == nullptr) return;
  sparse_ = std::move(numbers);
  samples_ = sparse_->rows;
  by_column_ = transposed(*sparse_);
  bytes_ += by_column_.bytes();
}

FeatureColumns FeatureColumns::of_table(const Table& table, std::vector<std::string> names,
                                        Scaling scaling) {
  if (table.sparse) return {table.sparse, std::move(names), std::move(scaling), table.source};
  return {table.numbers(), std::move(names), std::move(scaling), table.source};
}

FeatureColumns::FeatureColumns(const Table& table, std::vector<std::string> names, Scaling scaling,
                               const Presences& presences)
    : FeatureColumns(of_table(table, std::move(names), std::move(scaling))) {
  places_ = column_places(table, names_);
  before_ = table.before;
  for (const Presence& own : presences) {
    may_lack_ = may_lack_ || length(own.present->samples()) < own.present->all();
    for (const std::string& column : own.view.columns) {
      const auto found = position_.find(column);
      if (found != position_.end() && !present_[to_size(found->second)]) {
        present_[to_size(found->second)] = own.present;
      }
    }
  }
  require_finite();
}

FeatureColumns FeatureColumns::fit(const Table& table, std::vector<std::string> names,
                                   std::vector<ScaledView>& views, ConstSpan weights,
                                   MissingRule missing, const Presences& presences,
                                   const std::vector<View>& whole, FittingRules rules) {
  const std::size_t count = names.size();
  FeatureColumns columns =
      of_table(table, std::move(names),
               {Vector(count, 0.0), Vector(count, 1.0), std::vector<bool>(count), {}});
  columns.places_ = column_places(table, columns.names_);
  for (const ScaledView& view : views) {
    const Presence* const presence = presence_of(view.view, presences);
    if (presence == nullptr) continue;
    columns.may_lack_ = true;
    for (const std::string& name : view.columns) {
      columns.present_[to_size(columns.place(name))] = presence->present;
    }
  }
  if (missing != MissingRule::refuse) {
    const bool whole_medians = rules == FittingRules::present;
    columns.fit_fill(missing, weights,
                     whole_medians ? table.indicators : std::vector<Indicators>());
  }
  columns.require_finite();
  Scaling& scaling = columns.scaling_;
  for (ScaledView& view : views) {
    const std::vector<std::string> numeric = columns_of_numbers(view.columns, table.indicators);
    const auto place = [&](Index j) { return columns.place(numeric[to_size(j)]); };
    const auto column = [&](Index j) { return columns.column_values(place(j)); };
    const Presence* const presence = presence_of(view.view, presences);
    const Vector own = presence == nullptr ? Vector(weights.begin(), weights.end())
                                           : entries_at(weights, presence->present->samples());
    const std::vector<ColumnStatistics> others =
        columns.statistics_of_others(view, whole, table.indicators, weights);
    const FittedView fitted = fit_view(view.rule, numeric, column, {own, others, rules});
    view.rule = fitted.rule;
    for (Index j = 0; j < length(numeric); ++j) {
      scaling.offset[to_size(place(j))] = fitted.offset[to_size(j)];
      scaling.divisor[to_size(place(j))] = fitted.divisor[to_size(j)];
    }
    for (const std::string& name : view.columns) {
      scaling.root[to_size(columns.place(name))] = takes_roots(fitted.rule);
    }
  }
  columns.fit_indicators(table.indicators, views, weights);
  for (const std::string& name : columns.without_values_) {
    scaling.offset[to_size(columns.place(name))] = scaling.divisor[to_size(columns.place(name))] =
        0.0;
  }
  return columns;
}

std::vector<ColumnStatistics> FeatureColumns::statistics_of_others(
    const ScaledView& view, const std::vector<View>& whole,
    const std::vector<Indicators>& indicators, ConstSpan weights) const {
  std::vector<ColumnStatistics> statistics;
  const auto found = std::ranges::find(whole, view.view, &View::name);
  if (found == whole.end()) return statistics;
  const std::set<std::string> own(view.columns.begin(), view.columns.end());
  for (const std::string& column : columns_of_numbers(found->columns, indicators)) {
    if (own.contains(column)) continue;
    const Index j = place(column);
    const PresentSamples* const some = present(j);
    const Vector counts = some == nullptr ? Vector(weights.begin(), weights.end())
                                          : entries_at(weights, some->samples());
    statistics.push_back(statistics_of_values(column_values(j), counts));
  }
  return statistics;
}

void FeatureColumns::fit_fill(MissingRule rule, ConstSpan weights,
                              const std::vector<Indicators>& of_words) {
  const bool median = rule == MissingRule::median || rule == MissingRule::median_indicator;
  std::set<std::string> flags;
  for (const Indicators& own : of_words) {
    for (std::string& name : own.names()) flags.insert(std::move(name));
  }
  Vector fill;
  for (Index j = 0; j < length(names_); ++j) {
    const Index place = places_[to_size(j)];
    if (sparse_ && place != no_column) {
      if (const auto own =
              fill_of_entries(by_column_.values_of(place), samples_, weights, median)) {
        fill.push_back(*own);
        continue;
      }
    }
    Vector values;
    Vector counts;
    const Vector column = given_column(j);
    for (Index i = 0; i < samples_; ++i) {
      const double value = column[to_size(i)];
      if (std::isnan(value)) continue;
      values.push_back(value);
      if (!weights.empty()) counts.push_back(weights[to_size(i)]);
    }
    if (values.empty()) without_values_.push_back(names_[to_size(j)]);
    fill.push_back(values.empty() ? 0.0 : fill_of(values, counts, median));
    // Half of the samples are not more than half.
    if (median && flags.contains(names_[to_size(j)])) fill.back() = std::floor(fill.back());
  }
  scaling_.fill = std::move(fill);
}

void FeatureColumns::fit_indicators(const std::vector<Indicators>& indicators,
                                    const std::vector<ScaledView>& views, ConstSpan weights) {
  std::map<std::string, ScalingRule> rule;
  for (const ScaledView& view : views) {
    for (const std::string& column : view.columns) rule.emplace(column, view.rule);
  }
  for (const Indicators& own : indicators) {
    std::vector<Index> places;
    for (const std::string& name : own.names()) {
      const auto found = position_.find(name);
      if (found != position_.end()) places.push_back(found->second);
    }
    if (places.empty()) continue;
    std::vector<ColumnStatistics> columns;
    const PresentSamples* const some = present(places.front());
    const Vector counts = some == nullptr ? Vector(weights.begin(), weights.end())
                                          : entries_at(weights, some->samples());
    for (const Index j : places) columns.push_back(statistics_of(raw_column(j), counts));
    const ScalingRule of_view = rule.at(names_[to_size(places.front())]);
    const double divisor = divisor_of_indicators(of_view, columns);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const auto at = to_size(places[k]);
      scaling_.divisor[at] = columns[k].constant() ? 0.0 : divisor;
      scaling_.offset[at] = centres(of_view) && !columns[k].constant() ? columns[k].mean : 0.0;
    }
  }
}

double FeatureColumns::given(Index i, Index j) const {
  const Index place = places_[to_size(j)];
  if (place == no_column) return 0.0;
  const double value = sparse_ ? (*sparse_)(i, place) : numbers_(i, place);
  return std::isnan(value) ? missing_cell : value;  // in one notation
}

double FeatureColumns::filled(Index j, double given) const {
  if (is_silent(j)) return scaling_.offset[to_size(j)];
  return std::isnan(given) && !scaling_.fill.empty() ? scaling_.fill[to_size(j)] : given;
}

double FeatureColumns::raw(Index i, Index j) const { return filled(j, given(i, j)); }

Vector FeatureColumns::given_row(Index i) const {
  Vector row(names_.size());
  if (!sparse_) {
    for (Index j = 0; j < length(row); ++j) row[to_size(j)] = given(i, j);
    return row;
  }
  Vector all(to_size(sparse_->cols), 0.0);
  const auto columns = sparse_->columns_of(i);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    all[to_size(columns[k])] = sparse_->values_of(i)[k];
  }
  for (std::size_t j = 0; j < row.size(); ++j) {
    row[j] = places_[j] == no_column ? 0.0 : all[to_size(places_[j])];
  }
  return row;
}

Vector FeatureColumns::given_column(Index j) const {
  Vector column(to_size(samples_), 0.0);
  const Index place = places_[to_size(j)];
  if (!sparse_) {
    for (Index i = 0; i < samples_; ++i) column[to_size(i)] = given(i, j);
  } else if (place != no_column) {
    const auto samples = by_column_.columns_of(place);
    const ConstSpan values = by_column_.values_of(place);
    for (std::size_t k = 0; k < values.size(); ++k) column[to_size(samples[k])] = values[k];
  }
  return column;
}

ColumnValues FeatureColumns::column_values(Index j) const {
  if (!sparse_) return {raw_column(j)};
  const PresentSamples* const some = present(j);
  ColumnValues column;
  column.samples = rows_of(samples_, some);
  if (places_[to_size(j)] == no_column) return column;
  const auto samples = by_column_.columns_of(places_[to_size(j)]);
  const ConstSpan values = by_column_.values_of(places_[to_size(j)]);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const Index row = some == nullptr ? Index{samples[k]} : some->place(samples[k]);
    if (row < 0) continue;
    column.rows.push_back(row);
    column.values.push_back(filled(j, values[k]));
  }
  return column;
}

Vector FeatureColumns::raw_column(Index j) const {
  if (sparse_) {
    const ColumnValues entries = column_values(j);
    Vector column(to_size(entries.samples), 0.0);
    for (std::size_t k = 0; k < entries.rows.size(); ++k) {
      column[to_size(entries.rows[k])] = entries.values[k];
    }
    return column;
  }
  Vector column = given_column(j);
  if (present(j) != nullptr) column = entries_at(column, present(j)->samples());
  for (double& value : column) value = filled(j, value);
  return column;
}

Vector FeatureColumns::scaled_column(Index j) const {
  Vector column = raw_column(j);
  for (std::size_t i = 0; i < column.size(); ++i) {
    column[i] = scaled(sample_of_row(static_cast<Index>(i), present(j)), j, column[i]);
  }
  return column;
}

FeatureRows FeatureColumns::of(const KernelDescription& kernel, bool sparse,
                               const PresentSamples* present) {
  const bool nonnegative = reads_nonnegative(kernel.function);
  const bool product = !kernel.column_weights.empty();
  const bool scaled = product || (!nonnegative && !keeps(kernel.columns, sparse));
  const auto [entry, is_new] =
      cache_.try_emplace({scaled, sparse, present, kernel.columns, kernel.column_weights});
  if (is_new && product) {
    entry->second = weighted(kernel, present);
  } else if (is_new) {
    entry->second = sparse ? gather_sparse(kernel.columns, scaled, present)
                           : gather(kernel.columns, scaled, present);
  }
  if (nonnegative) require_nonnegative(kernel, entry->second, present);
  return entry->second;
}

bool FeatureColumns::keeps(const std::vector<std::string>& columns, bool sparse) const {
  return std::ranges::all_of(columns, [&](const std::string& column) {
    const Index j = position_.at(column);
    return scaling_.keeps(j) || (!sparse && is_silent_as_given(j));
  });
}

bool FeatureColumns::is_silent_as_given(Index j) const {
  if (!is_silent(j) || sparse_ || may_lack_) return false;
  const double value = scaling_.offset[to_size(j)];
  for (Index i = 0; i < samples_; ++i) {
    if (given(i, j) != value) return false;
  }
  return true;
}

double FeatureColumns::scaled(Index i, Index j, double value) const {
  if (is_silent(j)) return scaling_.offset[to_size(j)];
  if (scaling_.root[to_size(j)] && value < 0.0) {
    throw DataError(fmt::format(
        "{}: column '{}' of sample {} is {}, and the model reads its square root; such values were "
        "not in the training data",
        source_, names_[to_size(j)], before_ + i + 1, value));
  }
  return scaling_.at(j, value);
}

std::optional<ConstMatrix> FeatureColumns::as_given(const std::vector<Index>& own) const {
  const auto changed = [&](Index j) { return is_silent(j) && !is_silent_as_given(j); };
  if (sparse_ || may_lack_ || !scaling_.fill.empty() || std::ranges::any_of(own, changed)) {
    return std::nullopt;
  }
  std::vector<Index> places;
  for (const Index j : own) places.push_back(places_[to_size(j)]);
  if (places.empty() || places.front() == no_column || !consecutive(places)) return std::nullopt;
  return numbers_.columns(places.front(), length(places));
}

ConstMatrix FeatureColumns::gather(const std::vector<std::string>& columns, bool is_scaled,
                                   const PresentSamples* present) {
  std::vector<Index> own;
  for (const std::string& column : columns) own.push_back(position_.at(column));
  if (!is_scaled && present == nullptr) {
    if (const auto given = as_given(own)) return *given;
  }
  Matrix chosen(rows_of(samples_, present), length(columns));
  for (Index r = 0; r < chosen.rows; ++r) {
    const Index i = sample_of_row(r, present);
    for (Index c = 0; c < chosen.cols; ++c) {
      const Index j = own[to_size(c)];
      chosen(r, c) = is_scaled ? scaled(i, j) : raw(i, j);
      if (may_lack_ && std::isnan(chosen(r, c))) refuse_value(i, j, chosen(r, c));
    }
  }
  bytes_ += chosen.values.size() * sizeof(double);
  return chosen;
}

/// One column of zeros where no column has weight: the kernel is then 1 for all samples.
ConstMatrix FeatureColumns::weighted(const KernelDescription& kernel,
                                     const PresentSamples* present) {
  Matrix chosen(rows_of(samples_, present), std::max<Index>(1, columns_with_weight(kernel)));
  Index next = 0;
  for (std::size_t c = 0; c < kernel.columns.size(); ++c) {
    const double weight = kernel.column_weights[c];
    if (weight == 0.0) continue;
    const Index j = position_.at(kernel.columns[c]);
    for (Index r = 0; r < chosen.rows; ++r) {
      chosen(r, next) = std::sqrt(weight) * scaled(sample_of_row(r, present), j);
    }
    ++next;
  }
  bytes_ += chosen.values.size() * sizeof(double);
  return chosen;
}

SparseMatrix FeatureColumns::sparse_at(std::span<const Index> samples,
                                       const std::vector<Index>& columns) const {
  std::vector<Index> own(to_size(sparse_->cols), no_column);  // of each column of sparse_
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Index place = places_[to_size(columns[k])];
    if (place != no_column) own[to_size(place)] = static_cast<Index>(k);
  }
  SparseMatrix chosen;
  chosen.cols = length(columns);
  std::vector<std::pair<Index, double>> row;
  for (const Index i : samples) {
    row.clear();
    const auto places = sparse_->columns_of(i);
    for (std::size_t k = 0; k < places.size(); ++k) {
      const Index column = own[to_size(places[k])];
      if (column != no_column) row.emplace_back(column, sparse_->values_of(i)[k]);
    }
    std::ranges::sort(row);
    for (const auto& [column, value] : row) chosen.add(column, value);
    chosen.end_row();
  }
  return chosen;
}

FeatureRows FeatureColumns::gather_sparse(const std::vector<std::string>& columns, bool is_scaled,
                                          const PresentSamples* present) {
  std::vector<Index> own;
  for (const std::string& column : columns) own.push_back(position_.at(column));
  auto chosen = std::make_shared<SparseMatrix>();
  const std::vector<Index> rows = present == nullptr ? all_samples(samples_) : present->samples();
  if (sparse_) {
    *chosen = sparse_at(rows, own);
  } else {
    chosen->cols = length(own);
    for (const Index i : rows) {
      for (std::size_t c = 0; c < own.size(); ++c) {
        chosen->add(static_cast<Index>(c), given(i, own[c]));
      }
      chosen->end_row();
    }
  }
  if (!is_scaled) *chosen = with_silent_values(*chosen, own);
  Vector offset(own.size(), 0.0);
  for (std::size_t c = 0; is_scaled && c < own.size(); ++c) offset[c] = -scaled(0, own[c], 0.0);
  for (Index r = 0; r < length(rows); ++r) {
    const Index i = rows[to_size(r)];
    for (auto k = to_size(chosen->starts[to_size(r)]); k < to_size(chosen->starts[to_size(r) + 1]);
         ++k) {
      const auto c = to_size(chosen->columns[k]);
      double& value = chosen->values[k];
      value = filled(own[c], value);
      if (std::isnan(value)) refuse_value(i, own[c], value);
      if (is_scaled) value = scaled(i, own[c], value) + offset[c];
    }
  }
  bytes_ += chosen->bytes();
  return std::make_shared<const SparseRows>(std::move(chosen), std::move(offset));
}

SparseMatrix FeatureColumns::with_silent_values(const SparseMatrix& chosen,
                                                const std::vector<Index>& own) const {
  const auto is_value = [&](Index j) { return is_silent(j) && scaling_.offset[to_size(j)] != 0.0; };
  if (std::ranges::none_of(own, is_value)) return chosen;
  SparseMatrix whole;
  whole.cols = chosen.cols;
  for (Index r = 0; r < chosen.rows; ++r) {
    std::map<Index, double> row;
    for (std::size_t k = 0; k < chosen.columns_of(r).size(); ++k) {
      row.emplace(chosen.columns_of(r)[k], chosen.values_of(r)[k]);
    }
    for (std::size_t c = 0; c < own.size(); ++c) {
      if (is_value(own[c])) row[static_cast<Index>(c)] = scaling_.offset[to_size(own[c])];
    }
    for (const auto& [column, value] : row) whole.add(column, value);
    whole.end_row();
  }
  return whole;
}

void FeatureColumns::require_finite() const {
  const auto check = [&](Index i, Index j, double value) {
    if (std::isfinite(value)) return;
    const PresentSamples* const own = present(j);
    if (std::isnan(value) && own != nullptr && own->place(i) < 0) return;
    refuse_value(i, j, value);
  };
  if (!sparse_) {
    for (Index i = 0; i < samples_; ++i) {
      for (Index j = 0; j < length(names_); ++j) check(i, j, raw(i, j));
    }
    return;
  }
  // Of sparse numbers the entries are looked at, and only rows that have others than finite ones.
  const auto is_finite = [](double x) { return std::isfinite(x); };
  std::vector<Index> rows;
  for (Index i = 0; i < samples_; ++i) {
    if (!std::ranges::all_of(sparse_->values_of(i), is_finite)) rows.push_back(i);
  }
  const std::vector<Index> all = index_range(0, length(names_));
  constexpr Index at_once = 1024;
  for (Index begin = 0; begin < length(rows); begin += at_once) {
    const auto block = slice(rows, begin, std::min(begin + at_once, length(rows)));
    const SparseMatrix entries = sparse_at(block, all);
    for (Index r = 0; r < entries.rows; ++r) {
      const auto columns = entries.columns_of(r);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        check(block[to_size(r)], columns[k], filled(columns[k], entries.values_of(r)[k]));
      }
    }
  }
}

void FeatureColumns::refuse_value(Index i, Index j, double value) const {
  const bool missing = std::isnan(value);
  throw DataError(fmt::format(
      "{}: column '{}' of sample {} is {}; fill such values in{}, or leave the samples out",
      source_, names_[to_size(j)], before_ + i + 1, missing ? "missing" : fmt::format("{}", value),
      missing ? " or let training do so (missing=mean)" : ""));
}

void FeatureColumns::require_nonnegative(const KernelDescription& kernel, const FeatureRows& values,
                                         const PresentSamples* present) const {
  if (const SparseRows* const sparse = values.sparse()) {
    const SparseMatrix& numbers = sparse->numbers();
    for (Index i = 0; i < numbers.rows; ++i) {
      for (std::size_t k = 0; k < numbers.values_of(i).size(); ++k) {
        const double value = numbers.values_of(i)[k];
        if (!(value >= 0.0)) {
          refuse_negative(kernel, sample_of_row(i, present), numbers.columns_of(i)[k], value);
        }
      }
    }
    return;
  }
  const ConstMatrix& dense = values.dense();
  for (Index i = 0; i < dense.rows; ++i) {
    for (Index j = 0; j < dense.cols; ++j) {
      if (!(dense(i, j) >= 0.0)) {
        refuse_negative(kernel, sample_of_row(i, present), j, dense(i, j));
      }
    }
  }
}

void FeatureColumns::refuse_negative(const KernelDescription& kernel, Index sample, Index column,
                                     double value) const {
  throw DataError(fmt::format(
      "{}: kernel {} needs values >= 0, column '{}' of sample {} is {}; use another kernel or "
      "other columns",
      source_, kernel.name(), kernel.columns[to_size(column)], before_ + sample + 1, value));
}

}  // namespace kernmix
