#pragma once
/// \file
/// What every table that was read must be.

#include "data/file.hpp"
#include "survive.hpp"

namespace kernmix::fuzz {

inline ReadOptions small_tables() {
  ReadOptions options;
  options.context.memory_bytes = std::size_t{1} << 24;
  return options;
}

inline InputFile input(const std::string& text, FileFormat format) {
  InputFile file;
  file.path = "input";
  file.text = text;
  file.format = format;
  return file;
}

inline void expect_consistent(const FileTable& part) {
  const Table& table = part.table;
  expect(table.values.values.size() == part.lines.size() * table.columns.size());
  expect(table.labels.empty() || table.labels.size() == part.lines.size());
  expect(table.multi_labels.values.size() == part.lines.size() * table.multi_labels.names.size());
}

}  // namespace kernmix::fuzz
