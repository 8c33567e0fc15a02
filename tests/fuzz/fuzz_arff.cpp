#include "data/arff/arff.hpp"
#include "tables.hpp"

using namespace kernmix;

KERNMIX_FUZZ {
  ReadOptions options = fuzz::small_tables();
  options.label_column = "y";
  options.id_column = "id";
  InputFile file = fuzz::input(text, FileFormat::arff);
  read_arff_names(file);
  for (const std::string& name : file.header) {
    if (name.starts_with("l")) file.label_columns.push_back(name);
  }
  fuzz::expect_consistent(read_arff(file, options));
}
