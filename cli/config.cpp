#include "config.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/memory/memory_text.hpp"
#include "base/text.hpp"
#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix::cli {
namespace {

/// One key of the file with its position for errors.
struct Entry {
  const std::string& file;
  std::string key;
  const toml::node& node;

  [[noreturn]] void refuse(const std::string& why) const {
    throw ParameterError(fmt::format("{}:{}: {}", file, node.source().begin.line, why));
  }
};

std::string text_of(const Entry& entry, const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto whole = node.value_exact<std::int64_t>()) return fmt::format("{}", *whole);
  if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
  if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
  entry.refuse(
      fmt::format("'{}' must be text, a number, true or false, or a list of them", entry.key));
}

std::vector<std::string> texts_of(const Entry& entry) {
  const toml::array* const list = entry.node.as_array();
  if (list == nullptr) return {text_of(entry, entry.node)};
  std::vector<std::string> texts;
  for (const toml::node& node : *list) texts.push_back(text_of(entry, node));
  return texts;
}

/// The option that a key stands for: "--key", "-K" for one letter, or the positional KEY.
CLI::Option* find_option(CLI::App& command, const std::string& key) {
  if (key == "config" || key == "help") return nullptr;
  std::string upper = key;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::string flag = (key.size() == 1 ? "-" : "--") + key;
  CLI::Option* option = command.get_option_no_throw(flag);
  if (option == nullptr && upper != key) option = command.get_option_no_throw(upper);
  return option;
}

/// The texts of a value after a check of its type. \param many whether it may be a list
std::vector<std::string> checked_texts(const Entry& entry, bool is_switch, bool many) {
  std::vector<std::string> values = texts_of(entry);
  if (is_switch != entry.node.is_boolean()) {
    entry.refuse(fmt::format("'{}' {}", entry.key,
                             is_switch ? "must be true or false" : "must not be true or false"));
  }
  if (values.size() > 1 && !many) {
    entry.refuse(fmt::format("'{}' takes one value, not a list", entry.key));
  }
  if (std::ranges::any_of(values, &std::string::empty)) {
    entry.refuse(fmt::format("'{}' must not be empty", entry.key));
  }
  return values;
}

void apply_entry(CLI::App& command, const Entry& entry) {
  CLI::Option* const option = find_option(command, entry.key);
  if (option == nullptr) {
    entry.refuse(fmt::format("unknown key {}{}; the keys of '{}' are its long options",
                             kernmix::in_quotes(entry.key),
                             did_you_mean(entry.key, known_keys(command)), command.get_name()));
  }
  const int most = option->get_expected_max();
  std::vector<std::string> values = checked_texts(entry, most == 0, most > 1);
  if (option->count() > 0 || values.empty()) return;
  option->add_result(std::move(values));
  option->run_callback();
}

bool is_command(const CLI::App& command, std::string_view name) {
  const auto all = command.get_parent()->get_subcommands(nullptr);
  return std::any_of(all.begin(), all.end(),
                     [&](const CLI::App* other) { return other->get_name() == name; });
}

/// "C" and "cost" are two keys of one option.
void refuse_two_keys_of_one(const CLI::Option* option, const Entry& entry,
                            std::map<const CLI::Option*, std::string>& keys) {
  const auto [place, is_first] = keys.emplace(option, entry.key);
  if (option == nullptr || is_first) return;
  entry.refuse(
      fmt::format("'{}' and '{}' are the same option: give one of them", place->second, entry.key));
}

/// The table of the command comes first, because what an option has is kept.
void apply_file(CLI::App& command, const std::string& file, const toml::table& table) {
  std::vector<std::string> commands;
  for (const auto& item : table) {
    const std::string key(item.first.str());
    if (item.second.is_table() && is_command(command, key)) commands.push_back(key);
  }
  const toml::table* const own = table[command.get_name()].as_table();
  if (own != nullptr) apply_config_table(command, file, *own, {});
  apply_config_table(command, file, table, commands);
}

/// Length of the string or comment at the beginning of the text; 1 if there is none.
std::size_t length_of_token(std::string_view text) {
  if (text.front() == '#') return std::min(text.find('\n'), text.size());
  if (text.front() != '"' && text.front() != '\'') return 1;
  const std::string_view one = text.substr(0, 1);
  const std::string three(3, text.front());
  const std::string_view quote = text.starts_with(three) ? std::string_view(three) : one;
  for (std::size_t at = quote.size(); at < text.size(); ++at) {
    if (text[at] == '\\' && text.front() == '"') {
      ++at;
    } else if (text[at] == '\n' && quote.size() == 1) {
      return at;
    } else if (text.substr(at).starts_with(quote)) {
      return at + quote.size();
    }
  }
  return text.size();
}

/// The parser recurses for each part of a key (a.b.c...) and could overflow the stack. It limits
/// the nesting of values itself.
void check_depth(const std::string& option, const std::string& text, const std::string& file) {
  constexpr int deepest_key = 100;
  int dots = 0;
  for (std::size_t at = 0; at < text.size();
       at += length_of_token(std::string_view(text).substr(at))) {
    const char c = text[at];
    if (std::string_view("\n=,[]{}").find(c) != std::string_view::npos) dots = 0;
    if (c != '.' || ++dots <= deepest_key) continue;
    throw DataError(
        fmt::format("{}: {} has a key of more than {} parts", option, file, deepest_key));
  }
}

/// The parsed text takes many times its size.
std::size_t longest_text(const Context& context) {
  constexpr std::size_t longest = std::size_t{4} << 20;
  constexpr std::size_t times = 50;
  return context.memory_bytes == 0 ? longest : std::min(longest, context.memory_bytes / times);
}

toml::table parsed(const std::string& option, const std::string& text, const std::string& file) {
  check_depth(option, text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw DataError(
        fmt::format("{}:{}: not TOML: {}", file, error.source().begin.line, error.description()));
  }
}

}  // namespace

std::vector<std::string> known_keys(const CLI::App& command) {
  std::vector<std::string> keys;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) keys.push_back(name);
  }
  return keys;
}

TomlText read_toml_text(const std::string& option, const std::string& file,
                        const Context& context) {
  Context limited = context;
  limited.memory_bytes = longest_text(context);
  try {
    return {file, read_file(file, limited)};
  } catch (const DataError& failure) {
    throw DataError(fmt::format("{}: {}", option, failure.what()));
  } catch (const ResourceError& failure) {
    if (context.should_stop()) throw ResourceError(fmt::format("{}: {}", option, failure.what()));
    throw ResourceError(
        fmt::format("{}: {} has more than {}, which is too long for a TOML file of options", option,
                    file, memory_text(limited.memory_bytes)));
  }
}

toml::table parse_toml(const std::string& option, const TomlText& text) {
  return parsed(option, text.text, text.file);
}

void apply_config(CLI::App& command, const std::string& file, const Context& context) {
  apply_config_text(command, read_toml_text("--config", file, context).text, file);
}

void apply_config_text(CLI::App& command, const std::string& text, const std::string& file) {
  apply_file(command, file, parsed("--config", text, file));
}

void apply_config_table(CLI::App& command, const std::string& file, const toml::table& table,
                        const std::vector<std::string>& skipped) {
  std::map<const CLI::Option*, std::string> keys;
  for (const auto& item : table) {
    const Entry entry{file, std::string(item.first.str()), item.second};
    if (std::ranges::find(skipped, entry.key) != skipped.end()) continue;
    refuse_two_keys_of_one(find_option(command, entry.key), entry, keys);
    apply_entry(command, entry);
  }
}

std::vector<std::string> setting_texts(const Field& field, const std::string& file,
                                       const std::string& key, const toml::node& node) {
  const bool many = field.form == SettingForm::list || field.form == SettingForm::shares;
  return checked_texts({file, key, node}, field.form == SettingForm::toggle, many);
}

}  // namespace kernmix::cli
