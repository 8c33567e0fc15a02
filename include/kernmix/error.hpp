#pragma once
/// \file
/// The exceptions of kernmix. Misuse throws before any computation and states the broken rule;
/// the outcome of a computation is never an exception but a Status in the result.

#include <stdexcept>
#include <string>

namespace kernmix {

/// The kind of a failure; its number is the exit code of the command line tool.
enum class ErrorKind {
  internal = 1,   ///< a bug in kernmix
  parameter = 2,  ///< an option, expression or combination that is not allowed
  data = 3,       ///< a file, matrix, label or model that cannot be used
  resource = 4    ///< not enough memory, disk or permissions
};

/// Base class of all exceptions of kernmix. `what()` is one sentence that names the place
/// (file, line, column or option), the broken rule and, if possible, the remedy.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence)
      : std::runtime_error(without_nul(sentence)), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  /// what() ends at the first NUL, which a name or a cell of a file may have.
  [[nodiscard]] static std::string without_nul(std::string sentence) {
    for (std::size_t at = sentence.find('\0'); at != std::string::npos;
         at = sentence.find('\0', at)) {
      sentence.replace(at, 1, "\\x00");
    }
    return sentence;
  }

  ErrorKind kind_;
};

/// A parameter outside its range, an unknown name, or parts that do not fit together.
class ParameterError : public Error {
 public:
  explicit ParameterError(const std::string& sentence) : Error(ErrorKind::parameter, sentence) {}
};

/// Data that cannot be used.
class DataError : public Error {
 public:
  explicit DataError(const std::string& sentence) : Error(ErrorKind::data, sentence) {}
};

/// Memory, disk or permissions do not suffice.
class ResourceError : public Error {
 public:
  explicit ResourceError(const std::string& sentence) : Error(ErrorKind::resource, sentence) {}
};

}  // namespace kernmix
