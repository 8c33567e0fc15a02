#include "data/words/word_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "base/text.hpp"
#include "data/csv/remedies.hpp"
#include "data/join.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr std::string_view kAuto = "auto";

/// An item of ReadOptions::categorical.
struct WordChoice {
  std::string column;              ///< a glob, unless it is exact
  std::vector<std::string> order;  ///< "COLUMN=first<second"; empty: words without order
  bool exact = false;              ///< `column` is the name of a column
};

WordChoice parse_choice(const std::string& item) {
  const std::size_t equals = item.find('=');
  if (equals == std::string::npos) return {item, {}, false};
  WordChoice choice{std::string(trim(std::string_view(item).substr(0, equals))), {}, false};
  std::set<std::string_view> seen;
  const auto words = split(std::string_view(item).substr(equals + 1), '<');
  for (const std::string_view word : words) {
    if (words.size() < 2 || word.empty() || !seen.insert(word).second) {
      throw ParameterError(fmt::format(
          "--categorical {}: write COLUMN=FIRST<SECOND<... with different words", item));
    }
    choice.order.emplace_back(word);
  }
  return choice;
}

/// Marks the columns that the choice selects. \returns whether there are any
bool mark(std::vector<InputFile>& files, const std::vector<std::vector<std::string>>& joined,
          const WordChoice& choice) {
  bool any = false;
  for (std::size_t f = 0; f < files.size(); ++f) {
    for (std::size_t j = 0; j < files[f].header.size(); ++j) {
      const std::string& own = files[f].header[j];
      const bool named = choice.column == own || choice.column == joined[f][j];
      if (!named && (choice.exact || !glob_match(choice.column, own))) continue;
      files[f].words[own] = choice.order;
      any = true;
    }
  }
  return any;
}

}  // namespace

void choose_word_columns(std::vector<InputFile>& files, const ReadOptions& options) {
  if (options.categorical.empty()) return;
  const std::vector<std::vector<std::string>> joined = joined_headers(files);
  std::vector<std::string> names;
  for (const std::vector<std::string>& own : joined) {
    names.insert(names.end(), own.begin(), own.end());
  }
  for (const std::string& item : options.categorical) {
    const bool is_name = std::ranges::find(names, item) != names.end();
    if (item == kAuto && !is_name) {
      for (InputFile& file : files) file.finds_words = true;
      continue;
    }
    const WordChoice choice = is_name ? WordChoice{item, {}, true} : parse_choice(item);
    const bool of_model = options.categories.has_value();  // make_indicators() names what lacks
    if (mark(files, joined, choice) || of_model) continue;
    throw ParameterError(fmt::format("--categorical {}: {} has no such column{}", item,
                                     comma_list(files, &InputFile::path),
                                     did_you_mean(choice.column, names)));
  }
}

WordColumn::WordColumn(const std::vector<std::string>& order)
    : ordered_(!order.empty()), words_(order) {
  for (const std::string& word : order) {
    numbers_.emplace(word, static_cast<double>(numbers_.size()));
  }
}

double WordColumn::number_of(const std::string& text, const std::string& place) {
  const std::optional<double> number = ordered_ ? std::nullopt : parse_number(text);
  const std::string word = number ? fmt::format("{}", *number) : text;
  const auto known = numbers_.find(word);
  if (known != numbers_.end()) return known->second;
  if (ordered_) {
    throw DataError(fmt::format(
        "{}{} is not one of the ordered words, {}: add it to the order, or read it as missing with "
        "--na {}",
        place, in_quotes(word), comma_list(words_), shell_word(list_item(word))));
  }
  words_.push_back(word);
  return numbers_.emplace(word, static_cast<double>(numbers_.size())).first->second;
}

Vector WordColumn::sort() {
  std::vector<std::size_t> order(words_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto number = [&](std::size_t k) { return parse_number(words_[k]); };
  const bool numeric =
      std::ranges::all_of(order, [&](std::size_t k) { return number(k).has_value(); });
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (numeric && number(a) != number(b)) return number(a) < number(b);
    return words_[a] < words_[b];
  });
  Vector places(words_.size());
  std::vector<std::string> sorted;
  for (std::size_t k = 0; k < order.size(); ++k) {
    places[order[k]] = static_cast<double>(k);
    sorted.push_back(std::move(words_[order[k]]));
  }
  words_ = std::move(sorted);
  return places;
}

void finish_words(WordColumn& column, const std::string& name, Index j, Table& table) {
  if (!column.ordered()) {
    const Vector places = column.sort();
    for (Index i = 0; i < table.values.rows; ++i) {
      double& cell = table.values(i, j);
      if (!std::isnan(cell)) cell = places[to_size(static_cast<Index>(cell))];
    }
  }
  if (column.words().empty()) return;  // every cell is missing
  table.categories.push_back({name, column.words(), !column.ordered()});
}

}  // namespace kernmix
