/** A CSV field (RFC 4180), quoted where necessary. Undefined and null are empty; lists and maps are JSON. */
export const cell = (value: unknown): string => {
  const text =
    value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * A cell of free text, such as a name: a spreadsheet runs what begins like a formula, an apostrophe keeps it text. Numbers
 * are not for it: theirs may begin with a minus sign.
 */
export const textCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** A CSV record without its line end. */
export const line = (values: ReadonlyArray<unknown>): string => values.map(cell).join(",")
