/** Rows as lines of text: the first columns aligned at the left, numbers at the right. */
export const aligned = (rows: ReadonlyArray<ReadonlyArray<string>>, atLeft = 1): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column < atLeft ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")
}
