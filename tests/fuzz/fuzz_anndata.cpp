// The contents of an AnnData: an input that begins as HDF5 files do is read by libhdf5; of others,
// arrays and attributes are taken line by line, so that the code behind the library is fuzzed
// alone.
#include <chrono>
#include <cmath>
#include <map>
#include <sstream>

#include "data/anndata/anndata.hpp"
#include "data/arrays/array_tables.hpp"
#include "data/number.hpp"
#include "memory_file.hpp"
#include "survive.hpp"

using namespace kernmix;

namespace {

/// Lines: "n PATH number...", "m PATH rows columns number...", "t PATH word...", "g PATH", "a PATH
/// NAME word...".
class FuzzedFile final : public ArrayFile {
 public:
  explicit FuzzedFile(const std::string& text) : ArrayFile("input.h5ad") {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) take(line);
  }
  [[nodiscard]] Vector numbers(const StoredArray& array, const Context&) const override {
    const auto found = numbers_.find(array.path);
    return found == numbers_.end() ? Vector() : found->second;
  }
  [[nodiscard]] std::vector<std::string> texts(const StoredArray& array,
                                               const Context&) const override {
    const auto found = texts_.find(array.path);
    return found == texts_.end() ? std::vector<std::string>() : found->second;
  }
  [[nodiscard]] std::vector<std::string> attribute(const std::string& path,
                                                   const std::string& name) const override {
    const auto found = texts_.find(path + "@" + name);
    return found == texts_.end() ? std::vector<std::string>() : found->second;
  }

 private:
  void take(const std::string& line) {
    std::istringstream words(line);
    std::string kind;
    StoredArray array;
    words >> kind >> array.path;
    std::vector<std::string> rest;
    for (std::string word; words >> word;) rest.push_back(word);
    if (kind == "a" && !rest.empty()) {
      texts_[array.path + "@" + rest[0]] = {rest.begin() + 1, rest.end()};
      return;
    }
    array.shape = {length(rest)};
    if (kind == "m" && rest.size() >= 2) {
      for (int k = 0; k < 2; ++k) {
        const double extent = parse_number(rest[static_cast<std::size_t>(k)]).value_or(0.0);
        if (!(extent >= 0.0 && extent < 1e6)) return;
        array.shape.resize(2);
        array.shape[static_cast<std::size_t>(k)] = static_cast<Index>(extent);
      }
      rest.erase(rest.begin(), rest.begin() + 2);
      if (array.shape[0] * array.shape[1] != length(rest)) return;
    }
    array.content = kind == "t"   ? ArrayContent::texts
                    : kind == "g" ? ArrayContent::group
                                  : ArrayContent::numbers;
    for (const std::string& word : rest) {
      numbers_[array.path].push_back(parse_number(word).value_or(std::nan("")));
    }
    texts_[array.path] = rest;
    add(array);
  }

  std::map<std::string, Vector> numbers_;
  std::map<std::string, std::vector<std::string>> texts_;
};

void read_all(const std::vector<InputFile>& inputs, ReadOptions& options) {
  for (const InputFile& input : inputs) {
    options.label_column = input.header.empty() ? "" : input.header.front();
    (void)read_stored(input, options);
  }
}

}  // namespace

KERNMIX_FUZZ {
  constexpr std::string_view hdf5 = "\x89HDF\r\n\x1a\n";
  ReadOptions options;
  options.context.memory_bytes = std::size_t{1} << 26;
  options.context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  options.keep_sparse = text.size() % 2 == 0;
  std::vector<InputFile> inputs;
  if (text.starts_with(hdf5)) {
    const fuzz::MemoryFile file(text);
    open_stored({"input", file.path(), "", false}, options, inputs);
    return read_all(inputs, options);
  }
  open_anndata(std::make_shared<FuzzedFile>(text), {"input", "input.h5ad", "", false}, options,
               inputs);
  read_all(inputs, options);
}
