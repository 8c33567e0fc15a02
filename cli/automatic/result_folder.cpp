#include "automatic/result_folder.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "kernmix/error.hpp"
#include "output.hpp"

namespace kernmix::cli {
namespace {

namespace fs = std::filesystem;

/// By the first bytes of models, JSON results and reports.
bool is_result_of_kernmix(const std::string& file) {
  std::array<char, 4096> bytes{};
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), bytes.size());
  const std::string_view head(bytes.data(), static_cast<std::size_t>(in.gcount()));
  return head.empty() || head.starts_with("KERNMIX\n") ||
         head.starts_with("{\n  \"version\": \"") ||
         head.find("<title>kernmix") != std::string_view::npos;
}

/// The folder may contain a run.json of another program.
void refuse_files_of_others(const std::string& folder) {
  for (const std::string& file : ResultFiles(folder).all()) {
    std::error_code failed;
    if (!fs::is_regular_file(file, failed) || is_result_of_kernmix(file)) continue;
    throw ParameterError(
        fmt::format("-o: {} is not a result of kernmix and would be overwritten; name another "
                    "folder, or move that file",
                    in_quotes(file)));
  }
}

}  // namespace

ResultFiles::ResultFiles(const std::string& folder)
    : model(folder + "/model.kmx"),
      run(folder + "/run.json"),
      tune(folder + "/tune.json"),
      held_out(folder + "/held_out.json"),
      report(folder + "/report.html") {}

std::vector<std::string> ResultFiles::all() const { return {model, run, tune, held_out, report}; }

ResultFolder::ResultFolder(std::string path) : path_(std::move(path)) {
  std::error_code failed;
  const fs::file_status status = fs::status(path_, failed);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw ParameterError(fmt::format("-o: {} is a file; name a folder", in_quotes(path_)));
  }
  if (!fs::exists(status)) {
    while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
    check_outputs({{"-o", path_}}, {});
  } else {
    std::vector<OutputFile> outputs;
    for (const std::string& file : ResultFiles(path_).all()) outputs.push_back({"-o", file});
    check_outputs(outputs, {});
    refuse_files_of_others(path_);
  }
}

void ResultFolder::add(const std::string& path, std::string bytes) {
  files_.push_back({fs::path(path).filename().string(), std::move(bytes)});
}

void ResultFolder::write() const {
  std::vector<std::string> ours;
  for (const std::string& file : ResultFiles(path_).all()) {
    ours.push_back(fs::path(file).filename().string());
  }
  write_folder(path_, files_, ours);
}

}  // namespace kernmix::cli
