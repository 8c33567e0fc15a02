#include "data/matrices/libsvm_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/text.hpp"
#include "data/csv/recipe.hpp"
#include "data/file.hpp"
#include "data/libsvm_text.hpp"
#include "data/number.hpp"
#include "kernmix/types.hpp"

namespace kernmix {
namespace {

/// One line.
struct KernelLine {
  bool labelled = false;
  Index number = 0;         ///< i of 0:i
  Index entries = 0;        ///< L
  std::string_view values;  ///< from 1:. on
};

/// nullopt if it is no line of a kernel.
std::optional<KernelLine> parse_kernel_line(std::string_view line) {
  KernelLine parsed;
  std::string_view token = next_token(line);
  parsed.labelled = token.find(':') == std::string_view::npos;
  if (parsed.labelled) token = next_token(line);
  if (!token.starts_with("0:")) return std::nullopt;
  constexpr double largest = 2147483647;
  const double number = parse_number(token.substr(2)).value_or(-1.0);
  if (!(number >= 0.0 && number <= largest) || number != std::floor(number)) return std::nullopt;
  parsed.number = static_cast<Index>(number);
  parsed.values = trim(line);
  for (token = next_token(line); !token.empty(); token = next_token(line)) {
    if (token.substr(0, token.find(':')) != std::to_string(++parsed.entries)) return std::nullopt;
  }
  return parsed;
}

/// What the numbers of the lines so far have in common.
class LineNumbers {
 public:
  void add(const KernelLine& line) {
    const Index before = last_;
    last_ = line.number;
    largest_ = std::max(largest_, last_);
    const auto [same, is_new] = lines_.emplace(last_, line.values);
    alike_ = alike_ && last_ > 0 && same->second == line.values;
    const bool anew = last_ == 1 && count_ % line.entries == 0;
    counts_ = counts_ && (anew || (count_ > 0 && last_ == before + 1));
    ++count_;
    ordered_ = ordered_ && last_ == count_;
  }

  [[nodiscard]] bool number_samples(Index columns) const {
    if (largest_ == 0) return columns > 1;
    return lines_.size() > 1 && (counts_ || (alike_ && largest_ <= columns));
  }
  [[nodiscard]] bool are_ordered(Index columns) const { return ordered_ && count_ == columns; }

 private:
  std::unordered_map<Index, std::string_view> lines_;
  Index count_ = 0;
  Index last_ = 0;
  Index largest_ = 0;
  bool alike_ = true;
  bool counts_ = true;
  bool ordered_ = true;
};

}  // namespace

std::optional<LibsvmKernelFile> find_libsvm_kernel(std::string_view text, const std::string& path,
                                                   const Context& context) {
  constexpr std::size_t bytes_of_line = 64;  // in a map, about
  const auto count = to_size(std::ranges::count(text, '\n'));
  require_memory_of_bytes(path, text.size() + count * bytes_of_line, context);
  LineNumbers numbers;
  std::optional<KernelLine> first;
  for (LibsvmLines lines(text); lines.next();) {
    stop_reading_if_asked(path, context);
    const auto line = parse_kernel_line(lines.content());
    if (!line || line->entries == 0) return std::nullopt;
    if (!first) first = line;
    if (line->entries != first->entries) return std::nullopt;
    numbers.add(*line);
  }
  if (!first || !numbers.number_samples(first->entries)) return std::nullopt;
  return LibsvmKernelFile{first->labelled, numbers.are_ordered(first->entries)};
}

std::string refusal_of_kernel(const LibsvmKernelFile& kernel, const std::string& path) {
  const std::string start =
      "the file is a precomputed kernel in LIBSVM's form, where 0:i numbers the samples: ";
  const char* const labels = kernel.labelled ? " and the labels" : "";
  if (!kernel.ordered) {
    return fmt::format("{}give the matrix between its lines with --gram; {} writes it{}", start,
                       recipe("libsvm"), labels);
  }
  return fmt::format("{}give it with --gram {}{}", start, shell_word(path),
                     kernel.labelled ? "; " + recipe("libsvm") + " writes the labels" : "");
}

}  // namespace kernmix
