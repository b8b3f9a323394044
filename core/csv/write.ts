/** A field of CSV (RFC 4180): quoted where it has to be. Nothing is empty; lists and maps are JSON. */
export const cell = (value: unknown): string => {
  const text =
    value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A record of CSV without its line end. */
export const line = (values: ReadonlyArray<unknown>): string => values.map(cell).join(",")
