/// \file
/// Damaged files: any change of any byte must give a table or a kernmix::Error, never a crash, a
/// hang or a huge allocation. Deterministic and bounded, so that it runs with every test.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "data/arff/arff.hpp"
#include "data/csv.hpp"
#include "data/label_lists.hpp"
#include "data/label_names.hpp"
#include "data/libsvm.hpp"
#include "data/mat/mat.hpp"
#include "data/matrices/matrix_text.hpp"
#include "data/npy/npy.hpp"
#include "data/npz/npz.hpp"
#include "data/sets/gmt.hpp"
#include "data/temporary_file.hpp"
#include "data/written_arrays.hpp"

namespace kernmix {
namespace {

/// A copy of `text` with a few bytes changed, removed, repeated, or cut off.
std::string mutate(std::string text, std::mt19937_64& random) {
  const std::string_view interesting("\0\n\r\",;:\t #+-.0e19'(){}[]\x80\xff@%\\<>", 32);
  for (auto changes = 1 + random() % 4; changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size();
    switch (random() % 6) {
      case 0:
        text[at] = static_cast<char>(random() & 0xff);
        break;
      case 1:
        text[at] = interesting[random() % interesting.size()];
        break;
      case 2:
        text.erase(at, 1 + random() % 8);
        break;
      case 3:
        text.insert(at, text.substr(random() % text.size(), random() % 16));
        break;
      case 4:
        text.insert(at, 1, interesting[random() % interesting.size()]);
        break;
      default:
        if (random() % 8 == 0) text.resize(at);
    }
  }
  return text;
}

/// Feeds damaged copies to `parse`; some must be accepted and some refused, or nothing was tested.
void expect_survival(const std::string& valid, const std::function<void(const std::string&)>& parse,
                     int cases = 4000) {
  std::mt19937_64 random(20240611);
  int accepted = 0;
  int refused = 0;
  for (int k = 0; k < cases; ++k) {
    const std::string damaged = mutate(valid, random);
    try {
      parse(damaged);
      ++accepted;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "");
      EXPECT_NE(error.kind(), ErrorKind::internal);
      ++refused;
    }
  }
  EXPECT_GT(accepted, cases / 100);
  EXPECT_GT(refused, cases / 100);
}

ReadOptions small_tables() {
  ReadOptions options;
  options.context.memory_bytes = std::size_t{1} << 24;
  return options;
}

void expect_consistent(const FileTable& part) {
  const Table& table = part.table;
  EXPECT_EQ(table.values.values.size(), part.lines.size() * table.columns.size());
  EXPECT_TRUE(table.labels.empty() || table.labels.size() == part.lines.size());
  EXPECT_EQ(table.multi_labels.values.size(), part.lines.size() * table.multi_labels.names.size());
}

TEST(Mutation, Csv) {
  expect_survival(
      "id,a,\"b \"\"q\"\"\",y\r\ns1,1.5,-2e3,no\r\n\"s,2\",0,+4,\"ye\ns\"\n\ns3,1,2,no\n",
      [](const std::string& text) {
        ReadOptions options = small_tables();
        options.label_column = "y";
        options.id_column = "id";
        InputFile file;
        file.path = "a.csv";
        file.text = text;
        file.format = FileFormat::csv;
        read_csv_header(file, true);
        expect_consistent(read_csv(file, options));
      });
}

TEST(Mutation, Libsvm) {
  expect_survival("+1 1:0.5 3:-2 # comment\n-1 2:1e3 10:7\r\n\n+1 1:1 2:2 3:3\n",
                  [](const std::string& text) {
                    InputFile file;
                    file.path = "a.libsvm";
                    file.text = text;
                    file.format = FileFormat::libsvm;
                    expect_consistent(read_libsvm(file, small_tables()));
                  });
}

TEST(Mutation, Matrices) {
  for (const char* const valid :
       {"\"\",\"p 1\",\"p2\"\r\n\"p 1\",1,-2e-3\n\"p2\",0.5,1\n", "p1 p2\np1 1 0.5\np2 0.5 1\n",
        "+1 0:1 1:1 2:0.5\n-1 0:2 1:0.5 2:1\n"}) {
    expect_survival(valid, [](const std::string& text) {
      InputFile file;
      file.path = "k.csv";
      file.text = text;
      const GivenMatrix matrix = read_text_matrix(file, {});
      const MatrixNames& names = matrix.names();
      EXPECT_TRUE(names.rows.empty() || length(names.rows) == matrix.rows());
      EXPECT_TRUE(names.columns.empty() || length(names.columns) == matrix.cols());
      EXPECT_EQ(length(matrix.whole().values), matrix.rows() * matrix.cols());
    });
  }
}

TEST(Mutation, LabelLists) {
  expect_survival("1,0 1:0.5 3:-2\n1:7\n10 2:2\n", [](const std::string& text) {
    ReadOptions options = small_tables();
    options.label_columns = {"*", "0-2"};
    InputFile file;
    file.path = "a.libsvm";
    file.text = text;
    file.format = FileFormat::libsvm;
    const FileTable part = read_libsvm(file, options);
    expect_consistent(part);
    const MultiLabels labels = labels_of_lists(part.table.labels, options.label_columns, "a",
                                               options.context.memory_bytes);
    EXPECT_EQ(labels.values.size(), part.lines.size() * labels.names.size());
  });
}

/// \param labels  columns that are labels, where the header still has them
void survive_arff(const std::string& valid, const std::vector<std::string>& labels) {
  expect_survival(valid, [&](const std::string& text) {
    ReadOptions options = small_tables();
    options.label_column = "y";
    options.id_column = "id";
    InputFile file;
    file.path = "a.arff";
    file.text = text;
    file.format = FileFormat::arff;
    read_arff_names(file);
    for (const std::string& name : file.header) {
      if (std::find(labels.begin(), labels.end(), name) != labels.end()) {
        file.label_columns.push_back(name);
      }
    }
    expect_consistent(read_arff(file, options));
  });
}

TEST(Mutation, ArffWithDenseRows) {
  survive_arff(
      "@relation 'r: -C 1'\n@attribute l {0,1}\n@attribute y string\n@attribute a real\n"
      "% comment\n@attribute 'b\\'s' {no, 'yes'}\r\n@data\n1,'p q',1.5,no\n0,p,-2e3,yes\n",
      {"l"});
}

TEST(Mutation, ArffWithSparseRows) {
  survive_arff(
      "@relation r\n@attribute id string\n@attribute a real\n@attribute l numeric\n@data\n"
      "{0 \"s 1\", 1 2.5}\n{0 s2}\n{0 s3, 1 7, 2 1}\n",
      {"l"});
}

TEST(Mutation, LabelNames) {
  expect_survival(
      "<?xml version=\"1.0\"?>\n<labels xmlns='m'><label name=\"a &amp; b\"></label>\n"
      "<label name='c'><label name='d'/></label><!-- e --></labels>\n",
      [](const std::string& text) { EXPECT_FALSE(parse_label_names(text, "a.xml").empty()); });
}

TEST(Mutation, Gmt) {
  expect_survival("A b\thttp://a\tTP53\tMYC\t\r\nB\t\tTP53\ttp53\n\n", [](const std::string& text) {
    const ColumnSets sets = parse_gmt(text, "a.gmt");
    EXPECT_FALSE(sets.sets.empty());
    EXPECT_EQ(sets.lines.size(), sets.sets.size());
  });
}

TEST(Mutation, Npy) {
  const TemporaryFolder folder;
  for (const std::vector<Index>& shape : {std::vector<Index>{2, 3}, std::vector<Index>{3, 1, 2}}) {
    write_npy(folder.path("a.npy"), shape, Vector{1, 2, 3, 4, 5, 6});
    expect_survival(read_file(folder.path("a.npy")), [](const std::string& text) {
      std::vector<Index> found;
      const Vector values = parse_npy(text, "a.npy", found);
      std::size_t count = 1;
      for (const Index extent : found) count *= static_cast<std::size_t>(extent);
      EXPECT_EQ(values.size(), count);
    });
  }
}

TEST(Mutation, WholeFilesOfUnknownFormat) {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& text) {
    const Table table = read_table({folder.write("a.txt", text)}, small_tables());
    EXPECT_GT(table.samples(), 0);
  };
  expect_survival("a b\n1,2\n3,4\n", read, 200);
}

/// Reads all arrays of a file, each refused or not.
void read_all(const ArrayFile& file) {
  int read = 0;
  std::string refusal;
  for (const StoredArray& array : file.arrays()) {
    try {
      (void)entries_as_text(file, require_array(file, array.path), {});
      ++read;
    } catch (const Error& error) {
      refusal = error.what();
    }
  }
  if (read == 0) throw DataError(refusal.empty() ? "no arrays" : refusal);
}

TEST(Mutation, NpzArchives) {
  const std::string numbers =
      test::npy_bytes("<f8", "(2, 2)", test::bytes_of<double>({1, 2, 3, 4}));
  const std::string valid = test::zip_of(
      {{"X.npy", numbers}, {"y.npy", test::npy_bytes("<U1", "(1,)", std::string("a\0\0\0", 4))}});
  Context context;
  context.memory_bytes = std::size_t{1} << 24;
  expect_survival(valid,
                  [&](const std::string& bytes) { read_all(*parse_npz(bytes, "a.npz", context)); });
}

TEST(Mutation, MatlabFiles) {
  const std::string valid = test::mat_file({{"KH", {2, 2}, {1, 2, 3, 4}}, {"Y", {2, 1}, {1, 2}}});
  Context context;
  context.memory_bytes = std::size_t{1} << 24;
  expect_survival(valid,
                  [&](const std::string& bytes) { read_all(*parse_mat(bytes, "a.mat", context)); });
}

}  // namespace
}  // namespace kernmix
