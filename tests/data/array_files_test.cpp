/// \file
/// NPZ archives and MATLAB files, made here byte by byte: what is read, and what is refused.

#include <gtest/gtest.h>

#include <cstring>

#include "data/arrays/array_file.hpp"
#include "data/arrays/sparse.hpp"
#include "data/mat/mat.hpp"
#include "data/npz/npz.hpp"
#include "data/temporary_file.hpp"
#include "data/written_arrays.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using test::bytes_of;
using test::mat_file;
using test::npy_bytes;
using test::zip_of;

TEST(Npz, HoldsATableAndItsLabels) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "a.npz", zip_of({{"X.npy", npy_bytes("<f8", "(3, 2)", bytes_of<double>({1, 2, 3, 4, 5, 6}))},
                       {"y.npy", npy_bytes("|S1", "(3,)", "aba")},
                       {"n.npy", npy_bytes("<i2", "(2,)", bytes_of<std::int16_t>({7, 8}))}}));
  ReadOptions options;
  options.label_column = "y";
  const Table table = read_table({file}, options);
  EXPECT_EQ(table.values.values, (Vector{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(table.labels, (std::vector<std::string>{"a", "b", "a"}));
  EXPECT_EQ(read_table({file + ":X"}, options).values.values, table.values.values);
  options.label_column = "n";
  EXPECT_EQ(folder.strip(error_of([&] { (void)read_table({file}, options); })),
            "a.npz: n has 2 entries, and X has 3 rows");
}

TEST(Npz, HoldsMatricesInTheOrderOfTheirNumbers) {
  const TemporaryFolder folder;
  const auto square = [](double first) {
    return npy_bytes("<f8", "(2, 2)", bytes_of<double>({first, 0, 0, 1}));
  };
  const std::string file = folder.write(
      "k.npz", zip_of({{"K10.npy", square(10)}, {"K2.npy", square(2)}, {"K1.npy", square(1)}}));
  Vector firsts;
  for (const Matrix& matrix : read_matrices(file)) firsts.push_back(matrix(0, 0));
  EXPECT_EQ(firsts, (Vector{1, 2, 10}));
  EXPECT_EQ(read_matrices(file + ":K10").at(0)(0, 0), 10.0);
  EXPECT_NE(error_of([&] { (void)read_matrices(file + ":K3"); }).find("did you mean"),
            std::string::npos);
}

/// Stacks over the first and over the last position hold the same matrices.
TEST(Npz, TellsTheTwoFormsOfStacks) {
  const TemporaryFolder folder;
  const std::string first = npy_bytes("<f8", "(1, 2, 2)", bytes_of<double>({1, 2, 3, 4}));
  const std::string last = npy_bytes("<f8", "(2, 2, 1)", bytes_of<double>({1, 2, 3, 4}));
  const auto values = [&](const std::string& array) {
    return read_matrices(folder.write("s.npz", zip_of({{"K.npy", array}}))).at(0).values;
  };
  EXPECT_EQ(values(first), values(last));
}

TEST(Npz, IsCheckedBeforeMemoryIsTaken) {
  const TemporaryFolder folder;
  Context context;
  context.memory_bytes = 4000;
  const std::string bomb = zip_of({{"X.npy", std::string(100, 'x')}}, std::size_t{1} << 40);
  EXPECT_NE(error_of([&] { (void)parse_npz(bomb, "b.npz", context); }).find("damaged"),
            std::string::npos);
  const std::string large = npy_bytes("<f8", "(1000, 10)", std::string(80000, '\0'));
  const std::string file = folder.write("l.npz", zip_of({{"X.npy", large}}));
  ReadOptions options;
  options.context = context;
  EXPECT_NE(error_of([&] { (void)read_table({file}, options); }).find("memory budget"),
            std::string::npos);
}

TEST(Npz, RefusesObjectsAndComplexNumbersByName) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("o.npz", zip_of({{"o.npy", npy_bytes("|O", "(1,)", "pickle")},
                                    {"z.npy", npy_bytes("<c16", "(1,)", std::string(16, '\0'))}}));
  for (const std::string name : {"o", "z"}) {
    const std::string said = error_of([&] { (void)read_table({file + ":" + name}, {}); });
    EXPECT_NE(said.find("o.npz:" + name + ": arrays of type"), std::string::npos) << said;
  }
}

TEST(Sparse, DamagedPartsAreRefused) {
  const SparseParts good{{5, 7}, {1, 0}, {0, 1, 2}};
  EXPECT_EQ(dense_numbers({SparseForm::rows, good}, 2, 2, "s", {}), (Vector{0, 5, 7, 0}));
  EXPECT_EQ(dense_numbers({SparseForm::columns, good}, 2, 2, "s", {}), (Vector{0, 7, 5, 0}));
  const std::vector<SparseParts> bad = {{{5, 7}, {2, 0}, {0, 1, 2}},  {{5, 7}, {1, 0}, {0, 2, 1}},
                                        {{5, 7}, {1, 0}, {0, 1, 3}},  {{5, 7}, {1, 0}, {1, 1, 2}},
                                        {{5, 7}, {-1, 0}, {0, 1, 2}}, {{5, 7}, {0.5, 0}, {0, 1, 2}},
                                        {{5, 7}, {1}, {0, 1, 2}},     {{5, 7}, {1, 0}, {0, 2}}};
  for (const SparseParts& parts : bad) {
    const auto read = [&] { (void)dense_numbers({SparseForm::rows, parts}, 2, 2, "s", {}); };
    EXPECT_NE(error_of(read).find("damaged"), std::string::npos);
  }
}

TEST(Mat, ReadsVariablesInColumnOrder) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "m.mat", mat_file({{"KH", {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}}, {"Y", {2, 1}, {1, -1}}}));
  const std::vector<Matrix> stack = read_matrices(file + ":KH");
  ASSERT_EQ(stack.size(), 2U);
  EXPECT_EQ(stack[0].values, (Vector{1, 3, 2, 4}));
  EXPECT_EQ(stack[1].values, (Vector{5, 7, 6, 8}));
  ReadOptions options;
  options.label_column = "Y";
  EXPECT_EQ(read_table({file}, options).labels, (std::vector<std::string>{"1", "-1"}));
}

}  // namespace
}  // namespace kernmix
