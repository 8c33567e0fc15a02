/// \file
/// Damaged files: any change of any byte must give a table or a kernmix::Error, never a crash, a
/// hang or a huge allocation. Deterministic and bounded, so that it runs with every test.

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "data/csv.hpp"
#include "data/libsvm.hpp"
#include "data/npy.hpp"
#include "data/temporary_file.hpp"

namespace kernmix {
namespace {

/// A copy of `text` with a few bytes changed, removed, repeated, or cut off.
std::string mutate(std::string text, std::mt19937_64& random) {
  const std::string_view interesting("\0\n\r\",;:\t #+-.0e19'(){}[]\x80\xff", 27);
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
  options.memory_bytes = std::size_t{1} << 24;
  return options;
}

void expect_consistent(const FileTable& part) {
  const Table& table = part.table;
  EXPECT_EQ(table.values.values.size(), part.lines.size() * table.columns.size());
  EXPECT_TRUE(table.labels.empty() || table.labels.size() == part.lines.size());
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
        read_csv_header(file);
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

}  // namespace
}  // namespace kernmix
