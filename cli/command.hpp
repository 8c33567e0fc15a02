#pragma once
/// \file
/// What every command is made of: a parser with help, and a function that does the work.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace kernmix::cli {

/// Exit codes besides those of ErrorKind.
inline constexpr int kDone = 0;
inline constexpr int kDisagrees = 3;     ///< verify: the model is not what its certificate says
inline constexpr int kStoppedEarly = 5;  ///< the best certified answer was written

struct Command {
  CLI::App* app = nullptr;
  const std::string* config = nullptr;  ///< value of --config, where the command has it
  std::function<int()> run;             ///< returns the exit code
};

/// One function for each file of commands; each adds its subcommand to `root`.
[[nodiscard]] Command make_train(CLI::App& root);
[[nodiscard]] Command make_predict(CLI::App& root);
[[nodiscard]] Command make_evaluate(CLI::App& root);
[[nodiscard]] Command make_verify(CLI::App& root);
[[nodiscard]] Command make_inspect(CLI::App& root);
[[nodiscard]] Command make_list(CLI::App& root);
[[nodiscard]] Command make_report(CLI::App& root);

/// The words around the options of one command.
struct HelpText {
  std::string name;
  std::string purpose;   ///< one sentence
  std::string usage;     ///< what follows "kernmix NAME"
  std::string examples;  ///< lines that run as they stand
  std::string more;      ///< what to read next
};
[[nodiscard]] CLI::App& add_command(CLI::App& root, const HelpText& text);

/// How an option shows in the help: its group, the word for its value, what it does.
struct OptionText {
  std::string group;
  std::string value;
  std::string description;
};

/// An option with one value (its text as written), shown with its default.
CLI::Option* add_value(CLI::App& app, const std::string& names, std::string& target,
                       const OptionText& text);
/// An option that may be repeated, one value each time; for a positional, one or more values.
CLI::Option* add_values(CLI::App& app, const std::string& names, std::vector<std::string>& target,
                        const OptionText& text);
CLI::Option* add_switch(CLI::App& app, const std::string& names, bool& target,
                        const OptionText& text);

/// \throws ParameterError when `given` is false: "NAME is missing: EXPLANATION"
void require(bool given, const std::string& name, const std::string& explanation);

/// Parses the command line; what CLI11 has to say becomes a ParameterError of one sentence.
/// \return true when help or the version was asked for and has been printed
[[nodiscard]] bool parse_command_line(CLI::App& root, int argc, const char* const* argv);

}  // namespace kernmix::cli
