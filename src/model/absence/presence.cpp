#include "model/absence/presence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/samples.hpp"
#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "model/pipeline.hpp"
#include "model/thresholds/folds.hpp"

namespace kernmix {
namespace {

/// Looks for the values of views in a table.
class ViewCells {
 public:
  explicit ViewCells(const Table& table)
      : samples_(table.samples()), numbers_(table.sparse ? ConstMatrix() : table.numbers()) {
    if (table.sparse) return;  // what a sparse table leaves out is zero
    for (Index j = 0; j < length(table.columns); ++j) place_.emplace(table.columns[to_size(j)], j);
  }

  /// The samples with a value in a column of the view that the table has; all without one.
  [[nodiscard]] PresentSamplesPtr samples_with(const View& view) const {
    std::vector<Index> places;
    for (const std::string& name : view.columns) {
      const auto found = place_.find(name);
      if (found != place_.end()) places.push_back(found->second);
    }
    std::vector<Index> samples;
    for (Index i = 0; i < samples_; ++i) {
      const auto is_missing = [&](Index j) { return std::isnan(numbers_(i, j)); };
      if (places.empty() || !std::ranges::all_of(places, is_missing)) samples.push_back(i);
    }
    return std::make_shared<const PresentSamples>(samples_, std::move(samples));
  }

 private:
  Index samples_;
  ConstMatrix numbers_;
  std::unordered_map<std::string_view, Index> place_;
};

bool has_missing_cells(const Table& table) {
  if (table.sparse) return false;
  const ConstMatrix numbers = table.numbers();
  for (Index i = 0; i < numbers.rows; ++i) {
    const ConstSpan row = numbers.row(i);
    if (std::ranges::any_of(row, [](double value) { return std::isnan(value); })) return true;
  }
  return false;
}

PresentSamplesPtr all_present(Index n) {
  return std::make_shared<const PresentSamples>(n, all_samples(n));
}

bool lacks_some(const PresentSamples& present) { return length(present.samples()) < present.all(); }

/// Views with columns and matrices; the indicators of missing cells tell of other views.
Index count_views(const Dataset& data) {
  const auto own = [](const View& view) { return view.name != missing_view; };
  return std::ranges::count_if(data.views, own) + length(data.matrices);
}

/// Places among `from` samples; {}: all.
std::vector<Index> drawn(Index from, std::uint64_t seed) {
  if (from <= most_origin_samples) return {};
  std::vector<Index> all = all_samples(from);
  std::mt19937_64 engine(seed);
  for (Index i = 0; i < most_origin_samples; ++i) {
    const auto left = static_cast<std::uint64_t>(from - i);
    std::swap(all[to_size(i)], all[to_size(i) + engine() % left]);
  }
  all.resize(to_size(most_origin_samples));
  std::ranges::sort(all);
  return all;
}

std::vector<Index> origin_of(const PresentSamples& present, const std::string& view,
                             const Presences& lacking, std::uint64_t seed) {
  const Presence* const given = presence_of(view, lacking);
  if (given == nullptr || given->origin.empty()) {
    return entries_at(present.samples(), drawn(length(present.samples()), seed));
  }
  std::vector<Index> origin;
  for (const Index i : given->origin) {
    if (i < present.all() && present.place(i) >= 0) origin.push_back(i);
  }
  std::ranges::sort(origin);
  return origin == present.samples() ? std::vector<Index>() : origin;
}

/// The samples that lack none.
PresentSamplesPtr common_samples(Index n, const std::vector<PresentSamplesPtr>& all) {
  std::vector<Index> common;
  for (Index i = 0; i < n; ++i) {
    const auto has = [&](const PresentSamplesPtr& own) { return own->place(i) >= 0; };
    if (std::ranges::all_of(all, has)) common.push_back(i);
  }
  return std::make_shared<const PresentSamples>(n, std::move(common));
}

void require_two(const Presence& own, const Table& table) {
  const Index count = length(own.present->samples());
  if (count >= 2) return;
  const std::string has =
      fmt::format("{}{} training sample has", table.columns.empty() ? "" : table.source + ": ",
                  count == 0 ? "no" : "one");
  throw DataError(
      own.view.name == all_views
          ? fmt::format("{} all views, which kernels on 'all' read; use kernels on each view", has)
          : fmt::format("{} view '{}', and its kernels need two: leave the view out", has,
                        own.view.name));
}

/// Prediction finds the samples that lack a view only if kernels read its columns.
void require_views_of_indicators(const Table& table, const std::vector<KernelDescription>& kernels,
                                 const std::set<std::string>& read) {
  std::set<std::string> columns;
  for (const KernelDescription& kernel : kernels) {
    columns.insert(kernel.columns.begin(), kernel.columns.end());
  }
  for (const Indicators& own : table.indicators) {
    if (!own.values.empty() || !columns.contains(own.names().front())) continue;
    for (const std::string& view : own.views) {
      if (read.contains(view)) continue;
      throw ParameterError(
          fmt::format("a kernel reads '{}', and no kernel reads view '{}', which some samples "
                      "lack: add a kernel on this view, or leave the view out",
                      own.names().front(), view));
    }
  }
}

}  // namespace

PresentSamplesPtr samples_with(const Table& table, const View& view) {
  return ViewCells(table).samples_with(view);
}

PresentSamplesPtr samples_with(const MatrixView& view) {
  if (!view.present) return all_present(view.matrix.rows());
  return std::make_shared<const PresentSamples>(view.matrix.rows(), *view.present);
}

std::vector<Presence> incomplete_views(const Dataset& data) {
  std::vector<Presence> incomplete;
  if (count_views(data) < 2 && data.incomplete.empty()) return incomplete;
  const std::set<std::string> known(data.incomplete.begin(), data.incomplete.end());
  const auto add = [&](const View& view, PresentSamplesPtr present) {
    if (!known.contains(view.name) && !lacks_some(*present)) return;
    incomplete.push_back({view, std::move(present)});
  };
  if (!known.empty() || has_missing_cells(data.table)) {
    const ViewCells cells(data.table);
    for (const View& view : data.views) add(view, cells.samples_with(view));
  }
  for (const MatrixView& view : data.matrices) add({view.name, {}}, samples_with(view));
  return incomplete;
}

std::vector<Index> samples_with_view(const Dataset& data, const std::string& view) {
  const auto of_table = std::ranges::find(data.views, view, &View::name);
  if (of_table != data.views.end()) return samples_with(data.table, *of_table)->samples();
  return samples_with(find_matrix(data.matrices, view))->samples();
}

std::vector<Index> samples_with_all_views(const Dataset& data) {
  const Index n = sample_count(data.table, data.matrices);
  std::vector<PresentSamplesPtr> all;
  for (Presence& own : incomplete_views(data)) all.push_back(std::move(own.present));
  return common_samples(n, all)->samples();
}

Dataset complete_part(const Dataset& data, const std::vector<Index>& samples) {
  Dataset complete = samples_at(data, samples);
  complete.incomplete.clear();
  return complete;
}

namespace {

/// What samples lack: a sentence for each such view, and the number of views for each sample.
struct LackedViews {
  std::vector<std::string> sentences;
  std::vector<Index> counts;
};

LackedViews lacked_views(const Dataset& data) {
  const Index n = sample_count(data.table, data.matrices);
  LackedViews lacked{{}, std::vector<Index>(to_size(n), 0)};
  for (const Presence& own : incomplete_views(data)) {
    if (own.view.name == missing_view) continue;
    for (Index i = 0; i < n; ++i) lacked.counts[to_size(i)] += own.present->place(i) < 0 ? 1 : 0;
    const Index absent = n - length(own.present->samples());
    if (absent > 0) {
      lacked.sentences.push_back(
          fmt::format("{} of {} samples lack view '{}'", absent, n, own.view.name));
    }
  }
  return lacked;
}

[[noreturn]] void refuse_lacked(std::vector<std::string> sentences, AbsentRule rule) {
  constexpr std::size_t shown_views = 3;
  const std::size_t more = sentences.size() - std::min(sentences.size(), shown_views);
  sentences.resize(sentences.size() - more);
  throw DataError(fmt::format(
      "{}{}: leave these samples out{}, or let them learn from the views that they have "
      "(absent=keep)",
      comma_list(sentences),
      more > 0 ? fmt::format(" (and {} more view{})", more, more == 1 ? "" : "s") : "",
      rule == AbsentRule::refuse ? " (absent=drop)" : ""));
}

/// \throws DataError if a sample lacks all views
void refuse_samples_without_views(const Dataset& data, const std::vector<Index>& counts) {
  const Index n = length(counts);
  const Index most = count_views(data);
  const auto none = std::ranges::find(counts, most);
  if (none == counts.end()) return;
  const Index count = std::ranges::count(counts, most);
  const Index first = none - counts.begin();
  throw DataError(fmt::format(
      "{}{} of {} samples {} none of the views, for example sample {}{}: leave {} out",
      data.table.columns.empty() ? "" : data.table.source + ": ", count, n,
      count == 1 ? "has" : "have", first + 1,
      data.table.ids.empty() ? "" : fmt::format(" ({})", data.table.ids[to_size(first)]),
      count == 1 ? "it" : "them"));
}

}  // namespace

void check_absence(const Dataset& data, AbsentRule rule) {
  LackedViews lacked = lacked_views(data);
  if (lacked.sentences.empty()) return;
  if (rule != AbsentRule::keep) refuse_lacked(std::move(lacked.sentences), rule);
  refuse_samples_without_views(data, lacked.counts);
}

ColumnSamples::ColumnSamples(const Dataset& data) {
  for (Presence& own : incomplete_views(data)) {
    of_view_[own.view.name] = std::move(own.present);
    for (const std::string& column : own.view.columns) {
      views_of_column_[column].push_back(own.view.name);
    }
  }
  for (const View& view : data.views) {
    if (of_view_.contains(view.name)) continue;
    for (const std::string& column : view.columns) views_of_column_.erase(column);
  }
}

const std::vector<std::string>& ColumnSamples::views(const std::string& column) const {
  static const std::vector<std::string> none;
  const auto found = views_of_column_.find(column);
  return found == views_of_column_.end() ? none : found->second;
}

PresentSamplesPtr ColumnSamples::with_some(const std::vector<std::string>& views) const {
  const auto [known, is_new] = of_several_.try_emplace(views);
  if (!is_new) return known->second;
  std::set<Index> samples;
  Index n = 0;
  for (const std::string& view : views) {
    const auto own = of_view_.find(view);
    if (own == of_view_.end()) continue;
    n = own->second->all();
    samples.insert(own->second->samples().begin(), own->second->samples().end());
  }
  if (n > 0) {
    known->second = std::make_shared<const PresentSamples>(
        n, std::vector<Index>(samples.begin(), samples.end()));
  }
  return known->second;
}

void refuse_new_absence(const Table& fresh, const std::vector<ScaledView>& views,
                        const std::vector<std::string>& columns, const std::vector<View>& lacking) {
  if (views.size() + lacking.size() < 2 || !has_missing_cells(fresh)) return;
  const ViewCells cells(fresh);
  const std::set<std::string> read(columns.begin(), columns.end());
  for (const ScaledView& view : views) {
    if (std::ranges::find(lacking, view.view, &View::name) != lacking.end()) continue;
    View own{view.view, {}};
    std::ranges::copy_if(view.columns, std::back_inserter(own.columns),
                         [&](const std::string& name) { return read.contains(name); });
    const PresentSamplesPtr present = cells.samples_with(own);
    if (!lacks_some(*present)) continue;
    Index i = 0;
    while (present->place(i) >= 0) ++i;
    throw DataError(fmt::format(
        "{}: sample {}{} lacks view '{}', which every training sample has: the model cannot "
        "predict without it; train with some samples that lack it (absent=keep), or leave the "
        "sample out",
        fresh.source, i + 1, fresh.ids.empty() ? "" : fmt::format(" ({})", fresh.ids[to_size(i)]),
        view.view));
  }
}

Presences find_presences(const Table& table, const std::vector<MatrixView>& matrices,
                         const Presences& lacking, const std::vector<KernelDescription>& kernels,
                         std::uint64_t seed) {
  std::set<std::string> read;
  for (const KernelDescription& kernel : kernels) read.insert(kernel.view);
  const bool reads_all = read.contains(all_views);
  Presences presences;
  if (lacking.empty()) return presences;
  if (!reads_all) require_views_of_indicators(table, kernels, read);
  const ViewCells cells(table);
  const auto add = [&](const View& view, PresentSamplesPtr present) {
    Presence own{view, std::move(present)};
    require_two(own, table);
    own.origin = origin_of(*own.present, view.name, lacking, seed);
    presences.push_back(std::move(own));
  };
  for (const Presence& own : lacking) {
    const View& view = own.view;
    if (view.name == all_views) continue;  // below
    if (view.columns.empty()) {
      const auto matrix = std::ranges::find(matrices, view.name, &MatrixView::name);
      if (matrix != matrices.end() && read.contains(view.name)) add(view, samples_with(*matrix));
    } else if (reads_all || read.contains(view.name)) {
      add(view, cells.samples_with(view));
    }
  }
  std::vector<PresentSamplesPtr> of_columns;
  for (const Presence& own : presences) {
    if (!own.view.columns.empty()) of_columns.push_back(own.present);
  }
  if (reads_all && !of_columns.empty()) {
    add({all_views, {}}, common_samples(table.samples(), of_columns));
  }
  return presences;
}

Presences new_presences(const Table& fresh, const std::vector<MatrixView>& matrices,
                        const std::vector<View>& lacking) {
  Presences found;
  if (lacking.empty()) return found;
  const ViewCells cells(fresh);
  std::vector<PresentSamplesPtr> of_columns;
  for (const View& view : lacking) {
    if (view.name == all_views) {
      found.push_back({view, common_samples(fresh.samples(), of_columns)});
    } else if (view.columns.empty()) {
      const auto matrix = std::ranges::find(matrices, view.name, &MatrixView::name);
      if (matrix != matrices.end()) found.push_back({view, samples_with(*matrix), {}});
    } else {
      of_columns.push_back(cells.samples_with(view));
      found.push_back({view, of_columns.back()});
    }
  }
  return found;
}

const Presence* presence_of(const std::string& view, const Presences& presences) {
  const auto found = std::ranges::find_if(
      presences, [&](const Presence& presence) { return presence.view.name == view; });
  return found == presences.end() ? nullptr : &*found;
}

const PresentSamples* samples_of(const Presence* presence) {
  return presence == nullptr ? nullptr : presence->present.get();
}

}  // namespace kernmix
