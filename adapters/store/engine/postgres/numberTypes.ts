/** How a driver of PostgreSQL reads values of a type. */
interface Types {
  readonly getTypeParser: (oid: number, format?: never) => unknown
}

/** Whole numbers of 64 bits as numbers; amounts and times stay far below 2^53. */
const safeInteger = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a whole number.`)
  return value
}

/** Of int8 and numeric. Values arrive as text: the sum of whole numbers is a `numeric`, as is any average. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = { 20: safeInteger, 1700: Number }

/**
 * The driver's types with numbers for `int8` and `numeric`, as repositories read them.
 *
 * @param types of the driver, such as `pg.types`
 */
export const numberTypes = (types: Types) => ({
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    (format === "binary" ? undefined : parsers[oid]) ?? types.getTypeParser(oid, format as never)) as never,
})
