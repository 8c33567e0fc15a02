#include "data/npy/npy.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "data/temporary_file.hpp"
#include "kernmix/data.hpp"

namespace kernmix {
namespace {

using Shape = std::vector<Index>;

/// An .npy file of the given version around a header text and bytes.
std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k) {
    bytes += static_cast<char>(header.size() >> (8 * k) & 0xff);
  }
  return bytes + header + data;
}

std::string header_of(const std::string& type, const std::string& shape,
                      const std::string& fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

template <typename T>
std::string bytes_of(std::initializer_list<T> values, bool reversed = false) {
  std::string bytes;
  for (const T value : values) {
    std::string one(sizeof(T), '\0');
    std::memcpy(one.data(), &value, sizeof(T));
    bytes += reversed ? std::string(one.rbegin(), one.rend()) : one;
  }
  return bytes;
}

Vector parse(const std::string& bytes, Shape& shape) { return parse_npy(bytes, "a.npy", shape); }

TEST(Npy, ReadsEveryTypeAndVersion) {
  const Vector expected = {1, 2, 3};
  const std::vector<std::string> files = {
      npy(header_of("<f8", "(3,)"), bytes_of<double>({1, 2, 3})),
      npy(header_of("<f8", "(3,)"), bytes_of<double>({1, 2, 3}), 2),
      npy(header_of("<f8", "(3,)"), bytes_of<double>({1, 2, 3}), 3),
      npy(header_of(">f8", "(3,)"), bytes_of<double>({1, 2, 3}, true)),
      npy(header_of("<f4", "(3,)"), bytes_of<float>({1, 2, 3})),
      npy(header_of(">i4", "(3,)"), bytes_of<std::int32_t>({1, 2, 3}, true)),
      npy(header_of("<i8", "(3,)"), bytes_of<std::int64_t>({1, 2, 3})),
      npy(header_of("<u2", "(3,)"), bytes_of<std::uint16_t>({1, 2, 3})),
      npy(header_of("|u1", "(3,)"), bytes_of<std::uint8_t>({1, 2, 3})),
      npy("{'shape':(3,),\"fortran_order\":True,'descr':'|i1'}\n",
          bytes_of<std::int8_t>({1, 2, 3}))};
  for (const std::string& file : files) {
    Shape shape;
    EXPECT_EQ(parse(file, shape), expected) << file;
    EXPECT_EQ(shape, Shape{3});
  }
  Shape shape;
  EXPECT_EQ(parse(npy(header_of("|b1", "(2,)"), std::string("\1\0", 2)), shape), (Vector{1, 0}));
}

TEST(Npy, FortranOrderComesBackInCOrder) {
  Shape shape;
  EXPECT_EQ(
      parse(npy(header_of("<f8", "(2, 3)", "True"), bytes_of<double>({1, 4, 2, 5, 3, 6})), shape),
      (Vector{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(parse(npy(header_of("|u1", "(2, 2, 2)", "True"), "\1\5\3\7\2\6\4\10"), shape),
            (Vector{1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Npy, WhatIsWrittenIsRead) {
  const TemporaryFolder folder;
  for (const Shape& shape : {Shape{6}, Shape{2, 3}, Shape{1, 2, 3}}) {
    const Vector values = {1, -2.5, 1e300, 0, 5e-324, 7};
    write_npy(folder.path("a.npy"), shape, values);
    EXPECT_EQ(read_file(folder.path("a.npy")).size() % 64, 48u) << "values begin at 64 k";
    Shape found;
    EXPECT_EQ(read_npy(folder.path("a.npy"), found), values);
    EXPECT_EQ(found, shape);
  }
  EXPECT_THROW(write_npy(folder.path("none/a.npy"), {1}, Vector{1}), ResourceError);
  for (const std::vector<Index>& shape : {std::vector<Index>{2}, {1, 2}, {-1, -1}, {0}}) {
    EXPECT_THROW(write_npy(folder.path("b.npy"), shape, Vector{1}), ParameterError);
  }
  EXPECT_THROW(write_npy(folder.path("b.npy"), std::vector<Index>(33, 1), Vector{1}),
               ParameterError);
}

TEST(Npy, RefusesWithReason) {
  const std::string three = bytes_of<double>({1, 2, 3});
  const std::string huge = "(9223372036854775807, 9223372036854775807)";
  const std::vector<std::pair<std::string, std::string>> refusals = {
      {"NUMPY", "a.npy: is not an NPY file"},
      {npy(header_of("<f8", "(3,)"), three).substr(0, 9), "truncated within the NPY header"},
      {npy(header_of("<f8", "(3,)"), three).substr(0, 30), "truncated within the NPY header"},
      {npy(header_of("<f8", "(3,)"), three, 9), "version 9 is not known"},
      {npy(header_of("<f8", "(4,)"), three), "24 bytes of values are too few for shape (4)"},
      {npy(header_of("<f8", "(2,)"), three), "24 bytes of values are too many for shape (2)"},
      {npy(header_of("<f8", huge), three), "too few for shape"},
      {npy(header_of("<f8", "(99999999999999999999,)"), three), "header is malformed"},
      {npy(header_of("<f8", "(-3,)"), three), "header is malformed"},
      {npy(header_of("<f8", "()"), three), "only arrays of 1 to 3 dimensions"},
      {npy(header_of("<f8", "(3, 1, 1, 1)"), three), "only arrays of 1 to 3 dimensions"},
      {npy(header_of("<f8", "(0, 3)"), three), "the array is empty"},
      {npy(header_of("<c16", "(3,)"), three), "arrays of type '<c16' are not read"},
      {npy(header_of("|O", "(3,)"), three), "arrays of type '|O' are not read"},
      {npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,)}", three),
       "structured arrays are not read"},
      {npy("{'descr': '<f8', 'shape': (3,)}", three), "header is malformed"},
      {npy("{'descr': '<f8', 'fortran_order': 0, 'shape': (3,)}", three), "header is malformed"},
  };
  for (const auto& [bytes, message] : refusals) {
    const std::string& broken = bytes;
    Shape shape;
    const std::string error = error_of([&] { static_cast<void>(parse(broken, shape)); });
    EXPECT_NE(error.find(message), std::string::npos) << error << " / " << message;
  }
}

TEST(Npy, IsATableWithNumberedColumns) {
  const TemporaryFolder folder;
  write_npy(folder.path("a.npy"), {2, 2}, Vector{1, 2, 3, 4});
  const Table table = read_table({folder.path("a.npy")}, {});
  EXPECT_EQ(table.columns, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(table.values.values, (Vector{1, 2, 3, 4}));
  EXPECT_THROW(static_cast<void>(select_columns(table, {"3"})), DataError);

  write_npy(folder.path("a.npy"), {2, 2}, Vector{1, 2, std::numeric_limits<double>::infinity(), 4});
  EXPECT_EQ(
      folder.strip(error_of([&] { static_cast<void>(read_table({folder.path("a.npy")}, {})); })),
      "a.npy: row 2, column '1': inf is not a finite number; fill it in or remove the sample");
  write_npy(folder.path("a.npy"), {2, 2}, Vector{1, missing_cell, 3, 4});
  EXPECT_EQ(
      folder.strip(error_of([&] { static_cast<void>(read_table({folder.path("a.npy")}, {})); })),
      "a.npy: row 1, column '2': the value is missing (nan); fill it in or let training do so with "
      "--missing mean, remove the sample, or leave the column out with --ignore");
  write_npy(folder.path("a.npy"), {4}, Vector{1, 2, 3, 4});
  EXPECT_THROW(static_cast<void>(read_table({folder.path("a.npy")}, {})), DataError);
}

TEST(Matrices, AreReadFromNpyAndText) {
  const TemporaryFolder folder;
  write_npy(folder.path("k.npy"), {2, 2, 1}, Vector{1, 2, 3, 4});
  const std::vector<Matrix> stack = read_matrices(folder.path("k.npy"));
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_EQ(stack[1].values, (Vector{3, 4}));
  EXPECT_EQ(stack[1].rows, 2);
  for (const std::string_view text : {"1,2\n3,4\n", "1 2\n3 4", "1\t2\r\n3\t4", "1;2\n3;+4\n"}) {
    const std::vector<Matrix> one = read_matrices(folder.write("k.csv", text));
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one[0].values, (Vector{1, 2, 3, 4}));
    EXPECT_EQ(one[0].cols, 2);
  }
}

TEST(Matrices, AreRefusedWithThePlace) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& file) {
    return folder.strip(error_of([&] { static_cast<void>(read_matrices(file)); }));
  };
  EXPECT_EQ(message(folder.write("k.csv", "1,2\n3\n")),
            "k.csv:2: 1 numbers where the first row has 2");
  EXPECT_EQ(message(folder.write("k.csv", "1,2\n3,b\n")),
            "k.csv:2: column 2: 'b' is not a finite number; a matrix file holds numbers, and names "
            "of samples in the first line and the first column only");
  write_npy(folder.path("k.npy"), {1, 2, 2},
            Vector{1, 2, 3, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(message(folder.path("k.npy")),
            "k.npy: matrix 1, row 2, column 2: nan is not a finite number");
  write_npy(folder.path("k.npy"), {4}, Vector{1, 2, 3, 4});
  EXPECT_EQ(message(folder.path("k.npy")),
            "k.npy: matrices need shape (n, n) or (M, n, n), this array has (4,)");
}

}  // namespace
}  // namespace kernmix
