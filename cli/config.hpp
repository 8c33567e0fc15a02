#pragma once
/// \file
/// Options from a TOML file: every long option is a key; options on the command line take
/// precedence.

#include <toml++/toml.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/settings.hpp"

namespace kernmix::cli {

/// The text of a TOML file.
struct TomlText {
  std::string file;
  std::string text;
};

/// Sets options of `command` from `file` unless the command line sets them. It uses the keys in a
/// table with the name of the command, then those at the top level; tables of other commands are
/// skipped. \throws ParameterError naming file and line of an unknown key, of two keys of one
/// option, or of a value that does not fit
/// \throws DataError when the file cannot be read or is not TOML
/// \throws ResourceError as read_toml_text()
void apply_config(CLI::App& command, const std::string& file, const Context& context = {});
/// The same for the text of a file; messages name the file.
void apply_config_text(CLI::App& command, const std::string& text, const std::string& file);

/// The same for the keys of a table other than `skipped`.
void apply_config_table(CLI::App& command, const std::string& file, const toml::table& table,
                        const std::vector<std::string>& skipped);
/// The texts of a setting from a key. \throws ParameterError naming file and line
[[nodiscard]] std::vector<std::string> setting_texts(const Field& field, const std::string& file,
                                                     const std::string& key,
                                                     const toml::node& node);
/// The keys that `command` knows.
[[nodiscard]] std::vector<std::string> known_keys(const CLI::App& command);
/// \throws DataError when the file cannot be read, ResourceError if it is too long for a file of
/// options, or the context requests a stop
[[nodiscard]] TomlText read_toml_text(const std::string& option, const std::string& file,
                                      const Context& context);
/// \throws DataError when it is not TOML
[[nodiscard]] toml::table parse_toml(const std::string& option, const TomlText& text);

}  // namespace kernmix::cli
