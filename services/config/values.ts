import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"

/** A URL without trailing slashes. The error never quotes the value, which may contain a password. */
export const webUrl = (name: string) =>
  Config.string(name).pipe(
    Config.mapOrFail((text) => {
      const { protocol, username, password, href } = URL.canParse(text) ? new URL(text) : new URL("about:blank")
      return /^https?:$/.test(protocol) && username === "" && password === ""
        ? Either.right(href.replace(/\/+$/, ""))
        : Either.left(
            ConfigError.InvalidData([name], "Expected a URL that begins with http: or https:, without a password."),
          )
    }),
  )

/** An explicit yes or no of the operator. */
export const consent = (name: string) =>
  Config.string(name).pipe(
    Config.withDefault("no"),
    Config.mapOrFail((text) =>
      text === "yes" || text === "no"
        ? Either.right(text === "yes")
        : Either.left(ConfigError.InvalidData([name], "Expected yes or no.")),
    ),
  )

/** A positive integer. */
export const count = (name: string, otherwise: number) =>
  Config.integer(name).pipe(
    Config.withDefault(otherwise),
    Config.mapOrFail((found) =>
      found > 0
        ? Either.right(found)
        : Either.left(ConfigError.InvalidData([name], `Expected a positive integer; got ${found}.`)),
    ),
  )

/** A comma-separated list. */
export const listed = (text: string): ReadonlyArray<string> =>
  text.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]))

/** Comma-separated hosts, normalised by `read`. */
export const hosts = (name: string, read: (text: string) => string | undefined, examples: string) =>
  Config.string(name).pipe(
    Config.withDefault(""),
    Config.mapOrFail((text) => {
      const entries = listed(text)
      const found = entries.flatMap((entry) => read(entry) ?? [])
      return found.length === entries.length
        ? Either.right<ReadonlyArray<string>>(found)
        : Either.left(ConfigError.InvalidData([name], `Expected comma-separated hosts such as ${examples}.`))
    }),
  )

/** One of several words. */
export const choice = <const Words extends ReadonlyArray<string>>(name: string, words: Words) =>
  Config.string(name).pipe(
    Config.mapOrFail((text): Either.Either<Words[number], ConfigError.ConfigError> => {
      const word = words.find((each) => each === text)
      return word === undefined
        ? Either.left(ConfigError.InvalidData([name], `Expected ${words.slice(0, -1).join(", ")} or ${words.at(-1)}.`))
        : Either.right(word)
    }),
  )
