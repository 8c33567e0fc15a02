#include "data.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "kernmix/error.hpp"
#include "kernmix/matrix_files.hpp"
#include "kernmix/sets.hpp"
#include "matrix_in_file.hpp"
#include "part_of_array.hpp"
#include "run.hpp"

namespace kernmix::python {
namespace {

using Names = std::vector<std::string>;
using LabelsArgument = nb::ndarray<const bool, nb::ndim<2>, nb::device::cpu>;

KernelInput parse_kind(const std::string& kind) {
  if (kind == "gram") return KernelInput::gram;
  if (kind == "distance") return KernelInput::distance;
  throw ParameterError("the kind of a matrix must be gram or distance, got '" + kind + "'");
}

/// Labels and ids stay.
void replace_numbers(Data& data, Table table) {
  check_table(table);
  Table& own = data.edit().table;
  table.labels = std::move(own.labels);
  table.label_type = std::move(own.label_type);
  table.multi_labels = std::move(own.multi_labels);
  table.targets = std::move(own.targets);
  table.ids = std::move(own.ids);
  own = std::move(table);
}

void set_table(Data& data, const MatrixArgument& values, Names columns, std::string source) {
  Table table;
  table.source = std::move(source);
  table.columns = std::move(columns);
  table.borrowed = borrowed(values, table.source);
  table.values.rows = table.borrowed.rows;
  replace_numbers(data, std::move(table));
}

using EntriesArgument = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using EntryColumns = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using StartsArgument = nb::ndarray<const Index, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void set_sparse_table(Data& data, const EntriesArgument& values, const EntryColumns& indices,
                      const StartsArgument& indptr, Names columns, std::string source) {
  auto sparse = std::make_shared<SparseMatrix>();
  sparse->rows = static_cast<Index>(indptr.shape(0)) - 1;
  sparse->cols = length(columns);
  sparse->starts.assign(indptr.data(), indptr.data() + indptr.shape(0));
  sparse->columns.assign(indices.data(), indices.data() + indices.shape(0));
  sparse->values.assign(values.data(), values.data() + values.shape(0));
  Table table;
  table.source = std::move(source);
  table.columns = std::move(columns);
  table.sparse = std::move(sparse);
  replace_numbers(data, std::move(table));
}

/// Matrices with the columns of the landmarks alone become their Nystroem kernels.
void join_landmark_columns(Data& data, Names ids, std::optional<std::size_t> memory,
                           std::optional<double> time_limit) {
  LandmarkRule rule;
  rule.choice = LandmarkRule::Choice::listed;
  rule.ids = std::move(ids);
  Dataset& own = data.edit();
  Run run({1, memory, time_limit});
  run([&] { join_training_matrices(own, rule, run.context()); });
  run.rethrow();
}

/// Columns of the table whose numbers are places of words.
void set_words(Data& data, const std::map<std::string, Names>& words) {
  Table& table = data.edit().table;
  for (const auto& [column, values] : words) table.categories.push_back({column, values, true});
}

void indicate(Data& data, const std::string& missing, std::optional<std::size_t> memory,
              std::optional<double> time_limit) {
  const MissingRule rule = parse_missing_rule(missing);
  Dataset& own = data.edit();
  Run run({1, memory, time_limit});
  run([&] { make_indicators(own, rule, run.context()); });
  run.rethrow();
}

/// \returns sentences on words that training did not see
Names indicate_as(Data& data, const Model& model, std::optional<std::size_t> memory,
                  std::optional<double> time_limit) {
  Dataset& own = data.edit();
  std::vector<Indicators> known;
  for (const Indicators& one : model.indicators) {
    if (std::ranges::find(own.table.columns, one.column) != own.table.columns.end()) {
      known.push_back(one);
    }
  }
  if (own.views.empty()) {
    std::vector<View> lacking;
    for (const ModelPresence& one : model.presences) lacking.push_back(one.view);
    expect_absence(own, lacking, model.indicators);
  }
  Run run({1, memory, time_limit});
  run([&] { make_indicators(own, known, run.context()); });
  run.rethrow();
  return own.table.notes;
}

/// The rows with some number, ascending: samples that have the matrix. nullopt: all of them.
std::optional<std::vector<Index>> rows_with_numbers(const ConstMatrix& whole,
                                                    const std::vector<Index>& rows,
                                                    const std::vector<Index>& columns) {
  std::vector<Index> present;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto is_number = [&](Index column) { return !std::isnan(whole(rows[i], column)); };
    if (std::ranges::any_of(columns, is_number)) present.push_back(static_cast<Index>(i));
  }
  if (present.size() == rows.size()) return std::nullopt;
  return present;
}

using PlacesArgument = nb::ndarray<const Index, nb::ndim<1>, nb::device::cpu>;

/// Those that are named, or all `count`.
std::vector<Index> places_of(const std::optional<PlacesArgument>& some, Index count) {
  std::vector<Index> places(some ? some->shape(0) : to_size(count));
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = some ? (*some)(i) : static_cast<Index>(i);
  }
  return places;
}

void add_matrix(Data& data, std::string name, const std::string& kind, const MatrixArgument& values,
                const std::optional<PlacesArgument>& rows,
                const std::optional<PlacesArgument>& columns) {
  MatrixView view{std::move(name), parse_kind(kind), {}};
  ConstMatrix whole = borrowed(values, view.name);
  std::vector<Index> left = places_of(rows, whole.rows);
  std::vector<Index> right = places_of(columns, whole.cols);
  require_places(left, whole.rows, "rows", view.name);
  require_places(right, whole.cols, "columns", view.name);
  view.present = rows_with_numbers(whole, left, right);
  if (rows || columns) {
    view.matrix = part_of_array(std::move(whole), std::move(left), std::move(right), view.name);
  } else {
    view.matrix = GivenMatrix(std::move(whole));
  }
  data.edit().matrices.push_back(std::move(view));
}

void add_mapped_matrix(Data& data, std::string name, const std::string& kind,
                       const nb::object& file, std::uint64_t offset,
                       const std::tuple<Index, Index, Index>& layout,
                       const std::optional<PlacesArgument>& rows,
                       const std::optional<PlacesArgument>& columns) {
  const auto [count, width, stride] = layout;
  MatrixView view{std::move(name), parse_kind(kind), {}};
  const FilePlace place{path_of(file), offset, count, width, stride};
  view.matrix = matrix_in_file(place, places_of(rows, count), places_of(columns, width), view.name);
  data.edit().matrices.push_back(std::move(view));
}

/// A matrix that will be given later: what does not read it can be checked before.
class AnnouncedMatrix final : public MatrixReader {
 public:
  explicit AnnouncedMatrix(Index n) : n_(n) {}
  [[nodiscard]] Index rows() const override { return n_; }
  [[nodiscard]] Index cols() const override { return n_; }
  void block(std::span<const Index>, std::span<const Index>, MutableSpan) const override {
    throw DataError("a matrix was announced and is not there yet");
  }

 private:
  Index n_;
};

void announce_matrix(Data& data, std::string name, Index n) {
  data.edit().matrices.push_back(
      {std::move(name), KernelInput::gram,
       std::shared_ptr<const MatrixReader>(std::make_shared<const AnnouncedMatrix>(n))});
}

Names add_matrix_file(Data& data, const std::string& name, const std::string& kind,
                      const nb::object& path) {
  const KernelInput input = parse_kind(kind);
  Names names;
  for (MatrixInFile& one : open_matrix_file(name + "=" + path_of(path))) {
    names.push_back(one.name);
    data.edit().matrices.push_back({one.name, input, std::move(one.matrix)});
  }
  return names;
}

using NamedSets = std::vector<std::pair<std::string, Names>>;
using Sizes = std::vector<std::tuple<std::string, Index, Index>>;

/// The views of sets, the size of each set, and what training warns of.
std::tuple<NamedSets, Sizes, Names> views_of(const ColumnSets& sets, const Names& columns,
                                             const std::string& source) {
  Table table;
  table.source = source;
  table.columns = columns;
  SetViews found = views_of_sets(sets, table);
  NamedSets views;
  for (View& view : found.views) {
    views.emplace_back(std::move(view.name), std::move(view.columns));
  }
  Sizes sizes;
  for (const SetSize& set : found.sizes) sizes.emplace_back(set.name, set.matched, set.named);
  return {std::move(views), std::move(sizes), std::move(found.warnings)};
}

void bind_sets(nb::module_& module) {
  module.def(
      "views_of_sets",
      [](NamedSets sets, const Names& columns, const std::string& source) {
        ColumnSets own;
        own.source = "groups";
        for (auto& [name, members] : sets) own.sets.push_back({std::move(name), members});
        return views_of(own, columns, source);
      },
      nb::arg("sets"), nb::arg("columns"), nb::arg("source") = "X",
      "A view for each set with a known name: the views, (name, matched, named) of each set, and "
      "warnings.");
  module.def(
      "views_of_sets_in",
      [](const nb::object& path, const Names& columns, const std::string& source) {
        return views_of(read_sets(path_of(path)), columns, source);
      },
      nb::arg("path"), nb::arg("columns"), nb::arg("source") = "X",
      "The same with the sets of a GMT file.");
}

using NumbersArgument = nb::ndarray<const double, nb::device::cpu>;

void set_numbers(Data& data, const NumbersArgument& y, std::optional<Names> names) {
  if (y.ndim() != 1 && y.ndim() != 2) {
    throw ParameterError("y must have one dimension or two, got " + std::to_string(y.ndim()));
  }
  TargetNumbers targets;
  targets.values =
      Matrix(static_cast<Index>(y.shape(0)), y.ndim() == 2 ? static_cast<Index>(y.shape(1)) : 1);
  for (Index i = 0; i < targets.values.rows; ++i) {
    for (Index t = 0; t < targets.values.cols; ++t) {
      targets.values(i, t) = y.data()[i * y.stride(0) + (y.ndim() == 2 ? t * y.stride(1) : 0)];
    }
  }
  if (names) targets.names = std::move(*names);
  data.edit().table.targets = std::move(targets);
}

void set_multilabel(Data& data, const LabelsArgument& y, Names names) {
  if (y.shape(1) != names.size()) {
    throw ParameterError("there are " + std::to_string(names.size()) + " names for " +
                         std::to_string(y.shape(1)) + " labels");
  }
  MultiLabels labels;
  labels.names = std::move(names);
  for (std::size_t i = 0; i < y.shape(0); ++i) {
    for (std::size_t t = 0; t < y.shape(1); ++t) labels.values.push_back(y(i, t) ? 1 : 0);
  }
  data.edit().table.multi_labels = std::move(labels);
}

Index samples(const Data& data) {
  const Dataset& set = *data;
  if (set.table.columns.empty() && !set.matrices.empty()) return set.matrices.front().matrix.rows();
  return set.table.samples();
}

std::map<std::string, std::uintptr_t> addresses(const Data& data) {
  const auto address = [](const ConstMatrix& matrix) {
    return reinterpret_cast<std::uintptr_t>(matrix.values.data());
  };
  std::map<std::string, std::uintptr_t> all = {{"", address((*data).table.numbers())}};
  for (const MatrixView& view : (*data).matrices) {
    if (const ConstMatrix* const memory = view.matrix.in_memory())
      all[view.name] = address(*memory);
  }
  return all;
}

}  // namespace

Dataset& Data::edit() {
  shared_.reset();
  if (own_.use_count() > 1) own_ = std::make_shared<Dataset>(*own_);
  shared_ = own_;
  return *own_;
}

void bind_data(nb::module_& module) {
  module.def("is_better_sparse", is_better_sparse, nb::arg("entries"), nb::arg("rows"),
             nb::arg("cols"), "Whether a table with this number of entries is stored as sparse.");
  module.def(
      "novelty_labels",
      [](const Names& labels, const std::string& inlier) {
        const auto found = NoveltyLabels::find(labels, inlier);
        using Found = std::tuple<std::string, std::string, bool>;
        return found ? std::optional<Found>(
                           {found->classes.negative, found->classes.positive, found->guessed})
                     : std::nullopt;
      },
      nb::arg("labels"), nb::arg("inlier") = "",
      "The label of the outliers, that of the inliers, and whether these were guessed by their "
      "number; None where there are not two labels.");
  nb::class_<Data>(module, "Data",
                   "Samples with their views, as train, predict and verify read them.")
      .def(nb::init<>())
      .def("set_table", set_table, nb::arg("values").noconvert(), nb::arg("columns"),
           nb::arg("source") = "X",
           "Numbers, float64 (n, D), which are borrowed and must not change while they are used; a "
           "name for each column.")
      .def(
          "set_sparse_table", set_sparse_table, nb::arg("values").noconvert(),
          nb::arg("indices").noconvert(), nb::arg("indptr").noconvert(), nb::arg("columns"),
          nb::arg("source") = "X",
          "The same from a CSR matrix of finite float64 numbers, with int32 indices that ascend in "
          "each row and int64 indptr; it is copied.")
      .def("set_words", set_words, nb::arg("words"),
           "Columns whose numbers are places in lists of words: the words of each column.")
      .def("make_indicators", indicate, nb::arg("missing"), nb::arg("memory") = nb::none(),
           nb::arg("time_limit") = nb::none(),
           "Replaces columns of words by indicators, and adds those of missing cells if the rule "
           "has "
           "them; the views follow.")
      .def("make_indicators_of", indicate_as, nb::arg("model"), nb::arg("memory") = nb::none(),
           nb::arg("time_limit") = nb::none(),
           "The same with the indicators of a model. Returns a sentence for each column with words "
           "that training did not see.")
      .def("announce_matrix", announce_matrix, nb::arg("name"), nb::arg("n"),
           "An n x n Gram matrix that is not there yet, for check_training.")
      .def(
          "add_view",
          [](Data& data, std::string name, Names columns) {
            data.edit().views.push_back({std::move(name), std::move(columns)});
          },
          nb::arg("name"), nb::arg("columns"), "A named set of columns of the table.")
      .def("add_matrix", add_matrix, nb::arg("name"), nb::arg("kind"),
           nb::arg("values").noconvert(), nb::arg("rows").noconvert() = nb::none(),
           nb::arg("columns").noconvert() = nb::none(),
           "A Gram or distance matrix, float64 and borrowed: (n, n) for training, (new, n) or "
           "(new, support) for prediction. With rows or columns, int64 places: that part of it, "
           "which is read where it lies and not copied. Samples whose row is NaN lack the matrix.")
      .def("add_mapped_matrix", add_mapped_matrix, nb::arg("name"), nb::arg("kind"),
           nb::arg("file"), nb::arg("offset"), nb::arg("layout"),
           nb::arg("rows").noconvert() = nb::none(), nb::arg("columns").noconvert() = nb::none(),
           "As add_matrix, of float64 numbers that are mapped from a file: they begin at the byte "
           "offset and have the layout (rows, columns, numbers from one row to the next). They are "
           "read from the file, never through the mapping, so that a file that becomes shorter is "
           "an error.")
      .def("join_landmark_columns", join_landmark_columns, nb::arg("ids"),
           nb::arg("memory") = nb::none(), nb::arg("time_limit") = nb::none(),
           "Replaces Gram matrices that have the columns of these samples alone, in the order of "
           "the samples, by their Nystroem kernels.")
      .def("add_matrix_file", add_matrix_file, nb::arg("name"), nb::arg("kind"), nb::arg("path"),
           "Matrices of a .npy file, (n, n) or (M, n, n), which are read where they lie; returns "
           "their names.")
      .def(
          "set_labels",
          [](Data& data, Names labels) { data.edit().table.labels = std::move(labels); },
          nb::arg("labels"), "The class of each sample.")
      .def(
          "set_label_type",
          [](Data& data, std::string type) { data.edit().table.label_type = std::move(type); },
          nb::arg("type"),
          "What the labels were before they became text: text, integer, number, boolean, or "
          "nothing "
          "where that is not known.")
      .def("set_numbers", set_numbers, nb::arg("y").noconvert(), nb::arg("names") = nb::none(),
           "The number of each sample, float64 (n,), or the numbers, (n, T), with a name for each.")
      .def("set_multilabel", set_multilabel, nb::arg("y").noconvert(), nb::arg("names"),
           "Which labels each sample has, bool (n, T); a name for each label.")
      .def(
          "set_ids", [](Data& data, Names ids) { data.edit().table.ids = std::move(ids); },
          nb::arg("ids"), "A name of each sample, unique.")
      .def_prop_ro("samples", samples, "n")
      .def_prop_ro(
          "complete", [](const Data& data) { return samples_with_all_views(*data); },
          "The samples that lack no view, ascending.")
      .def_prop_ro(
          "incomplete",
          [](const Data& data) {
            Names names;
            for (const Presence& own : incomplete_views(*data)) names.push_back(own.view.name);
            return names;
          },
          "The views that some samples lack.")
      .def(
          "set_incomplete",
          [](Data& data, Names names) { data.edit().incomplete = std::move(names); },
          nb::arg("names"),
          "Views that other samples of the same study lack, even if none of these does.")
      .def_prop_ro(
          "addresses", addresses,
          "Where the numbers of the table (\"\") and of the matrices lie that are in memory.");
  bind_sets(module);
}

}  // namespace kernmix::python
