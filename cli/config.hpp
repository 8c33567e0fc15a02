#pragma once
/// \file
/// Options from a TOML file: every long option is a key, flags on the command line win.

#include <toml++/toml.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/settings.hpp"

namespace kernmix::cli {

/// A TOML file as it was read.
struct TomlText {
  std::string file;
  std::string text;
};

/// Gives every option of `command` that the command line left alone its value from `file`. Keys at
/// the top and those in a table with the command's name count; tables of other commands are
/// skipped. \throws ParameterError naming file and line of an unknown key or a value that does not
/// fit \throws DataError when the file cannot be read or is not TOML
/// \throws ResourceError as read_toml_text()
void apply_config(CLI::App& command, const std::string& file, const Context& context = {});
/// The same of the text of such a file, which messages name.
void apply_config_text(CLI::App& command, const std::string& text, const std::string& file);

/// The same of one key. A value that `command` has already stays.
void apply_config_key(CLI::App& command, const std::string& file, const std::string& key,
                      const toml::node& node);
/// What a key says of a setting. \throws ParameterError naming file and line
[[nodiscard]] std::vector<std::string> setting_texts(const Field& field, const std::string& file,
                                                     const std::string& key,
                                                     const toml::node& node);
/// The keys that `command` knows.
[[nodiscard]] std::vector<std::string> known_keys(const CLI::App& command);
/// \throws DataError when the file cannot be read, ResourceError where it is longer than any file
/// of options, or the context says stop
[[nodiscard]] TomlText read_toml_text(const std::string& option, const std::string& file,
                                      const Context& context);
/// \throws DataError when it is not TOML
[[nodiscard]] toml::table parse_toml(const std::string& option, const TomlText& text);

}  // namespace kernmix::cli
