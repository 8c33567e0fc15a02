#include "data/names/name_list.hpp"

#include <string_view>

#include "base/text.hpp"
#include "data/csv_reader.hpp"
#include "data/file.hpp"

namespace kernmix {

std::vector<ListedName> read_name_list(const std::string& file, const Context& context) {
  constexpr char no_separator = '\x1f';  // which no text has
  InputFile input;
  input.path = file;
  input.text = read_file(file, context);
  recognise_text(input, FileFormat::csv, context);
  CsvReader reader(input.text, no_separator, file);
  std::vector<ListedName> names;
  while (reader.next_record()) {
    stop_reading_if_asked(file, context);
    const Index line = reader.line();
    const std::string_view name = trim(reader.field());
    if (!name.empty()) names.push_back({std::string(name), line});
    reader.skip_rest();
  }
  return names;
}

}  // namespace kernmix
