#pragma once
/// \file
/// Files that live as long as a test.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "kernmix/error.hpp"

namespace kernmix {

/// A fresh folder, removed with everything in it at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "kernmix-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }

  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream stream(path(name), std::ios::binary);
    stream << bytes;
    return path(name);
  }

  /// `text` with the folder's own name taken out, so that messages can be compared as a whole.
  [[nodiscard]] std::string strip(std::string text) const {
    const std::string prefix = path_ + "/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
      text.erase(at, prefix.size());
    }
    return text;
  }

 private:
  std::string path_;
};

/// The sentence of the kernmix::Error that `action` throws, or "no error".
template <typename Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace kernmix
