#include "data/label_lists.hpp"
#include "data/libsvm.hpp"
#include "tables.hpp"

using namespace kernmix;

KERNMIX_FUZZ {
  ReadOptions options = fuzz::small_tables();
  const InputFile file = fuzz::input(text, FileFormat::libsvm);
  try {
    fuzz::expect_consistent(read_libsvm(file, options));
  } catch (const Error&) {  // with lists of labels it may be a table
  }
  options.label_columns = {"*", "0-2"};
  const FileTable part = read_libsvm(file, options);
  const MultiLabels labels = labels_of_lists(part.table.labels, options.label_columns, "input",
                                             options.context.memory_bytes);
  fuzz::expect(labels.values.size() == part.lines.size() * labels.names.size());
}
