#include <array>

#include "data/csv.hpp"
#include "data/csv/encoding.hpp"
#include "data/csv/reading.hpp"
#include "tables.hpp"

using namespace kernmix;

namespace {

/// Options chosen by the first byte, so that every notation meets every text.
ReadOptions options_of(unsigned char choice) {
  constexpr std::array<char, 3> decimals = {'\0', '.', ','};
  constexpr std::array<char, 5> thousands = {'\0', ',', '.', '\'', ' '};
  ReadOptions options = fuzz::small_tables();
  options.label_column = "y";
  options.id_column = (choice & 1) != 0 ? "id" : row_names_column;
  options.keep_missing = (choice & 2) != 0;
  if ((choice & 4) != 0) options.na = {"-9", "none"};
  options.decimal = decimals[choice / 8 % decimals.size()];
  options.thousands = thousands[choice / 32 % thousands.size()];
  return options;
}

}  // namespace

KERNMIX_FUZZ {
  const auto choice = static_cast<unsigned char>(text.empty() ? '\0' : text.front());
  const ReadOptions options = options_of(choice);
  InputFile file = fuzz::input(text.substr(text.empty() ? 0 : 1), FileFormat::csv);
  file.encoding = decode_text(file.text, file.path, options.context);
  read_csv_header(file, (choice & 16) == 0);
  const CsvReading reading = read_samples(file, options);
  fuzz::expect_consistent(reading.table);
  const auto problems = describe(reading.problems, file, options, reading.rows());
  fuzz::expect(problems.empty() == reading.problems.empty());
  fuzz::expect_consistent(read_csv(file, options));
}
