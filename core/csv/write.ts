/** A CSV field (RFC 4180), quoted where necessary. Undefined and null are empty; lists and maps are JSON. */
export const cell = (value: unknown): string => {
  const text =
    value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A CSV record without its line end. */
export const line = (values: ReadonlyArray<unknown>): string => values.map(cell).join(",")
