/** A CSV field (RFC 4180), quoted where necessary. Undefined and null are empty; lists and maps are JSON. */
export const toCell = (value: unknown): string => {
  const text =
    value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Makes free text, such as a name, safe for spreadsheets, which run what begins like a formula: a leading apostrophe keeps it
 * text. Not for numbers, which may begin with a minus sign.
 */
export const escapeFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** A CSV record without its line end. */
export const toLine = (values: ReadonlyArray<unknown>): string => values.map(toCell).join(",")
