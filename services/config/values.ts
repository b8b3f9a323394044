import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import { enumeration } from "../../core/text.ts"

/** The value that `parse` makes of a variable's one, or an error that names the variable. */
export const parsed = <A, B>(
  name: string,
  config: Config.Config<A>,
  parse: (value: A) => B | undefined,
  expected: string | ((value: A) => string),
): Config.Config<B> =>
  Config.mapOrFail(config, (value) =>
    Either.fromNullable(parse(value), () =>
      ConfigError.InvalidData([name], typeof expected === "string" ? expected : expected(value)),
    ),
  )

/** The end of an error that quotes the value; without one that may contain a password. */
const got = (text: string): string => (text.includes("@") ? "" : ` Got ${JSON.stringify(text.slice(0, 200))}.`)

/** A URL without trailing slashes; undefined for other text. */
export const parseWebUrl = (text: string): string | undefined => {
  const { protocol, username, password, href } = URL.canParse(text) ? new URL(text) : new URL("about:blank")
  return /^https?:$/.test(protocol) && username === "" && password === "" ? href.replace(/\/+$/, "") : undefined
}

export const expectedWebUrl = "Expected a URL that begins with http: or https:, without a password."

/** A URL without trailing slashes. */
export const webUrl = (name: string) =>
  parsed(name, Config.string(name), parseWebUrl, (text) => `${expectedWebUrl}${got(text)}`)

/** An explicit yes or no of the operator. */
export const consent = (name: string) =>
  parsed(
    name,
    Config.string(name).pipe(Config.withDefault("no")),
    (text) => (text === "yes" || text === "no" ? text === "yes" : undefined),
    (text) => `Expected yes or no.${got(text)}`,
  )

/** A positive integer. */
export const count = (name: string, otherwise: number) =>
  parsed(
    name,
    Config.integer(name).pipe(Config.withDefault(otherwise)),
    (found) => (found > 0 ? found : undefined),
    (found) => `Expected a positive integer. Got ${found}.`,
  )

/** A whole number with a least and perhaps a greatest value. */
export const integerBetween = (name: string, least: number, most?: number) =>
  parsed(
    name,
    Config.integer(name),
    (found) => (found >= least && (most === undefined || found <= most) ? found : undefined),
    (found) =>
      `Expected a whole number ${most === undefined ? `of at least ${least}` : `from ${least} to ${most}`}. Got ${found}.`,
  )

/** A comma-separated list. */
export const listed = (text: string): ReadonlyArray<string> =>
  text.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]))

/** Comma-separated hosts, normalised by `read`. */
export const hosts = (name: string, read: (text: string) => string | undefined, examples: string) =>
  parsed(
    name,
    Config.string(name).pipe(Config.withDefault("")),
    (text): ReadonlyArray<string> | undefined => {
      const entries = listed(text)
      const found = entries.flatMap((entry) => read(entry) ?? [])
      return found.length === entries.length ? found : undefined
    },
    (text) => `Expected comma-separated hosts such as ${examples}.${got(text)}`,
  )

/** One of several words. */
export const choice = <const Words extends ReadonlyArray<string>>(name: string, words: Words) =>
  parsed(
    name,
    Config.string(name),
    (text): Words[number] | undefined => words.find((each) => each === text),
    (text) => `Expected ${enumeration(words, "or")}.${got(text)}`,
  )
