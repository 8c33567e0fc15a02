"""Tables as these programs print and read them."""


def print_table(columns, rows):
    print("| " + " | ".join(columns) + " |")
    print("|---" * len(columns) + "|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


def read_tables(text):
    """Every table of a page: its heading (the last line of text before it) and its rows as
    dictionaries."""
    tables = []
    heading, columns = "", None
    for line in text.splitlines():
        if not line.startswith("|"):
            heading, columns = line.lstrip("# ") or heading, None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        cells = [cell.strip() for cell in cells]
        if columns is None:
            columns = cells
            tables.append((heading, []))
        elif not set(line) <= set("|-"):
            tables[-1][1].append(dict(zip(columns, cells, strict=True)))
    return tables
