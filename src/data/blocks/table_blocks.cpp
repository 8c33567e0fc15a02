#include "data/blocks/table_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.hpp"
#include "data/blocks/known_ids.hpp"
#include "data/blocks/text_blocks.hpp"
#include "data/csv/encoding.hpp"
#include "data/csv/names_memory.hpp"
#include "data/csv/recipe.hpp"
#include "data/csv/record_reader.hpp"
#include "data/join.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

constexpr std::size_t least_bytes_of_block = std::size_t{1} << 16;
constexpr std::size_t most_bytes_of_block = std::size_t{1} << 24;
/// The header is recognised by the samples below it.
constexpr Index lines_of_beginning = 64;

/// The text of a block such that its samples take an eighth of the memory: a field has two bytes or
/// more.
std::size_t bytes_of_block(const Context& context, std::size_t fields, std::size_t each) {
  constexpr std::size_t share = 8;
  const std::size_t text = 2 * std::max<std::size_t>(fields, 1);
  const double bytes = static_cast<double>(memory_allowed(context)) / share *
                       static_cast<double>(text) / static_cast<double>(each + text);
  const double most = static_cast<double>(most_bytes_of_block);
  return std::max(least_bytes_of_block, static_cast<std::size_t>(std::min(bytes, most)));
}

/// The first elements, which are removed.
template <typename T>
std::vector<T> first_taken(std::size_t count, std::vector<T>& from) {
  const auto end = from.begin() + static_cast<Index>(count);
  std::vector<T> first(std::move_iterator(from.begin()), std::move_iterator(end));
  from.erase(from.begin(), end);
  return first;
}

}  // namespace

/// Turns blocks into UTF-8 as decode_text() does with the whole text.
class BlockDecoder {
 public:
  /// \param line  of the beginning of the block
  void decode(std::string& block, InputFile& file, Index line) {
    remove_marks(block);
    if (block.ends_with('\x1a')) block.pop_back();  // the end of a file of DOS
    if (file.encoding != windows_encoding && is_utf8(block)) {
      const auto is_ascii = [](char c) { return (c & 0x80) == 0; };
      ascii_ = ascii_ && std::ranges::all_of(block, is_ascii);
      return;
    }
    if (file.encoding != windows_encoding) {
      if (!ascii_) refuse(file, line);
      file.encoding = windows_encoding;
      file.notes.insert(file.notes.begin(), note_of_encoding(file));
    }
    block = from_windows_1252(block);
  }

 private:
  [[noreturn]] static void refuse(const InputFile& file, Index line) {
    throw DataError(
        fmt::format("{}: from line {} on there is text that is not UTF-8, unlike the text above; "
                    "save it as UTF-8, {}",
                    file.path, line, recipe("formats")));
  }
  bool ascii_ = true;  ///< so far
};

struct TableBlocks::State {
  ReadOptions options;
  std::vector<InputFile> files;  ///< one
  TextBlocks text;
  std::optional<Table> whole = std::nullopt;  ///< where there are no blocks
  std::vector<std::string> notes_of_whole = {};
  BlockDecoder decoder = {};
  CsvReading reading = {{}, Problems(NumberFormat()), {}};
  std::optional<RecordReader> records = std::nullopt;
  std::optional<KnownIds> ids = std::nullopt;
  std::size_t compared = 0;  ///< of the ids that are read and not taken
  std::string fault_of_ids = {};
  std::size_t block_bytes = 0;
  Index multiple = 1;
  Index line = 1;  ///< of the beginning of the next block
  Index rows = 0;  ///< before it
  Index empty_records = 0;

  State(const std::string& specification, ReadOptions own)
      : options(std::move(own)),
        files{name_input(specification)},
        text(place_of_input(files.front()), options.context) {}

  InputFile& file() { return files.front(); }
  [[nodiscard]] bool faulty() const { return !reading.problems.empty() || !fault_of_ids.empty(); }
  [[nodiscard]] bool begins_blocks(std::size_t bytes);
  void read_whole();
  void begin(std::size_t bytes);
  void read_block(std::string_view block, bool with_names);
  void check_ids();
  [[nodiscard]] Table take(Index samples);
  void end();
};

/// Reads the beginning: false for a short file, and for one of another format.
bool TableBlocks::State::begins_blocks(std::size_t bytes) {
  const auto lines = [&] { return std::ranges::count(text.pending(), '\n'); };
  const std::size_t most = memory_allowed(options.context) / 4;
  std::size_t wanted = bytes_of_block(options.context, 1, bytes);
  text.fill(wanted);
  InputFile beginning = file();
  beginning.text = text.pending();
  const auto format = csv_format_of(beginning, options.format);
  if (text.ended() || !format) return false;
  while (!text.ended() && lines() < lines_of_beginning && 2 * wanted <= most) {
    text.fill(wanted *= 2);
  }
  if (text.ended() || lines() < lines_of_beginning) return false;
  beginning.text = text.pending();
  beginning.format = *format;
  require_memory_of_names(beginning, options.context);
  try {
    read_names(beginning, options.header);
  } catch (const DataError&) {
    return false;  // what reads the whole file says it
  }
  file().format = *format;
  file().separator = beginning.separator;
  return true;
}

void TableBlocks::State::read_whole() {
  file().text = text.take_rest();
  recognise_text(file(), options.format, options.context);
  require_memory_of_names(file(), options.context);
  read_names(file(), options.header);
  whole = read_inputs(std::move(files), options);
  notes_of_whole = std::exchange(whole->notes, {});
}

void TableBlocks::State::begin(std::size_t bytes) {
  if (file().path == "-") file().path = standard_input;
  file().text = text.next(text.pending().size(), file().separator);
  decoder.decode(file().text, file(), line);
  read_names(file(), options.header);
  (void)prepare_inputs(files, options);
  const CsvReading first = read_samples(file(), options);
  reading.problems = Problems(first.problems.format());
  reading.problems.better = first.problems.better;
  records.emplace(file(), options, reading);
  name_by_role(file(), records->roles(), reading.table.table);
  if (!options.id_column.empty()) ids.emplace(file().path, options.context);
  block_bytes = bytes_of_block(options.context, file().header.size(), bytes);
  read_block(std::exchange(file().text, std::string()), true);
}

void TableBlocks::State::read_block(std::string_view block, bool with_names) {
  CsvReader reader(block, file().separator, file().path, reading.problems.format().decimal, line);
  if (with_names) skip_names(file(), reader);
  while (reader.next_record()) {
    stop_reading_if_asked(file().path, options.context);
    records->read(reader);
  }
  empty_records += reader.empty_records();
  line = reader.next_line();
  check_ids();
}

void TableBlocks::State::check_ids() {
  const FileTable& part = reading.table;
  for (std::size_t i = compared; ids && fault_of_ids.empty() && i < part.table.ids.size(); ++i) {
    const std::string& id = part.table.ids[i];
    if (const auto before = ids->add(id, part.lines[i])) {
      fault_of_ids =
          fmt::format("{}: sample id {} occurs on line {} and on line {}; ids must differ",
                      file().path, in_quotes(id), *before, part.lines[i]);
    }
  }
  compared = part.table.ids.size();
}

/// The first samples that are read.
Table TableBlocks::State::take(Index samples) {
  FileTable& all = reading.table;
  std::vector<FileTable> part(1);
  Table& table = part.front().table;
  table.columns = all.table.columns;
  table.categories = all.table.categories;
  table.values = Matrix(samples, length(table.columns));
  table.values.values = first_taken(table.values.values.size(), all.table.values.values);
  table.ids = first_taken(ids ? to_size(samples) : 0, all.table.ids);
  compared = all.table.ids.size();
  part.front().lines = first_taken(to_size(samples), all.lines);
  all.table.labels.clear();
  all.watched.clear();
  const RowMatch in_order = match_positions(files, part);
  Table block = join(files, std::move(part), in_order);
  block.missing_codes = options.na;
  block.before = rows;
  rows += samples;
  return block;
}

void TableBlocks::State::end() {
  records->finish();
  if (!reading.problems.empty()) refuse_problems(reading.problems, file(), options, rows);
  if (!fault_of_ids.empty()) throw DataError(fault_of_ids);
  if (rows + reading.rows() == 0) throw DataError(file().path + ": has a header but no samples");
  note_samples(file(), empty_records, reading);
  note_notation(file(), options, reading);
  records.reset();
}

TableBlocks::TableBlocks(const std::string& file, ReadOptions options, std::size_t bytes,
                         Index multiple)
    : state_(std::make_unique<State>(file, std::move(options))) {
  state_->multiple = multiple;
  if (state_->begins_blocks(bytes)) {
    state_->begin(bytes);
  } else {
    state_->read_whole();
  }
}

TableBlocks::~TableBlocks() = default;

std::optional<Table> TableBlocks::next() {
  State& state = *state_;
  if (state.whole) return std::exchange(state.whole, std::nullopt);
  while (state.records) {
    if (state.faulty()) (void)state.take(state.reading.rows());
    const Index read = state.reading.rows();
    if (read >= state.multiple) return state.take(read - read % state.multiple);
    std::string block = state.text.next(state.block_bytes, state.file().separator);
    if (block.empty()) {
      state.end();
      if (read > 0) return state.take(read);
    } else {
      state.decoder.decode(block, state.file(), state.line);
      state.read_block(block, false);
    }
  }
  return std::nullopt;
}

void TableBlocks::finish() {
  while (next()) {
  }
}

std::vector<std::string> TableBlocks::notes() const {
  if (state_->files.empty()) return state_->notes_of_whole;
  std::vector<std::string> notes = state_->files.front().notes;
  std::ranges::copy(state_->reading.table.table.notes, std::back_inserter(notes));
  return notes;
}

}  // namespace kernmix
