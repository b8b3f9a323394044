import { statSync } from "node:fs"
import * as Effect from "effect/Effect"
import { UsageError } from "../exit.ts"

/** A parameter of a command: an option or a positional argument. */
export interface Parameter<out A = unknown> {
  /** `--name` of an option, `<name>` of an argument. */
  readonly name: string
  /** The kind of its value, as help shows it; empty for a flag, which takes none. */
  readonly kind: string
  readonly description: string
  readonly isRequired: boolean
  readonly isRepeatable: boolean
  /** Its value in examples, if its name does not give one. */
  readonly example?: string
  /** Reads the values given to it, in their order. */
  readonly read: (given: ReadonlyArray<string>) => Effect.Effect<A, UsageError>
}

const single = (name: string, kind: string, description: string): Parameter<string> => ({
  name,
  kind,
  description,
  isRequired: true,
  isRepeatable: false,
  read: ([value]) =>
    value === undefined
      ? Effect.fail(new UsageError(`${name} is required${description === "" ? "." : `: ${description}`}`))
      : Effect.succeed(value),
})

export const mapEffect = <A, B>(
  parameter: Parameter<A>,
  change: (value: A) => Effect.Effect<B, UsageError>,
): Parameter<B> => ({ ...parameter, read: (given) => Effect.flatMap(parameter.read(given), change) })

/** Parses the value; undefined is an error. */
export const parsed = <A, B>(
  parameter: Parameter<A>,
  parse: (value: A) => B | undefined,
  expected: string | ((value: A) => string),
): Parameter<B> =>
  mapEffect(parameter, (value) => {
    const result = parse(value)
    if (result !== undefined) return Effect.succeed(result)
    return Effect.fail(new UsageError(typeof expected === "string" ? expected : expected(value)))
  })

export const argument = (name: string, description = ""): Parameter<string> => single(`<${name}>`, "", description)

export const text = (name: string, description: string): Parameter<string> => single(`--${name}`, "text", description)

const numeric =
  (kind: string, form: RegExp, expected: string) =>
  (name: string, description: string): Parameter<number> =>
    parsed(
      single(`--${name}`, kind, description),
      (value) => (form.test(value) ? Number(value) : undefined),
      (value) => `--${name}: expected ${expected}; got ${JSON.stringify(value)}.`,
    )

export const integer = numeric("integer", /^[+-]?\d+$/, "a whole number")
export const decimal = numeric("number", /^[+-]?(\d+\.?\d*|\.\d+)$/, "a number")

/** Longer lists of words are shown in the description. */
const longestKind = 64

export const choice = <const Words extends ReadonlyArray<string>>(
  name: string,
  words: Words,
  description: string,
): Parameter<Words[number]> => {
  const kind = words.join("|")
  return parsed(
    kind.length > longestKind
      ? single(`--${name}`, "word", `${description} One of ${words.join(", ")}.`.trim())
      : single(`--${name}`, kind, description),
    (value): Words[number] | undefined => words.find((word) => word === value),
    (value) => `--${name}: expected ${words.join(" or ")}; got ${JSON.stringify(value)}.`,
  )
}

/** A path, which need not exist. */
const pathOption =
  (kind: "file" | "directory", word: string) =>
  (name: string, description: string): Parameter<string> =>
    parsed(
      single(`--${name}`, kind, description),
      (path) => {
        const stats = statSync(path, { throwIfNoEntry: false })
        return stats === undefined || stats.isDirectory() === (kind === "directory") ? path : undefined
      },
      (path) => `${path} is no ${word}.`,
    )

export const file = pathOption("file", "file")
export const folder = pathOption("directory", "folder")

export const flag = (name: string, description: string): Parameter<boolean> => ({
  ...single(`--${name}`, "", description),
  isRequired: false,
  read: (given) => Effect.succeed(given.length > 0),
})

export const withDefault = <A, const B>(parameter: Parameter<A>, value: B): Parameter<A | B> => ({
  ...parameter,
  isRequired: false,
  read: (given): Effect.Effect<A | B, UsageError> =>
    given.length === 0 ? Effect.succeed(value) : parameter.read(given),
})

export const optional = <A>(parameter: Parameter<A>): Parameter<A | undefined> => withDefault(parameter, undefined)

export const repeated = <A>(parameter: Parameter<A>): Parameter<ReadonlyArray<A>> => ({
  ...parameter,
  isRequired: false,
  isRepeatable: true,
  read: (given) => Effect.all(given.map((value) => parameter.read([value]))),
})
