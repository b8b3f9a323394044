import { readFileSync } from "node:fs"
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { distance, nearest } from "../../core/endpoint/nearest.ts"
import { enumeration } from "../../core/text.ts"

/** Reads the value of a variable with a name. */
export type Read<A> = (name: string) => Config.Config<A>

/** The variables that are never shown. Logs know them without the modules that read them. */
export const secretNames: ReadonlyArray<string> =
  "ADMIN_TOKEN DATABASE_PASSWORD MARKET_SIGNALS_KEY OIDC_CLIENT_SECRET SMTP_URL STRIPE_SECRET_KEY STRIPE_WEBHOOK_SECRET X402_RPC_URL X402_PRIVATE_KEY".split(
    " ",
  )

/** The variable that names a file with the value of another variable, as containers receive secrets. */
export const fileVariable = (name: string): string => `${name}_FILE`

const readText = (file: string): Either.Either<string, string> =>
  Either.flatMap(
    Either.try({
      try: () => readFileSync(file, "utf8").trim(),
      catch: (error) => `The file cannot be read: ${(error as NodeJS.ErrnoException).code}.`,
    }),
    (text) => (text === "" ? Either.left("The file is empty.") : Either.right(text)),
  )

/** A secret: the variable's value, or the text of the file that `<name>_FILE` names. */
export const secret: Read<Redacted.Redacted> = (name) => {
  if (!secretNames.includes(name)) throw new Error(`${name} is not in the list of secrets.`)
  const file = fileVariable(name)
  return Config.all([Config.option(Config.redacted(name)), Config.option(Config.string(file))]).pipe(
    Config.mapOrFail(([given, named]) => {
      if (Option.isNone(named)) {
        return Either.fromOption(given, () => ConfigError.MissingData([name], `Expected ${name} or ${file}.`))
      }
      if (Option.isSome(given)) return Either.left(ConfigError.InvalidData([file], `Set ${name} or this, not both.`))
      return Either.mapBoth(readText(named.value), {
        onLeft: (message) => ConfigError.InvalidData([file], message),
        onRight: Redacted.make,
      })
    }),
  )
}

/** Checks the value that `read` gives; left is the message of an error, which names the variable. */
export const checked =
  <A, B>(read: Read<A>, check: (value: A) => Either.Either<B, string>): Read<B> =>
  (name) =>
    Config.mapOrFail(read(name), (value) =>
      Either.mapLeft(check(value), (message) => ConfigError.InvalidData([name], message)),
    )

/** Parses the value that `read` gives; undefined is an error with the text `expected`. */
export const parsed = <A, B>(
  read: Read<A>,
  parse: (value: A) => B | undefined,
  expected: string | ((value: A) => string),
): Read<B> =>
  checked(read, (value) =>
    Either.fromNullable(parse(value), () => (typeof expected === "string" ? expected : expected(value))),
  )

/** Text that a pattern matches. */
export const matching = (pattern: RegExp, expected: string): Read<string> =>
  parsed(Config.string, (text) => (pattern.test(text) ? text : undefined), expected)

/** The end of an error that quotes the value; without one that may contain a password. */
const gotText = (text: string): string => (text.includes("@") ? "" : ` Got ${JSON.stringify(text.slice(0, 200))}.`)

/** A URL without trailing slashes; undefined for other text. */
export const parseWebUrl = (text: string): string | undefined => {
  const { protocol, username, password, href } = URL.canParse(text) ? new URL(text) : new URL("about:blank")
  return /^https?:$/.test(protocol) && username === "" && password === "" ? href.replace(/\/+$/, "") : undefined
}

export const expectedWebUrl = "Expected a URL that begins with http: or https:, without a password."

/** A URL without trailing slashes. */
export const webUrl = parsed(Config.string, parseWebUrl, (text) => `${expectedWebUrl}${gotText(text)}`)

/** A URL of https, or of http on this machine, without query, fragment or password; undefined for other text. */
export const parseSecureUrl = (text: string): URL | undefined => {
  const { protocol, hostname, username, password, search, hash } = URL.canParse(text)
    ? new URL(text)
    : new URL("about:blank")
  const isLoopback = protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  const isBare = [username, password, search, hash].every((part) => part === "")
  return isBare && (protocol === "https:" || isLoopback) ? new URL(text) : undefined
}

export const choice = <const Words extends ReadonlyArray<string>>(words: Words): Read<Words[number]> =>
  parsed(
    Config.string,
    (text): Words[number] | undefined => words.find((each) => each === text),
    (text) => `Expected ${enumeration(words, "or")}.${gotText(text)}`,
  )

/** Reads numbers in a notation, between a minimum and perhaps a maximum. */
const numeric =
  (form: RegExp, kind: string) =>
  (least: number, greatest = Number.POSITIVE_INFINITY): Read<number> =>
    parsed(
      Config.string,
      (text) => {
        const value = form.test(text.trim()) ? Number(text) : Number.NaN
        return value >= least && value <= greatest ? value : undefined
      },
      (text) =>
        `Expected ${kind} ${Number.isFinite(greatest) ? `from ${least} to ${greatest}` : `of at least ${least}`}.${gotText(text)}`,
    )

export const integerBetween = numeric(/^[+-]?\d+$/, "a whole number")
export const numberBetween = numeric(/^[+-]?(\d+\.?\d*|\.\d+)$/, "a number")

export const positiveInteger = integerBetween(1)

/** The highest port number. */
export const lastPort = 65_535

export const trueOrFalse: Read<boolean> = parsed(
  Config.string,
  (text) => /^(true|yes|on|1)$/i.test(text) || (/^(false|no|off|0)$/i.test(text) ? false : undefined),
  (text) => `Expected true or false.${gotText(text)}`,
)

/** A comma-separated list. */
export const splitList = (text: string): ReadonlyArray<string> =>
  text.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim()]))

/** A set of some of these names, separated by commas. */
export const subset = (names: ReadonlyArray<string>): Read<ReadonlySet<string>> =>
  parsed(
    Config.string,
    (text) => (splitList(text).every((name) => names.includes(name)) ? new Set(splitList(text)) : undefined),
    (text) => `Expected some of ${names.join(", ")}, separated by commas.${gotText(text)}`,
  )

/** Comma-separated hosts, normalised by `read`. */
export const hosts = (read: (text: string) => string | undefined, examples: string): Read<ReadonlyArray<string>> =>
  parsed(
    Config.string,
    (text) => {
      const entries = splitList(text)
      const normalised = entries.flatMap((entry) => read(entry) ?? [])
      return normalised.length === entries.length ? normalised : undefined
    },
    (text) => `Expected comma-separated hosts such as ${examples}.${gotText(text)}`,
  )

/** An environment variable: how it is read, and its description for people. */
export interface Variable<out A = unknown> {
  readonly name: string
  readonly config: Config.Config<A>
  /** The end of a sentence that begins with the name. */
  readonly meaning: string
  /** The default as text, or where it comes from; absent: there is none. */
  readonly defaultText?: string
  /** Only its length is shown, and logs redact it. */
  readonly isSecret?: true
}

type DefaultText = Pick<Variable, "defaultText">

/**
 * A variable with its meaning. Without a default its value is an option.
 *
 * @param more `defaultText` describes a default whose own text does not
 */
export const variable: {
  <A>(name: string, read: Read<A>, meaning: string, more: DefaultText & { readonly default: NoInfer<A> }): Variable<A>
  <A>(name: string, read: Read<A>, meaning: string, more?: DefaultText): Variable<Option.Option<A>>
} = <A>(name: string, read: Read<A>, meaning: string, more: DefaultText & { readonly default?: A } = {}) => {
  const { default: value, ...described } = more
  const config = value === undefined ? Config.option(read(name)) : Config.withDefault(read(name), value)
  const isText = typeof value === "string" || typeof value === "number"
  const made = {
    name,
    config,
    meaning,
    ...(isText ? { defaultText: String(value) } : {}),
    ...described,
    // biome-ignore lint/suspicious/noExplicitAny: the overloads say which of the two it is
  } as Variable<any>
  return secretNames.includes(name) ? { ...made, isSecret: true } : made
}

/** An explicit yes or no of the operator. */
export const consent = (name: string, meaning: string, otherwise = false): Variable<boolean> =>
  variable(
    name,
    parsed(
      Config.string,
      (text) => (text === "yes" || text === "no" ? text === "yes" : undefined),
      (text) => `Expected yes or no.${gotText(text)}`,
    ),
    meaning,
    { default: otherwise, defaultText: otherwise ? "yes" : "no" },
  )

export type Variables = Readonly<Record<string, Variable>>

type Value<V> = V extends Variable<infer A> ? A : never
type Given<V> = V extends Variable<Option.Option<infer A>> ? A : never

export const values = <V extends Variables>(variables: V): Config.Config<{ readonly [K in keyof V]: Value<V[K]> }> =>
  Config.all(Object.fromEntries(Object.entries(variables).map(([key, { config }]) => [key, config]))) as never

/** The values of optional variables, or none if none is set: the feature is off. If any is, those needed must be set. */
export const allOrNone = <
  const V extends Readonly<Record<string, Variable<Option.Option<unknown>>>>,
  K extends keyof V,
>(
  variables: V,
  needed: ReadonlyArray<K>,
): Config.Config<
  Option.Option<{ readonly [P in K]: Given<V[P]> } & { readonly [P in Exclude<keyof V, K>]?: Given<V[P]> }>
> =>
  Config.mapOrFail(values(variables), (given) => {
    const set = Object.fromEntries(
      Object.entries<Option.Option<unknown>>(given).flatMap(([key, value]) =>
        Option.isSome(value) ? [[key, value.value]] : [],
      ),
    )
    const missing = needed.find((key) => !Object.hasOwn(set, key))
    if (missing === undefined || Object.keys(set).length === 0) {
      return Either.right((missing === undefined ? Option.some(set) : Option.none()) as never)
    }
    const names = needed.map((key) => variables[key]!.name)
    return Either.left(ConfigError.MissingData([variables[missing]!.name], `${enumeration(names, "and")} go together.`))
  })

/** Shorter names are too often close to those of other programs. */
const shortestCheckedName = 8

/** Those of the given names that are one or two letters away from one of ours. */
export const misspelled = (
  ours: ReadonlyArray<string>,
  given: Iterable<string>,
): ReadonlyArray<readonly [name: string, near: string]> =>
  [...given].flatMap((name) => {
    if (ours.includes(name) || name.length < shortestCheckedName) return []
    const near = nearest(ours, name, distance, 2)
    return near === undefined || near.length < shortestCheckedName ? [] : [[name, near] as const]
  })

/** Fails if a variable's name is nearly one of ours, since its value would be silently ignored. */
export const refuseMisspelled =
  (ours: ReadonlyArray<string>) =>
  <A>(settings: A): Either.Either<A, ConfigError.ConfigError> =>
    misspelled(ours, Object.keys(process.env)).reduce<Either.Either<A, ConfigError.ConfigError>>(
      (before, [name, near]) => {
        const error = ConfigError.InvalidData([name], `This program has no such variable. Did you mean ${near}?`)
        return Either.left(Either.isLeft(before) ? ConfigError.And(before.left, error) : error)
      },
      Either.right(settings),
    )
