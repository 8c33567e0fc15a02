/// \file
/// Matrices of a file are read where they lie: the same numbers as in memory, whatever is asked
/// for.

#include "data/npy/npy_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>
#include <random>
#include <thread>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

/// A stack of M matrices of whole numbers, which every type holds.
struct Stack {
  Index M, rows, cols;

  [[nodiscard]] double operator()(Index m, Index i, Index j) const {
    return static_cast<double>((31 * m + 7 * i * i + 3 * j) % 101);
  }
  [[nodiscard]] std::string shape() const {
    const std::string matrix = std::to_string(rows) + ", " + std::to_string(cols) + ")";
    return M == 0 ? "(" + matrix : "(" + std::to_string(M) + ", " + matrix;
  }
  [[nodiscard]] Index matrices() const { return std::max<Index>(M, 1); }

  template <typename T>
  [[nodiscard]] std::string bytes(bool big_endian, bool fortran) const {
    std::string all;
    const auto put = [&](Index m, Index i, Index j) {
      const T number = static_cast<T>((*this)(m, i, j));
      std::string one(sizeof(T), '\0');
      std::memcpy(one.data(), &number, sizeof(T));
      if (big_endian == (std::endian::native == std::endian::little)) std::ranges::reverse(one);
      all += one;
    };
    if (fortran) {
      for (Index j = 0; j < cols; ++j)
        for (Index i = 0; i < rows; ++i)
          for (Index m = 0; m < matrices(); ++m) put(m, i, j);
    } else {
      for (Index m = 0; m < matrices(); ++m)
        for (Index i = 0; i < rows; ++i)
          for (Index j = 0; j < cols; ++j) put(m, i, j);
    }
    return all;
  }

  template <typename T>
  [[nodiscard]] std::string file(const std::string& type, bool fortran) const {
    std::string header = "{'descr': '" + type +
                         "', 'fortran_order': " + (fortran ? "True" : "False") +
                         ", 'shape': " + shape() + ", }";
    std::string start("\x93NUMPY\x01\x00", 8);
    start += static_cast<char>(header.size() & 0xff);
    start += static_cast<char>(header.size() >> 8);
    return start + header + bytes<T>(type[0] == '>', fortran);
  }
};

void expect_block(const Stack& stack, const GivenMatrix& matrix, Index m,
                  const std::vector<Index>& rows, const std::vector<Index>& cols) {
  Vector found(rows.size() * cols.size());
  matrix.block(rows, cols, found);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < cols.size(); ++c) {
      ASSERT_EQ(found[r * cols.size() + c], stack(m, rows[r], cols[c]))
          << m << ": " << rows[r] << ", " << cols[c];
    }
  }
}

std::vector<Index> range(Index begin, Index end) {
  std::vector<Index> all(static_cast<std::size_t>(end - begin));
  std::iota(all.begin(), all.end(), begin);
  return all;
}

void expect_all(const Stack& stack, const std::vector<GivenMatrix>& matrices) {
  ASSERT_EQ(length(matrices), stack.matrices());
  std::mt19937 random(1);
  for (Index m = 0; m < stack.matrices(); ++m) {
    const GivenMatrix& matrix = matrices[static_cast<std::size_t>(m)];
    ASSERT_EQ(matrix.rows(), stack.rows);
    ASSERT_EQ(matrix.cols(), stack.cols);
    std::vector<Index> rows = range(0, stack.rows);
    std::vector<Index> cols = range(0, stack.cols);
    expect_block(stack, matrix, m, rows, cols);
    expect_block(stack, matrix, m, range(stack.rows / 2, stack.rows), range(1, stack.cols));
    expect_block(stack, matrix, m, {stack.rows - 1}, {0});
    expect_block(stack, matrix, m, {}, cols);
    std::ranges::shuffle(rows, random);
    std::ranges::shuffle(cols, random);
    expect_block(stack, matrix, m, rows, cols);
    rows.resize(rows.size() / 2);
    std::ranges::sort(rows);
    expect_block(stack, matrix, m, rows, {cols[0], cols[0], cols[1]});
  }
}

TEST(NpyFile, IsReadInEveryTypeAndOrder) {
  const TemporaryFolder folder;
  for (const Stack& stack : {Stack{0, 5, 5}, Stack{1, 7, 4}, Stack{3, 4, 6}, Stack{2, 1, 1}}) {
    for (const bool fortran : {false, true}) {
      const std::vector<std::string> files = {
          stack.file<double>("<f8", fortran),       stack.file<double>(">f8", fortran),
          stack.file<float>("<f4", fortran),        stack.file<float>(">f4", fortran),
          stack.file<std::int16_t>(">i2", fortran), stack.file<std::uint8_t>("|u1", fortran)};
      for (const std::string& bytes : files) {
        const bool in_memory = fortran && stack.M > 1;
        const auto matrices = open_matrices(folder.write("k.npy", bytes));
        EXPECT_EQ(matrices.front().in_memory() != nullptr, in_memory);
        expect_all(stack, matrices);
      }
    }
  }
}

/// Rows longer than what is read over, and numbers that are converted in more than one piece.
TEST(NpyFile, IsReadInPieces) {
  const TemporaryFolder folder;
  const Stack stack{2, 40, 3000};
  expect_all(stack, open_matrices(folder.write("a.npy", stack.file<double>("<f8", false))));
  expect_all(stack, open_matrices(folder.write("b.npy", stack.file<float>(">f4", false))));
  const Stack one{1, 3000, 40};
  expect_all(one, open_matrices(folder.write("c.npy", one.file<double>("<f8", true))));
}

TEST(NpyFile, NamesThePlaceOfANumberThatIsNotFinite) {
  const TemporaryFolder folder;
  Vector values(2 * 3 * 3, 1.0);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    values[9 + 3 + 2] = bad;  // matrix 2, row 2, column 3
    write_npy(folder.path("k.npy"), {2, 3, 3}, values);
    const auto matrices = open_matrices(folder.path("k.npy"));
    EXPECT_NO_THROW(static_cast<void>(matrices[0].whole()));
    const std::string message =
        folder.strip(error_of([&] { static_cast<void>(matrices[1].whole()); }));
    EXPECT_EQ(message.find("k.npy: matrix 2, row 2, column 3: "), 0U) << message;
  }
}

TEST(NpyFile, MustStayAsItIs) {
  const TemporaryFolder folder;
  const std::string path = folder.path("k.npy");
  const Vector values(25, 1.0);
  const auto open = [&] {
    write_npy(path, {5, 5}, values);
    return open_matrices(path).front();
  };
  const auto message = [&](const GivenMatrix& matrix) {
    return folder.strip(error_of([&] { static_cast<void>(matrix.whole()); }));
  };
  GivenMatrix matrix = open();
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 8);
  EXPECT_EQ(message(matrix), "k.npy: became shorter during the run; run again");
  matrix = open();
  std::filesystem::last_write_time(
      path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
  EXPECT_EQ(message(matrix), "k.npy: changed during the run; run again");
  matrix = open();
  std::filesystem::remove(path);  // what is open stays
  EXPECT_EQ(matrix.whole().values, values);
}

TEST(NpyFile, IsComparedWithItsLengthBeforeItIsRead) {
  const TemporaryFolder folder;
  const Stack stack{2, 3, 3};
  const std::string bytes = stack.file<double>("<f8", false);
  const auto message = [&](const std::string& content) {
    const std::string path = folder.write("k.npy", content);
    return folder.strip(error_of([&] { static_cast<void>(open_matrices(path)); }));
  };
  EXPECT_EQ(message(bytes.substr(0, bytes.size() - 1)),
            "k.npy: is truncated: 143 bytes of values are too few for shape (2, 3, 3)");
  EXPECT_EQ(message(bytes + "x"), "k.npy: 145 bytes of values are too many for shape (2, 3, 3)");
  EXPECT_EQ(message(""), "k.npy: is empty");
  EXPECT_EQ(message("no array"), "k.npy: is not an NPY file; save it with numpy.save");
}

TEST(NpyFile, OfAPipeComesIntoMemory) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const Stack stack{2, 3, 4};
  std::jthread writer(
      [&] { std::ofstream(path, std::ios::binary) << stack.file<double>("<f8", false); });
  const auto matrices = open_matrices(path);
  EXPECT_TRUE(matrices.front().in_memory());
  expect_all(stack, matrices);
}

}  // namespace
}  // namespace kernmix
