#include "data/matrices/matrix_text.hpp"
#include "tables.hpp"

using namespace kernmix;

KERNMIX_FUZZ {
  InputFile file = fuzz::input(text, FileFormat::csv);
  const GivenMatrix matrix = read_text_matrix(file, fuzz::small_tables().context);
  const MatrixNames& names = matrix.names();
  fuzz::expect(names.rows.empty() || length(names.rows) == matrix.rows());
  fuzz::expect(names.columns.empty() || length(names.columns) == matrix.cols());
  fuzz::expect(length(matrix.whole().values) == matrix.rows() * matrix.cols());
}
