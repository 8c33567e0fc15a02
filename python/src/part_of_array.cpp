#include "part_of_array.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "kernmix/error.hpp"

namespace kernmix::python {
namespace {

class PartOfArray final : public MatrixReader {
 public:
  PartOfArray(ConstMatrix whole, std::vector<Index> rows, std::vector<Index> columns,
              std::string name)
      : whole_(std::move(whole)),
        rows_(std::move(rows)),
        columns_(std::move(columns)),
        name_(std::move(name)) {}

  [[nodiscard]] Index rows() const override { return length(rows_); }
  [[nodiscard]] Index cols() const override { return length(columns_); }

  void block(std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    auto next = out.begin();
    for (const Index i : rows) {
      const ConstSpan row = whole_.row(rows_[to_size(i)]);
      for (const Index j : cols) {
        const double value = row[to_size(columns_[to_size(j)])];
        if (!std::isfinite(value)) refuse_entry(name_, i, j, value);
        *next++ = value;
      }
    }
  }

 private:
  ConstMatrix whole_;
  std::vector<Index> rows_, columns_;
  std::string name_;
};

}  // namespace

void refuse_entry(const std::string& name, Index row, Index column, double value) {
  throw DataError("matrix '" + name + "': row " + std::to_string(row + 1) + ", column " +
                  std::to_string(column + 1) + ": " + std::to_string(value) +
                  " is not a finite number");
}

void require_places(const std::vector<Index>& places, Index count, const char* what,
                    const std::string& name) {
  const auto outside =
      std::ranges::find_if(places, [&](Index place) { return place < 0 || place >= count; });
  if (outside == places.end()) return;
  throw ParameterError("matrix '" + name + "' has " + std::to_string(count) + " " + what +
                       ", there is no place " + std::to_string(*outside));
}

GivenMatrix part_of_array(ConstMatrix whole, std::vector<Index> rows, std::vector<Index> columns,
                          const std::string& name) {
  require_places(rows, whole.rows, "rows", name);
  require_places(columns, whole.cols, "columns", name);
  return std::shared_ptr<const MatrixReader>(std::make_shared<const PartOfArray>(
      std::move(whole), std::move(rows), std::move(columns), name));
}

}  // namespace kernmix::python
