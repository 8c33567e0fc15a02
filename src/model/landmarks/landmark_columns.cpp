// Given matrices of the columns of landmarks, C = K[:, P]: training takes them
// for their Nystroem kernel
//
//   K~ = C A^-1 C' = F F',   A = C[P, :] + jitter I = L L',   F = C L^-T,
//
// which has the columns C at the landmarks if K is positive semidefinite.

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/linear_algebra.hpp"
#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/text.hpp"
#include "kernel/landmark_source.hpp"
#include "kernmix/error.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/train.hpp"
#include "model/file/fingerprint.hpp"
#include "model/landmarks/factor_matrix.hpp"
#include "model/landmarks/landmarks.hpp"
#include "model/named_matrices.hpp"
#include "model/thresholds/folds.hpp"

namespace kernmix {
namespace {

using IdList = std::vector<std::string>;

bool has_columns_only(const MatrixView& view, std::size_t landmarks) {
  const Index columns = view.matrix.cols();
  return view.kind == KernelInput::gram && columns == static_cast<Index>(landmarks) &&
         columns < view.matrix.rows();
}

bool are_names(const IdList& names) { return !names.empty() && !only_count(names); }

/// The ids of its columns: their names, or the list.
const IdList& ids_of_columns(const MatrixView& view, const IdList& listed) {
  const IdList& names = view.matrix.names().columns;
  if (!are_names(names)) return listed;
  const auto missing = std::ranges::find_if(
      listed, [&](const std::string& id) { return std::ranges::find(names, id) == names.end(); });
  if (missing == listed.end()) return names;
  throw DataError(
      fmt::format("matrix '{}' has no column of the landmark {}: name its columns by the ids of "
                  "the landmarks, or not at all",
                  view.name, in_quotes(*missing)));
}

/// The column of each row that is a landmark; no_place for others.
std::vector<Index> columns_of_rows(const MatrixView& view, const IdList& rows,
                                   const IdList& columns) {
  std::unordered_map<std::string_view, Index> column;
  for (Index p = 0; p < length(columns); ++p) column.emplace(columns[to_size(p)], p);
  std::vector<Index> places;
  Index found = 0;
  for (const std::string& row : rows) {
    const auto own = column.find(row);
    places.push_back(own == column.end() ? no_place : own->second);
    found += own == column.end() ? 0 : 1;
  }
  if (found == length(columns)) return places;
  throw DataError(
      fmt::format("matrix '{}' has {} columns of landmarks and {} rows of them: each landmark must "
                  "be one of the training samples, once",
                  view.name, columns.size(), found));
}

/// Predictions need their columns in the order of the samples.
void require_order(const MatrixView& view, const std::vector<Index>& places) {
  Index last = -1;
  for (const Index place : places) {
    if (place == no_place) continue;
    if (place < last) {
      throw DataError(
          fmt::format("matrix '{}' has no names of columns, which are then in the order of the "
                      "samples: list the landmarks in that order",
                      view.name));
    }
    last = place;
  }
}

/// The matrix between all of its rows, with zeros in all columns but those of the landmarks.
void widen(const IdList& listed, const Table& table, MatrixView& view) {
  const MatrixNames names = view.matrix.names();
  const IdList& rows = are_names(names.rows) ? names.rows : table.ids;
  if (length(rows) != view.matrix.rows()) {
    throw DataError(
        fmt::format("matrix '{}' has columns of landmarks, which are found by the ids of its {} "
                    "rows, and there are {} ids: name its rows, or the column of ids (--id)",
                    view.name, view.matrix.rows(), rows.size()));
  }
  const std::vector<Index> places = columns_of_rows(view, rows, ids_of_columns(view, listed));
  if (!are_names(names.columns)) require_order(view, places);
  view.matrix = part_of_matrix(view.matrix, all_samples(view.matrix.rows()), places);
  if (are_names(names.rows)) view.matrix.set_names({names.rows, names.rows});
}

void require_definite(const LandmarkSource& source, const std::string& name) {
  constexpr double most_asymmetry = 1e-8;       // of the largest entry of the diagonal, as in
  constexpr double most_indefiniteness = 1e-6;  // the check of whole matrices
  const std::vector<Index>& landmarks = source.landmarks();
  RowMatrix A(source.columns(), source.columns());
  source.cross(landmarks, as_span(A));
  const double size = A.diagonal().cwiseAbs().maxCoeff();
  const double asymmetry = (A - A.transpose()).cwiseAbs().maxCoeff();
  if (asymmetry > most_asymmetry * size) {
    throw DataError(
        fmt::format("matrix '{}' is not symmetric between its landmarks: entries differ by {:.3g}",
                    name, asymmetry));
  }
  if (source.jitter() > most_indefiniteness * size && size > 0.0) {
    throw DataError(
        fmt::format("matrix '{}' is not positive semidefinite between its landmarks: give another "
                    "one, or all columns with --landmarks none and --repair clip, shift or flip",
                    name));
  }
}

void require_room_of_factor(const MatrixView& view, const Context& context) {
  const auto n = static_cast<double>(view.matrix.rows());
  const auto R = static_cast<double>(view.matrix.cols());
  const double bytes = sizeof(double) * R * (n + 3.0 * R);
  if (has_room(context, bytes)) return;
  throw ResourceError(
      fmt::format("the factor of matrix '{}', {} x {}, takes {}, more than the memory budget of {} "
                  "(--memory): give fewer landmarks, or allow more memory",
                  view.name, view.matrix.rows(), view.matrix.cols(), memory_text(bytes),
                  memory_text(context.memory_bytes)));
}

/// F F' from widen().
GivenMatrix completed(const MatrixView& view, const std::vector<Index>& landmarks,
                      const Context& context) {
  constexpr Index rows_at_once = 256;
  const Index n = view.matrix.rows();
  const KernelSourcePtr wide =
      matrix_source({"precomputed", {}}, view.matrix, Vector(to_size(n), 0.0), view.name);
  const KernelSourcePtr nystroem =
      landmark_sources({wide}, landmarks, {view.name}, context).front();
  const LandmarkSource& source = *nystroem->by_landmarks();
  require_definite(source, view.name);
  Matrix F(n, source.columns());
  parallel_blocks(context, n, rows_at_once, [&](Index, Index begin, Index end) {
    stop_if_asked(context);
    source.factor(
        index_range(begin, end),
        MutableSpan(F.values).subspan(to_size(begin * F.cols), to_size((end - begin) * F.cols)));
  });
  const GivenMatrix columns = part_of_matrix(view.matrix, all_samples(n), landmarks);
  return matrix_of_factor({std::move(F), facts_of(columns, context).digest});
}

std::vector<Index> places_of_ids(const IdList& ids, const Table& table) {
  std::unordered_map<std::string_view, Index> place;
  for (Index i = 0; i < length(table.ids); ++i) place.emplace(table.ids[to_size(i)], i);
  std::vector<Index> found;
  for (const std::string& id : ids) {
    const auto own = place.find(id);
    if (own == place.end()) {
      throw DataError(no_training_sample(id, table));
    }
    found.push_back(own->second);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace

void join_training_matrices(Dataset& data, const LandmarkRule& landmarks, const Context& context) {
  std::vector<std::size_t> widened;
  IdList listed;
  if (landmarks.choice == LandmarkRule::Choice::listed && !data.matrices.empty()) {
    listed = listed_ids(landmarks, context);
  }
  for (std::size_t k = 0; k < data.matrices.size(); ++k) {
    MatrixView& view = data.matrices[k];
    if (listed.empty() || !has_columns_only(view, listed.size())) continue;
    require_room_of_factor(view, beside(context, held_bytes(data)));
    widen(listed, data.table, view);
    widened.push_back(k);
  }
  join_training_matrices(data, context);
  if (widened.empty()) return;
  const std::vector<Index> places = places_of_ids(listed, data.table);
  for (const std::size_t k : widened) {
    MatrixView& view = data.matrices[k];
    if (view.present) {
      throw DataError(fmt::format(
          "matrix '{}' has columns of landmarks and must have a row for each sample", view.name));
    }
    view.matrix = completed(view, places, context);
  }
}

}  // namespace kernmix
