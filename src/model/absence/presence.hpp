#pragma once
/// \file
/// Samples that lack a view.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// At most this number of samples define the origin of a view that some samples lack.
inline constexpr Index most_origin_samples = 1000;

/// Of views that some samples lack.
using Presences = std::vector<Presence>;

/// The samples of the table that have the view: those with a value in some column of it that the
/// table has.
[[nodiscard]] PresentSamplesPtr samples_with(const Table& table, const View& view);
[[nodiscard]] PresentSamplesPtr samples_with(const MatrixView& view);

/// The presence of the views that kernels read. Kernels on `all` have those samples that lack none
/// of the views.
/// \param lacking  views that some samples may lack, as of incomplete_views(). Their samples are
/// looked for in the data; an origin of {} is that of all, or of as many as are allowed, by the
/// seed \throws DataError for a view that fewer than two samples have; ParameterError for a kernel
/// on indicators of missing cells of such a view if no kernel reads the view
[[nodiscard]] Presences find_presences(const Table& table, const std::vector<MatrixView>& matrices,
                                       const Presences& lacking,
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

/// Which samples have the columns of a data set: those that have some view of the column.
class ColumnSamples {
 public:
  explicit ColumnSamples(const Dataset& data);
  /// The views of a column if all of them are incomplete; otherwise none.
  [[nodiscard]] const std::vector<std::string>& views(const std::string& column) const;
  /// The samples that have one of these views; null: all, also if no view is incomplete.
  [[nodiscard]] PresentSamplesPtr with_some(const std::vector<std::string>& views) const;
  /// The samples that have the column; null: all.
  [[nodiscard]] PresentSamplesPtr with(const std::string& column) const {
    return with_some(views(column));
  }

 private:
  std::map<std::string, PresentSamplesPtr> of_view_;
  std::map<std::string, std::vector<std::string>> views_of_column_;
  mutable std::map<std::vector<std::string>, PresentSamplesPtr> of_several_;  ///< found before
};

/// \throws DataError naming the first new sample without any value in a view that every training
/// sample has
void refuse_new_absence(const Table& fresh, const std::vector<ScaledView>& views,
                        const std::vector<std::string>& columns, const std::vector<View>& lacking);

/// \throws DataError as TrainOptions::absent asks for, and for a sample that has no view at all
void check_absence(const Dataset& data, AbsentRule rule);

}  // namespace kernmix
