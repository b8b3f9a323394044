import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"

/** An address without the slashes at its end. Never says what was given: a password may stand in it. */
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

/** What an operator has to say himself. */
export const consent = (name: string) =>
  Config.string(name).pipe(
    Config.withDefault("no"),
    Config.mapOrFail((text) =>
      text === "yes" || text === "no"
        ? Either.right(text === "yes")
        : Either.left(ConfigError.InvalidData([name], "Expected yes or no.")),
    ),
  )

/** A whole number above 0. */
export const count = (name: string, otherwise: number) =>
  Config.integer(name).pipe(
    Config.withDefault(otherwise),
    Config.mapOrFail((found) =>
      found > 0
        ? Either.right(found)
        : Either.left(ConfigError.InvalidData([name], `Expected a whole number above 0; got ${found}.`)),
    ),
  )

/** What stands between commas. */
export const listed = (text: string): ReadonlyArray<string> =>
  text.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]))

/** Hosts with commas between, each in the form that `read` gives it. */
export const hosts = (name: string, read: (text: string) => string | undefined, examples: string) =>
  Config.string(name).pipe(
    Config.withDefault(""),
    Config.mapOrFail((text) => {
      const entries = listed(text)
      const found = entries.flatMap((entry) => read(entry) ?? [])
      return found.length === entries.length
        ? Either.right<ReadonlyArray<string>>(found)
        : Either.left(ConfigError.InvalidData([name], `Expected hosts such as ${examples}, with commas between.`))
    }),
  )

/** One of a few words. */
export const choice = <const Words extends ReadonlyArray<string>>(name: string, words: Words) =>
  Config.string(name).pipe(
    Config.mapOrFail((text): Either.Either<Words[number], ConfigError.ConfigError> => {
      const word = words.find((each) => each === text)
      return word === undefined
        ? Either.left(ConfigError.InvalidData([name], `Expected ${words.slice(0, -1).join(", ")} or ${words.at(-1)}.`))
        : Either.right(word)
    }),
  )
