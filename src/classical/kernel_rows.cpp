#include "classical/kernel_rows.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "weights/memory.hpp"

namespace kernmix {

KernelRows::KernelRows(const KernelBank& bank, Index slots, const Context& context)
    : bank_(bank), context_(context), slots_(std::max<Index>(slots, 2)) {
  rows_.reserve(static_cast<std::size_t>(slots_));  // references from of() must stay valid
}

Index KernelRows::fitting(const KernelBank& bank, std::size_t others, const std::string& who,
                          const Context& context) {
  constexpr std::size_t most = std::size_t{512} * 1024 * 1024;
  const auto n = static_cast<std::size_t>(bank.samples());
  const std::size_t row = n * static_cast<std::size_t>(bank.kernels()) * sizeof(double);
  require_room(bank, others + 2 * row, who, context);
  std::size_t room = std::max(most, 2 * row);
  if (context.memory_bytes > 0) {
    room = std::min(room, context.memory_bytes - bank.bytes() - others);
  }
  return static_cast<Index>(std::min(room / row, n));
}

const Matrix& KernelRows::of(Index i) {
  ++clock_;
  const auto found = place_.find(i);
  if (found != place_.end()) {
    used_[found->second] = clock_;
    return rows_[found->second];
  }
  std::size_t slot = rows_.size();
  if (length(rows_) < slots_) {
    rows_.emplace_back(bank_.kernels(), bank_.samples());
    used_.push_back(clock_);
    sample_.push_back(i);
  } else {
    slot = static_cast<std::size_t>(std::ranges::min_element(used_) - used_.begin());
    place_.erase(sample_[slot]);
    used_[slot] = clock_;
    sample_[slot] = i;
  }
  place_[i] = slot;
  const std::vector<Index> columns = all_samples(bank_.samples());
  Matrix& rows = rows_[slot];
  parallel_for(context_, bank_.kernels(), [&](Index m) {
    bank_.block(m, {&i, 1}, columns, rows.row(m));
  });
  return rows;
}

}  // namespace kernmix
