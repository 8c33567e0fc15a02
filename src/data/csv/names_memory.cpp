#include "data/csv/names_memory.hpp"

#include <algorithm>
#include <string_view>

namespace kernmix {
namespace {

constexpr std::size_t lines_looked_at = 64;  ///< the header stands below comments
constexpr std::size_t bytes_of_name = 500;   ///< fields, roles and tables of names, measured

std::size_t most_separators(std::string_view line) {
  std::size_t most = 0;
  for (const char separator : {',', ';', '\t', '|'}) {
    most = std::max(most, static_cast<std::size_t>(std::ranges::count(line, separator)));
  }
  return most;
}

/// Lines that begin with @attribute.
std::size_t attributes_of(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    const bool begins_line = at == 0 || text[at - 1] == '\n' || text[at - 1] == ' ';
    const char letter = at + 1 < text.size() ? text[at + 1] : ' ';
    count += begins_line && (letter == 'a' || letter == 'A') ? 1 : 0;
  }
  return count;
}

}  // namespace

std::size_t bytes_of_names(const InputFile& file) {
  if (file.format == FileFormat::arff) return attributes_of(file.text) * bytes_of_name;
  if (file.format != FileFormat::csv && file.format != FileFormat::tsv) return 0;
  std::string_view text = file.text;
  std::size_t most = 0;
  for (std::size_t k = 0; k < lines_looked_at && !text.empty(); ++k) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    most = std::max(most, most_separators(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return (most + 1) * bytes_of_name;
}

void require_memory_of_names(const InputFile& file, const Context& context) {
  const std::size_t names = bytes_of_names(file);
  if (names == 0) return;
  require_table_memory(file.path, 0, 0, context.memory_bytes, file.text.size() + names);
}

}  // namespace kernmix
