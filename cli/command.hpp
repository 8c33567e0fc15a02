#pragma once
/// \file
/// The parts of a command: a parser with help, and a function that does the work.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernmix/settings.hpp"

namespace kernmix::cli {

/// Exit codes besides those of ErrorKind.
inline constexpr int kDone = 0;
inline constexpr int kDisagrees = 3;     ///< verify: a claim of the model does not hold
inline constexpr int kStoppedEarly = 5;  ///< the best certified answer was written

struct Command {
  CLI::App* app = nullptr;
  const std::string* config = nullptr;  ///< value of --config, if the command has it
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

/// Messages of the library name settings as "(absent=drop)": the same as "(--absent drop)".
[[nodiscard]] std::string with_option_names(std::string message);

/// The text of the help of one command around the options.
struct HelpText {
  std::string name;
  std::string purpose;   ///< one sentence
  std::string usage;     ///< the part after "kernmix NAME"
  std::string examples;  ///< commands that can be run
  std::string more;      ///< notes and links
};
[[nodiscard]] CLI::App& add_command(CLI::App& root, const HelpText& text);

/// What a command does with the file that an option names.
enum class FileUse : char {
  none,           ///< the value names no file
  reads,          ///< FILE
  reads_table,    ///< [NAME=]FILE[:ARRAY]
  reads_names,    ///< names, or an .xml file with names
  reads_or_word,  ///< a setting such as auto|none|R|FILE
  options,        ///< 'NAME: OPTIONS' with options of training
  grid,           ///< KEY=VALUES of settings
  writes,
  writes_folder
};

/// The word that stands for the value of an option in the help, with the use of the file that it
/// names. The compiler refuses a word for a file whose use is not stated.
class Word {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor)
  consteval Word(const char* text) : text_(text) {
    const std::string_view word(text);
    for (const std::string_view file : {"FILE", "FOLDER", "DATA", ".kmx", ".json", ".html"}) {
      if (word.find(file) != std::string_view::npos) throw "state whether the file is an input";
    }
  }
  constexpr Word(const char* text, FileUse use) : text_(text), use_(use) {}

  [[nodiscard]] constexpr const char* text() const { return text_; }
  [[nodiscard]] constexpr FileUse use() const { return use_; }

 private:
  const char* text_;
  FileUse use_ = FileUse::none;
};
constexpr Word reads(const char* word) { return {word, FileUse::reads}; }
constexpr Word reads_table(const char* word) { return {word, FileUse::reads_table}; }
constexpr Word writes(const char* word) { return {word, FileUse::writes}; }

/// The use of files by an option that OptionGroup has added.
[[nodiscard]] FileUse use_of(CLI::Option& option);

/// Options that the help shows under one heading. `word` stands for the value in the help.
class OptionGroup {
 public:
  OptionGroup(CLI::App& app, std::string heading) : app_(app), heading_(std::move(heading)) {}

  /// An option with one value (its text as written), shown with its default.
  void value(const std::string& names, std::string& target, Word word,
             const std::string& description);
  /// An option that may be repeated, one value each time; for a positional, one or more values.
  void values(const std::string& names, std::vector<std::string>& target, Word word,
              const std::string& description);
  /// An option with one value or more, until the next option.
  void list(const std::string& names, std::vector<std::string>& target, Word word,
            const std::string& description);
  void toggle(const std::string& names, bool& target, const std::string& description);
  /// A setting of training; its values are stored in `texts`, which must outlive the parser.
  void setting(const Field& field, SettingTexts& texts);

 private:
  CLI::App& app_;
  std::string heading_;
};

/// The options of a command as they are typed: "--loss", "-C".
[[nodiscard]] std::vector<std::string> option_names(const CLI::App& app);

/// \throws ParameterError when `given` is false: "NAME is missing: EXPLANATION"
void require(bool given, const std::string& name, const std::string& explanation);

/// Parses the command line; errors of CLI11 become a ParameterError with one sentence. \return true
/// if help or the version was requested and printed
[[nodiscard]] bool parse_command_line(CLI::App& root, int argc, const char* const* argv);

}  // namespace kernmix::cli
