#include "data/roles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "base/text.hpp"
#include "data/csv/problems.hpp"
#include "data/csv/remedies.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

Role role_of(const std::string& name, const ReadOptions& options) {
  if (!options.label_column.empty() && name == options.label_column) return Role::label;
  if (!options.id_column.empty() && name == options.id_column) return Role::id;
  const auto matches = [&](const std::string& pattern) { return glob_match(pattern, name); };
  if (std::any_of(options.ignore.begin(), options.ignore.end(), matches)) return Role::skipped;
  return Role::value;
}

}  // namespace

std::vector<Role> roles_of(const InputFile& file, const ReadOptions& options) {
  const std::unordered_set<std::string> only(options.only.begin(), options.only.end());
  const std::unordered_set<std::string> flags(file.label_columns.begin(), file.label_columns.end());
  const std::unordered_set<std::string> targets(file.target_columns.begin(),
                                                file.target_columns.end());
  std::vector<Role> roles;
  for (const std::string& name : file.header) {
    if (file.row_names && roles.empty()) {
      const Role role = role_of(name, options);
      roles.push_back(role == Role::value ? Role::skipped : role);
      continue;
    }
    if (targets.count(name) > 0) {
      roles.push_back(Role::value);
      continue;
    }
    Role role = flags.count(name) > 0 ? Role::flag : role_of(name, options);
    const bool wanted = only.empty() || only.count(name) || only.count(file.name + "." + name);
    if (role == Role::value && !wanted) role = Role::skipped;
    roles.push_back(role);
  }
  return roles;
}

void name_by_role(const InputFile& file, const std::vector<Role>& roles, Table& table) {
  for (std::size_t j = 0; j < roles.size(); ++j) {
    if (roles[j] == Role::value) table.columns.push_back(file.header[j]);
    if (roles[j] == Role::flag) table.multi_labels.names.push_back(file.header[j]);
  }
}

std::string place(const InputFile& file, Index line, const std::string& column) {
  return fmt::format("{}:{}: column {}: ", file.path, line, in_quotes(column));
}

void refuse_missing(const InputFile& file, Index line, const std::string& column,
                    std::string_view text) {
  const std::string what =
      text.empty() ? "the field is empty" : in_quotes(text) + " is a missing value";
  throw DataError(place(file, line, column) + what + "; " + remedy_of_missing(file.of_model));
}

void refuse_value(const InputFile& file, Index line, const std::string& column,
                  std::string_view text, const ReadOptions& options) {
  InputFile of = InputFile();
  of.path = file.path;
  of.of_model = file.of_model;
  of.header = {column};
  Problems problems{NumberFormat()};
  if (is_missing_value(text)) {
    problems.add(0, Fault::missing, line, text);
  } else {
    problems.add_value(0, line, text);
  }
  refuse_problems(problems, of, options, 1);
}

namespace {

bool is_code(std::string_view text, const ReadOptions& options) {
  const auto same = [&](const std::string& code) { return same_label(code, text); };
  return std::ranges::any_of(options.na, same);
}

bool is_kept_word(std::string_view text, const ReadOptions& options) {
  const auto keeps = [&](const std::string& item) {
    return item.starts_with('!') && glob_match(std::string_view(item).substr(1), text);
  };
  return !text.empty() && std::ranges::any_of(options.na, keeps);
}

}  // namespace

bool is_missing_cell(std::string_view text, const ReadOptions& options) {
  return is_missing_value(text) || is_code(text, options);
}

bool is_missing_word(std::string_view text, const ReadOptions& options) {
  if (is_code(text, options)) return true;
  return is_missing_value(text) && !is_kept_word(text, options);
}

bool is_missing_name(std::string_view text, const ReadOptions& options) {
  return is_missing_name(text) && !is_kept_word(text, options);
}

std::string option_of_word(std::string_view text) {
  return "--na " + shell_word("!" + std::string(text));
}

std::unordered_map<std::string, double> codes_of(const std::vector<std::string>& words) {
  std::unordered_map<std::string, double> codes;
  for (std::size_t k = 0; k < words.size(); ++k) codes.emplace(words[k], static_cast<double>(k));
  return codes;
}

void refuse_category(const InputFile& file, Index line, const std::string& column,
                     std::string_view text, const std::vector<std::string>& words) {
  if (is_missing_value(text)) refuse_missing(file, line, column, text);
  throw DataError(fmt::format(
      "{}{} is not one of the values in the training data, {}{}; correct it, or remove the sample",
      place(file, line, column), in_quotes(text), fmt::join(words, ", "),
      did_you_mean(text, words)));
}

double code_of(const InputFile& file, Index line, const std::string& column,
               const std::string& text, const std::unordered_map<std::string, double>& codes,
               const std::vector<std::string>& words) {
  const auto code = codes.find(text);
  if (code == codes.end()) refuse_category(file, line, column, text, words);
  return code->second;
}

void require_name(const InputFile& file, Index line, const std::string& column,
                  std::string_view text, std::string_view what, const ReadOptions& options) {
  if (!is_missing_name(text, options)) return;
  throw DataError(fmt::format("{}the {} is missing; fill it in or remove the sample{}",
                              place(file, line, column), what, remedy_of_name(text)));
}

std::string remedy_of_name(std::string_view text) {
  if (text.find_first_of("aelnuAELNU") == std::string_view::npos) return "";
  return fmt::format(", or read {} as a name with {}", in_quotes(text), option_of_word(text));
}

char parse_flag(std::string_view text) {
  const std::optional<double> number = parse_number(text);
  if (number == 1.0) return '1';
  if (number == 0.0) return '0';
  if (number == -1.0) return '-';
  const std::string word = lowercase(trim(text));
  return word == "true" ? '1' : word == "false" ? '0' : '\0';
}

FlagReader::FlagReader(const InputFile& file) : file_(file), negative_(file.header.size()) {}

Flag FlagReader::look(std::size_t column, std::string_view text) {
  const char flag = parse_flag(text);
  if (flag == '\0') return Flag::invalid;
  if (flag == '1') return Flag::yes;
  if (negative_[column] == '\0') negative_[column] = flag;
  return negative_[column] == flag ? Flag::no : Flag::mixed;
}

unsigned char FlagReader::read(std::size_t column, std::string_view text, Index line) {
  const Flag flag = look(column, text);
  if (flag == Flag::yes) return 1;
  if (flag == Flag::no) return 0;
  const bool mixed = flag == Flag::mixed;
  throw DataError(fmt::format("{}{}{}; {}", place(file_, line, file_.header[column]),
                              in_quotes(text), mixed ? mixed_flag_fault(text) : flag_fault,
                              mixed ? mixed_flag_remedy : flag_remedy));
}

std::string mixed_flag_fault(std::string_view text) {
  return fmt::format(" in a column that also has {}", parse_flag(text) == '-' ? "0" : "-1");
}

}  // namespace kernmix
