#include "data/file.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <limits>
#include <span>
#include <string>

#include "base/descriptor.hpp"
#include "base/memory/memory_text.hpp"
#include "base/names.hpp"
#include "base/text.hpp"
#include "data/arff/arff.hpp"
#include "data/arrays/inflate.hpp"
#include "data/csv/encoding.hpp"
#include "data/csv/recipe.hpp"
#include "data/csv/remedies.hpp"
#include "data/number.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr Named<FileFormat> file_formats[] = {
    {FileFormat::automatic, "auto"}, {FileFormat::csv, "csv"},   {FileFormat::tsv, "tsv"},
    {FileFormat::libsvm, "libsvm"},  {FileFormat::arff, "arff"}, {FileFormat::npy, "npy"}};

bool starts_with_any(std::string_view bytes, std::initializer_list<std::string_view> starts) {
  for (const std::string_view start : starts) {
    if (bytes.substr(0, start.size()) == start) return true;
  }
  return false;
}

/// Rejects files that are recognisably not text, naming their format.
void require_text(const std::string& path, std::string_view bytes) {
  if (starts_with_any(bytes, {"\x1f\x8b"sv, "BZh91AY"sv,
                              "\xfd"
                              "7zXZ"sv,
                              "\x28\xb5\x2f\xfd"sv})) {
    throw DataError(path + ": is compressed; unpack it first");
  }
  if (starts_with_any(bytes, {"MATLAB 5"sv, "MATLAB 7"sv, "\x89HDF\r\n\x1a\n"sv})) {
    throw DataError(path + ": is a file of arrays, which is read from a file and not from a pipe");
  }
  if (bytes.starts_with("PAR1") && bytes.ends_with("PAR1")) {
    throw DataError(path + ": is a Parquet file; save it as CSV, " + recipe("formats"));
  }
  if (starts_with_any(bytes, {"ARROW1\0"sv})) {
    throw DataError(path + ": is an Arrow or Feather file; save it as CSV, " + recipe("formats"));
  }
  if (starts_with_any(bytes, {"PK\x03\x04"sv})) {
    if (bytes.find("xl/workbook.xml") == std::string_view::npos) {
      throw DataError(path + ": is a ZIP archive (as XLSX and NPZ are); save it as CSV or NPY");
    }
    throw DataError(path + ": is an Excel file (XLSX); save it as CSV in Excel, or by the " +
                    recipe("formats"));
  }
  if (starts_with_any(bytes, {"\xff\xfe\0\0"sv, "\0\0\xfe\xff"sv})) {
    throw DataError(path + ": is UTF-32 text; save it as UTF-8, " + recipe("formats"));
  }
  if (utf16_of(bytes) == Utf16::no && bytes.substr(0, 4096).find('\0') != std::string_view::npos) {
    throw DataError(
        path +
        ": is a binary file of unknown kind; kernmix reads CSV, TSV, LIBSVM, ARFF, NPY, "
        "NPZ, HDF5 and MATLAB files");
  }
}

/// `label index:value ...` on the first line that is neither blank nor a comment.
bool looks_like_libsvm(std::string_view text) {
  std::string_view line;
  while (line.empty() && !text.empty()) {
    const std::size_t end = text.find('\n');
    line = trim(text.substr(0, std::min(end, text.find('#'))));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  const std::size_t blank = line.find_first_of(" \t");
  const std::string_view rest = blank == std::string_view::npos ? line : trim(line.substr(blank));
  const std::size_t digits = rest.find_first_not_of("0123456789");
  return digits != std::string_view::npos && digits > 0 && rest[digits] == ':';
}

FileFormat format_of(const std::string& path, std::string_view bytes) {
  const std::string ending = lowercase(fs::path(path_without_gz(path)).extension().string());
  if (ending == ".npy" || is_npy(bytes)) return FileFormat::npy;
  if (ending == ".csv") return FileFormat::csv;
  if (ending == ".tsv" || ending == ".tab") return FileFormat::tsv;
  if (ending == ".arff") return FileFormat::arff;
  if (ending == ".libsvm" || ending == ".svm" || ending == ".svmlight") return FileFormat::libsvm;
  if (looks_like_arff(bytes)) return FileFormat::arff;
  return looks_like_libsvm(bytes) ? FileFormat::libsvm : FileFormat::csv;
}

std::size_t allowed_bytes(std::size_t budget) {
  if (budget > 0) return budget;
  return to_size(sysconf(_SC_PHYS_PAGES)) / 2 * to_size(sysconf(_SC_PAGESIZE));
}

/// Rejects `what` of a file if it is larger than the memory budget.
void require_bytes(const std::string& path, const std::string& what, std::size_t bytes,
                   std::size_t budget) {
  const std::size_t allowed = allowed_bytes(budget);
  if (bytes <= allowed) return;
  throw ResourceError(fmt::format(
      "{}: {} needs {}, more than the memory budget of {} (--memory); allow more memory, or give "
      "fewer samples or columns",
      path, what, memory_text(bytes), memory_text(allowed)));
}

void require_bytes(const std::string& path, std::size_t bytes, const Context& context) {
  require_bytes(path, "the file", bytes, context.memory_bytes);
}

/// Half of the budget for input of unknown size, such as a pipe: the text is copied as it grows.
void require_half(const std::string& path, std::size_t bytes, const Context& context) {
  const std::size_t allowed = allowed_bytes(context.memory_bytes) / 2;
  if (bytes <= allowed) return;
  throw ResourceError(
      fmt::format("{}: does not end within {}, the memory for its text; allow more memory, or "
                  "write it to a file",
                  path, memory_text(allowed)));
}

/// Reads the next available bytes; 0 at the end. Checks the context regularly.
std::size_t read_some(const Descriptor& in, const std::string& path, const Context& context,
                      std::span<char> out) {
  constexpr int milliseconds = 100;
  for (;;) {
    stop_reading_if_asked(path, context);
    pollfd waiting = {in.number(), POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds) == 0) continue;
    const ssize_t count = ::read(in.number(), out.data(), out.size());
    if (count >= 0) return to_size(count);
    if (errno != EINTR && errno != EAGAIN)
      throw DataError(path + ": reading failed before the end");
  }
}

}  // namespace

void stop_reading_if_asked(const std::string& path, const Context& context) {
  if (!context.should_stop()) return;
  throw ResourceError(
      fmt::format("{}: {} while it was read: there is no result to write", path,
                  context.is_cancelled() ? "interrupted" : "the time limit was reached"));
}

Descriptor open_to_read(const std::string& path) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status)) throw DataError(path + ": no such file");
  if (fs::is_directory(status)) throw DataError(path + ": is a folder, not a file");
  Descriptor in(path, O_RDONLY | O_NONBLOCK);  // a pipe may have no writer yet
  if (!in.is_open() && (errno == EMFILE || errno == ENFILE)) {
    throw ResourceError(path +
                        ": too many files are open; put matrices into one file, as a stack, or "
                        "allow more (ulimit -n)");
  }
  if (!in.is_open()) throw DataError(path + ": cannot be opened; check its permissions");
  return in;
}

std::string read_file(const std::string& path, const Context& context) {
  return read_rest(open_to_read(path), path, "", context);
}

std::string read_rest(const Descriptor& in, const std::string& path, std::string bytes,
                      const Context& context) {
  std::error_code unknown;  // of a file that is removed meanwhile
  const bool is_regular = fs::is_regular_file(path, unknown);
  std::size_t expected = is_regular ? fs::file_size(path, unknown) : 0;
  if (unknown) expected = 0;
  require_bytes(path, expected, context);
  constexpr std::size_t block = std::size_t{1} << 20;
  bytes.reserve(expected + 1);  // reading one byte past the end detects it
  for (bool more = true; more;) {
    const std::size_t before = bytes.size();
    if (before > expected) require_half(path, before, context);
    const std::size_t wanted = before <= expected ? std::min(block, expected + 1 - before) : block;
    more = read_more(in, path, wanted, context, bytes);
  }
  if (bytes.empty()) throw DataError(path + ": is empty");
  return bytes;
}

bool read_more(const Descriptor& in, const std::string& path, std::size_t most,
               const Context& context, std::string& bytes) {
  const std::size_t before = bytes.size();
  bytes.resize(before + most);
  const std::size_t count = read_some(in, path, context, std::span(bytes).subspan(before));
  bytes.resize(before + count);
  return count > 0;
}

std::string file_format_name(FileFormat format) { return name_in(file_formats, format); }

std::optional<FileFormat> find_format(std::string_view name) { return find_in(file_formats, name); }

bool is_npy(std::string_view bytes) { return starts_with_any(bytes, {"\x93NUMPY"sv}); }

std::string path_without_gz(const std::string& path) {
  constexpr std::string_view ending = ".gz";
  const bool packed = lowercase(path).ends_with(ending);
  return packed ? path.substr(0, path.size() - ending.size()) : path;
}

std::string name_of_file(const std::string& path) {
  return fs::path(path_without_gz(path)).stem().string();
}

InputFile name_input(const std::string& specification) {
  InputFile file;
  file.path = specification;
  const std::size_t equals = specification.find('=');
  std::error_code failure;
  if (equals != std::string::npos && equals > 0 && !fs::exists(specification, failure)) {
    file.name = specification.substr(0, equals);
    file.path = specification.substr(equals + 1);
  } else {
    file.name = name_of_file(specification);
  }
  if (file.path == "-" && file.name == "-") file.name = "stdin";
  return file;
}

std::string place_of_input(const InputFile& file) {
  return file.path == "-" ? "/dev/stdin" : file.path;
}

void recognise_text(InputFile& file, FileFormat format, const Context& context) {
  if (file.path == "-") file.path = standard_input;
  if (is_gzip(file.text)) {
    const std::size_t allowed = memory_allowed(context);
    const std::size_t left = allowed - std::min(allowed, file.text.size());
    file.text = gunzip(file.text, left, file.path, context);
    if (file.text.empty()) throw DataError(file.path + ": is empty");
  }
  const auto choose_format = [&] {
    file.format = format == FileFormat::automatic ? format_of(file.path, file.text) : format;
  };
  choose_format();
  if (file.format == FileFormat::npy) return;
  require_text(file.path, file.text);
  file.encoding = decode_text(file.text, file.path, context);
  choose_format();  // the content of UTF-16 decides only now
  if (file.encoding != "UTF-8") file.notes.push_back(note_of_encoding(file));
}

std::string note_of_encoding(const InputFile& file) {
  return fmt::format(
      "{}: the text is read as {}{}", file.path, file.encoding,
      file.encoding == windows_encoding ? " (Latin-1), because it is not UTF-8" : "");
}

std::optional<FileFormat> csv_format_of(const InputFile& file, FileFormat format) {
  const FileFormat own = format == FileFormat::automatic ? format_of(file.path, file.text) : format;
  if (own != FileFormat::csv && own != FileFormat::tsv) return std::nullopt;
  if (utf16_of(file.text) != Utf16::no || file.text.starts_with("PAR1")) return std::nullopt;
  try {
    require_text(file.path, file.text);
  } catch (const DataError&) {
    return std::nullopt;
  }
  return own;
}

std::size_t memory_allowed(const Context& context) { return allowed_bytes(context.memory_bytes); }

InputFile open_input(const std::string& specification, FileFormat format, const Context& context) {
  InputFile file = name_input(specification);
  file.text = read_file(place_of_input(file), context);
  recognise_text(file, format, context);
  return file;
}

void require_table_memory(const std::string& path, Index rows, Index columns,
                          std::size_t memory_bytes, std::size_t beside) {
  constexpr double countable = 0x1p62;
  constexpr double bytes_of_name = 450.0;  // with its role and its place, measured
  const double needed =
      static_cast<double>(columns) * (sizeof(double) * static_cast<double>(rows) + bytes_of_name) +
      static_cast<double>(beside);
  // Of a sparse table only columns and entries count.
  const std::string what =
      rows > 0 ? fmt::format("a table of {} samples and {} columns", rows, columns) : "the table";
  require_bytes(path, what, static_cast<std::size_t>(std::min(needed, countable)), memory_bytes);
}

void require_memory_of_bytes(const std::string& path, std::size_t bytes, const Context& context) {
  require_bytes(path, bytes, context);
}

void require_memory_of_numbers(const std::string& path, Index count, const Context& context) {
  require_bytes(path, to_size(count) * sizeof(double), context);
}

Vector codes_of_missing(const ReadOptions& options) {
  Vector codes;
  for (const std::string& code : options.na) {
    if (const auto number = parse_number(code)) codes.push_back(*number);
  }
  return codes;
}

void mark_missing(Vector& values, const ReadOptions& options) {
  Vector codes = codes_of_missing(options);
  for (const double code : codes_of_missing(options)) {
    const bool fits = std::abs(code) <= static_cast<double>(std::numeric_limits<float>::max());
    if (fits) codes.push_back(static_cast<double>(static_cast<float>(code)));
  }
  if (codes.empty()) return;
  for (double& value : values) {
    if (std::ranges::find(codes, value) != codes.end()) value = missing_cell;
  }
}

void settle_numbers(Vector& values, Index columns, const std::string& path,
                    const ReadOptions& options) {
  mark_missing(values, options);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    if (std::isfinite(value) || (std::isnan(value) && options.keep_missing)) continue;
    const std::string at = fmt::format("{}: row {}, column '{}'", path, i / to_size(columns) + 1,
                                       i % to_size(columns) + 1);
    if (std::isnan(value)) refuse_missing_number(at, !options.only.empty());
    throw DataError(
        fmt::format("{}: {} is not a finite number; fill it in or remove the sample", at, value));
  }
}

std::string beside_others(const std::string& message, std::size_t held) {
  return fmt::format("{} (this budget is left beside other files, which hold {})", message,
                     memory_text(held));
}

std::vector<std::string> numbered_columns(Index count) {
  std::vector<std::string> names;
  names.reserve(to_size(count));
  for (Index j = 1; j <= count; ++j) names.push_back(std::to_string(j));
  return names;
}

}  // namespace kernmix
