#include "data/csv.hpp"
#include "tables.hpp"

using namespace kernmix;

KERNMIX_FUZZ {
  ReadOptions options = fuzz::small_tables();
  options.label_column = "y";
  options.id_column = "id";
  InputFile file = fuzz::input(text, FileFormat::csv);
  read_csv_header(file, true);
  fuzz::expect_consistent(read_csv(file, options));
}
