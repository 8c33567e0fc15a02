#pragma once
/// \file
/// What every command is made of: a parser with help, and a function that does the work.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernmix/settings.hpp"

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
[[nodiscard]] Command make_explain(CLI::App& root);
[[nodiscard]] Command make_verify(CLI::App& root);
[[nodiscard]] Command make_inspect(CLI::App& root);
[[nodiscard]] Command make_list(CLI::App& root);
[[nodiscard]] Command make_completion(CLI::App& root);
[[nodiscard]] Command make_report(CLI::App& root);
[[nodiscard]] Command make_auto(CLI::App& root);
[[nodiscard]] Command make_compare(CLI::App& root);
[[nodiscard]] Command make_cv(CLI::App& root);
[[nodiscard]] Command make_stability(CLI::App& root);
[[nodiscard]] Command make_tune(CLI::App& root);

/// The words around the options of one command.
struct HelpText {
  std::string name;
  std::string purpose;   ///< one sentence
  std::string usage;     ///< what follows "kernmix NAME"
  std::string examples;  ///< lines that run as they stand
  std::string more;      ///< what to read next
};
[[nodiscard]] CLI::App& add_command(CLI::App& root, const HelpText& text);

/// Options that the help shows under one heading. `word` stands for the value in the help.
class OptionGroup {
 public:
  OptionGroup(CLI::App& app, std::string heading) : app_(app), heading_(std::move(heading)) {}

  /// An option with one value (its text as written), shown with its default.
  void value(const std::string& names, std::string& target, const std::string& word,
             const std::string& description);
  /// An option that may be repeated, one value each time; for a positional, one or more values.
  void values(const std::string& names, std::vector<std::string>& target, const std::string& word,
              const std::string& description);
  /// An option with one value or more, until the next option.
  void list(const std::string& names, std::vector<std::string>& target, const std::string& word,
            const std::string& description);
  void toggle(const std::string& names, bool& target, const std::string& description);
  /// A setting of training; what is written of it goes to `texts`, which must outlive the parser.
  void setting(const Field& field, SettingTexts& texts);

 private:
  CLI::App& app_;
  std::string heading_;
};

/// \throws ParameterError when `given` is false: "NAME is missing: EXPLANATION"
void require(bool given, const std::string& name, const std::string& explanation);

/// Parses the command line; what CLI11 has to say becomes a ParameterError of one sentence.
/// \return true when help or the version was asked for and has been printed
[[nodiscard]] bool parse_command_line(CLI::App& root, int argc, const char* const* argv);

}  // namespace kernmix::cli
