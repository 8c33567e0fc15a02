#include "model/file/table_section.hpp"

#include "model/file/header.hpp"

namespace kernmix {

void put_table(const Model& model, Container& container) {
  Json& header = container.header;
  if (!model.class_type.empty()) header["class_type"] = model.class_type;
  if (!model.table_columns.empty()) header["table_columns"] = model.table_columns;
  for (const Categories& own : model.categories) {
    header["categories"].push_back({{"column", own.column}, {"values", own.values}});
  }
}

void read_table_section(const Container& container, Model& model) {
  const Json& header = container.header;
  if (header.contains("class_type")) model.class_type = get_text(header, "class_type");
  if (header.contains("table_columns")) model.table_columns = get_texts(header, "table_columns");
  if (!header.contains("categories")) return;
  for (const Json& entry : get_list(header, "categories")) {
    model.categories.push_back({get_text(entry, "column"), get_texts(entry, "values")});
  }
}

}  // namespace kernmix
