/** A count with its noun, `1 game` or `2 games`; for nouns whose plural takes an s. */
export const plural = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

/** With a capital letter first. */
export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A whole number with its separators, `1,234`. */
export const count = (value: number): string => value.toLocaleString("en-US")

/** Words in a sentence: `weather`, `weather and crypto`, `weather, football and crypto`. */
export const enumeration = (words: ReadonlyArray<string>, last: "and" | "or"): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`

/** The order of two texts by their UTF-16 code units, the same in every locale, as `sort` wants it. */
export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The order of the entries of an object or a map by their keys. */
export const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => compare(a, b)
