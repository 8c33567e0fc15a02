#pragma once
/// \file
/// Columns whose words are numbered while a file is read (ReadOptions::categorical).

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/file.hpp"

namespace kernmix {

/// Tells each file which of its columns hold words. \throws ParameterError for an item that is not
/// a column of any file, with similar names, and for an order with a word twice
void choose_word_columns(std::vector<InputFile>& files, const ReadOptions& options);

/// The numbers of the words of one column.
class WordColumn {
 public:
  /// \param order words in ascending order, of an ordered column; empty: as they occur
  explicit WordColumn(const std::vector<std::string>& order);

  /// The number of a word until sort(); without order, 1 and 1.0 are the same word.
  /// \throws DataError for a word that is not in the order
  double number_of(const std::string& text, const std::string& place);

  /// Puts the words of a column without order into ascending order, numbers by value.
  /// \returns the new number of each old one
  Vector sort();

  [[nodiscard]] bool ordered() const { return ordered_; }
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  bool ordered_;
  std::vector<std::string> words_;
  std::unordered_map<std::string, double> numbers_;
};

/// Renumbers the words of column j of the table, which is n x D row by row, and adds its
/// categories.
void finish_words(WordColumn& column, const std::string& name, Index j, Table& table);

}  // namespace kernmix
