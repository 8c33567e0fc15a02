#pragma once
/// \file
/// A CSV or TSV file whose samples are read a block at a time, so that the memory does not grow
/// with their number.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/data.hpp"

namespace kernmix {

class TableBlocks {
 public:
  /// Opens "FILE", "NAME=FILE" or "-". \param options  without labels, targets and words that
  /// are numbered as they occur, and with ReadOptions::only
  /// \param bytes  of the numbers that the caller needs for each sample
  /// \param multiple  of samples in each block but the last
  /// \throws as read_table(), for what the beginning of the file tells
  TableBlocks(const std::string& file, ReadOptions options, std::size_t bytes, Index multiple);
  ~TableBlocks();

  /// The next samples as read_table() reads them, without notes; nothing at the end. A file that is
  /// short, or of another format, is one block.
  /// \throws as read_table(). Faults are those of the whole file: after the first one no more
  /// samples are returned, but all are read.
  [[nodiscard]] std::optional<Table> next();
  /// Reads to the end, and throws the faults of the file, if there are any.
  void finish();
  /// Table::notes of the whole file, at its end.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kernmix
