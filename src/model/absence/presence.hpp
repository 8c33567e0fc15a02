#pragma once
/// \file
/// Samples that lack a view.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// At most this number of samples define the origin of a view that some samples lack.
inline constexpr Index most_origin_samples = 1000;

/// A view that some samples lack, and where they are.
struct Presence {
  View view;                  ///< without columns: a matrix
  PresentSamplesPtr present;  ///< among the training samples
  /// The samples whose mean is the origin, places in present->samples(), ascending; {}: all.
  std::vector<Index> origin;
};
using Presences = std::vector<Presence>;

/// A view that some samples lack, before they are looked for.
struct LackingView {
  View view;  ///< without columns: a matrix
  /// Samples whose mean is the origin, ascending; {}: all, or as many as are allowed, by the seed.
  std::vector<Index> origin = {};
};

/// Of incomplete_views().
[[nodiscard]] std::vector<LackingView> views_lacking(const Dataset& data);

/// The samples of the table that have the view: those with a value in some column of it that the
/// table has.
[[nodiscard]] PresentSamplesPtr samples_with(const Table& table, const View& view);
[[nodiscard]] PresentSamplesPtr samples_with(const MatrixView& view);

/// The presence of the views that kernels read. Kernels on `all` have those samples that lack none
/// of the views.
/// \param lacking  views that some samples lack, as of incomplete_views()
/// \throws DataError for a view that fewer than two samples have
[[nodiscard]] Presences find_presences(const Table& table, const std::vector<MatrixView>& matrices,
                                       const std::vector<LackingView>& lacking,
                                       const std::vector<KernelDescription>& kernels,
                                       std::uint64_t seed);

/// The presence of the view of this name; null: all samples have it.
[[nodiscard]] const Presence* presence_of(const std::string& view, const Presences& presences);

/// Their samples; null without a presence.
[[nodiscard]] const PresentSamples* samples_of(const Presence* presence);

/// The new samples that have each view of `lacking`, in which `all` is the last if kernels read it;
/// matrices that are not among `matrices` are left out. They have no origin.
/// \param matrices  of the new samples, with the names of the training matrices
[[nodiscard]] Presences new_presences(const Table& fresh, const std::vector<MatrixView>& matrices,
                                      const std::vector<View>& lacking);

/// The samples that have the view of a column, by the first view that has it; none: all. The names
/// are those of `data`, which must not change.
using ViewSamples = std::map<std::string_view, PresentSamplesPtr>;
[[nodiscard]] ViewSamples samples_with_columns(const Dataset& data,
                                               const std::vector<IncompleteView>& incomplete);
/// Null: all.
[[nodiscard]] PresentSamplesPtr present_in(const ViewSamples& samples, const std::string& column);

/// \throws DataError naming the first new sample without any value in a view that every training
/// sample has
void refuse_new_absence(const Table& fresh, const std::vector<ScaledView>& views,
                        const std::vector<std::string>& columns, const std::vector<View>& lacking);

/// \throws DataError as TrainOptions::absent asks for, and for a sample that has no view at all
void check_absence(const Dataset& data, AbsentRule rule);

}  // namespace kernmix
