import type * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { distance, nearest } from "../../core/endpoint/nearest.ts"
import * as Release from "../../core/release.ts"
import { UsageError } from "../exit.ts"
import { program } from "../programName.ts"
import { choice, flag, optional, type Parameter } from "./parameters.ts"

/** The words that were given to each parameter, by its name. */
type Given = ReadonlyMap<string, ReadonlyArray<string>>

/** A command: it runs, or it has subcommands. */
export interface Command {
  readonly name: string
  readonly description: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly commands: ReadonlyArray<Command>
  /** Groups of the subcommands in the help of a large program. */
  readonly overview?: {
    readonly groups: ReadonlyArray<{ readonly title: string; readonly commands: ReadonlyArray<Command> }>
    readonly examples: ReadonlyArray<string>
  }
  readonly run: (given: Given) => Effect.Effect<void, unknown, NodeContext.NodeContext>
}

/** Parameters by the names of their values in the handler, perhaps nested. */
export interface Parameters {
  readonly [name: string]: Parameter | Parameters
}

export type Values<P> = { readonly [K in keyof P]: P[K] extends Parameter<infer A> ? A : Values<P[K]> }

const isParameter = (each: Parameter | Parameters): each is Parameter => typeof each["read"] === "function"

const flatten = (parameters: Parameters): ReadonlyArray<Parameter> =>
  Object.values(parameters).flatMap((each) => (isParameter(each) ? [each] : flatten(each)))

/** Reads the values of all parameters; the error names every one that is missing or wrong. */
const readValues = <P extends Parameters>(parameters: P, given: Given): Effect.Effect<Values<P>, UsageError> =>
  Effect.validateAll(flatten(parameters), (each) =>
    Effect.map(each.read(given.get(each.name) ?? []), (value) => [each, value] as const),
  ).pipe(
    Effect.mapError((errors) => new UsageError(errors.map(({ message }) => message).join("\n"))),
    Effect.map((entries) => {
      const values = new Map<Parameter, unknown>(entries)
      const fill = (record: Parameters): unknown =>
        Object.fromEntries(
          Object.entries(record).map(([name, each]) => [name, isParameter(each) ? values.get(each) : fill(each)]),
        )
      return fill(parameters) as Values<P>
    }),
  )

/** A command that runs. */
export const make = <const P extends Parameters>(
  name: string,
  description: string,
  parameters: P,
  handler: (values: Values<P>) => Effect.Effect<void, unknown, NodeContext.NodeContext>,
): Command => ({
  name,
  description,
  parameters: flatten(parameters),
  commands: [],
  run: (given) => Effect.flatMap(readValues(parameters, given), handler),
})

/** A command with subcommands. */
export const family = (name: string, description: string, commands: ReadonlyArray<Command>): Command => ({
  name,
  description,
  parameters: [],
  commands,
  run: () => Effect.void,
})

/** A command, the words that name it, and the rest of the line. */
export interface Target {
  readonly root: Command
  readonly words: ReadonlyArray<string>
  readonly command: Command
  readonly rest: ReadonlyArray<string>
}

/** The words of a line that name a command, as one would type them. */
export const typedName = ({ root, words }: Target): string =>
  [root.name === Release.name ? program : root.name, ...words].join(" ")

const seeHelp = (target: Target): string => `See ${typedName(target)} --help.`

const didYouMean = (names: ReadonlyArray<string>, word: string): string => {
  const near = nearest(names, word, distance, word.length / 2)
  return near === undefined ? "" : ` Did you mean ${near}?`
}

const levels = ["debug", "info", "warn", "error", "none"] as const

/** Options of every command. */
export const common = {
  help: flag("help", "Explain a command."),
  logLevel: optional(choice("log-level", levels, "Minimum level of log lines: debug, info, warn, error or none.")),
  completions: optional(
    choice("completions", ["sh", "bash", "fish", "zsh"], "Print completions for sh, bash, fish or zsh."),
  ),
  version: flag("version", "Print the version."),
}

export type Common = Values<typeof common>

/** Finds the command that the words of a line name; left is the message for an unknown word. */
export const find = (root: Command, args: ReadonlyArray<string>): Either.Either<Target, string> => {
  let target: Target = { root, words: [], command: root, rest: args }
  // The log level may precede the command.
  const level = common.logLevel.name
  const leading = args.slice(0, args[0] === level ? 2 : args[0]?.startsWith(`${level}=`) ? 1 : 0)
  for (const word of args.slice(leading.length)) {
    const { commands } = target.command
    if (word.startsWith("-") || commands.length === 0) break
    const command = commands.find(({ name }) => name === word)
    if (command === undefined) {
      const near = didYouMean(
        commands.map(({ name }) => name),
        word,
      )
      return Either.left(`${typedName(target)} has no command ${JSON.stringify(word)}.${near} ${seeHelp(target)}`)
    }
    const words = [...target.words, word]
    target = { root, words, command, rest: [...leading, ...args.slice(leading.length + words.length)] }
  }
  return Either.right(target)
}

/** Assigns the rest of a line to parameters, or says why a word fits none. */
const parse = (target: Target): Either.Either<Given, string> => {
  const { command, rest } = target
  const all = [...command.parameters, ...Object.values(common)]
  const places = command.parameters.filter(({ name }) => name.startsWith("<"))
  const given = new Map<string, Array<string>>()
  for (let index = 0; index < rest.length; index++) {
    const word = rest[index]!
    const isOption = word.length > 1 && word.startsWith("-")
    const [name, ...assigned] = isOption
      ? word.split("=")
      : [places.find((each) => each.isRepeatable || !given.has(each.name))?.name]
    const parameter = all.find((each) => each.name === name)
    if (parameter === undefined) {
      if (!isOption) {
        const missing = command.parameters.find((each) => each.isRequired && each.kind !== "" && !given.has(each.name))
        const instead = missing === undefined ? "" : ` Give ${missing.name}.`
        return Either.left(
          `${typedName(target)} takes no further argument: ${JSON.stringify(word)}.${instead} ${seeHelp(target)}`,
        )
      }
      const near = didYouMean(
        command.parameters.flatMap((each) => (each.name.startsWith("-") ? [each.name] : [])),
        name!,
      )
      return Either.left(`${typedName(target)} has no option ${name}.${near} ${seeHelp(target)}`)
    }
    const values = given.get(parameter.name) ?? []
    if (values.length > 0 && !parameter.isRepeatable) return Either.left(`${name} is given more than once.`)
    const isFlag = isOption && parameter.kind === ""
    if (isFlag && (assigned.length > 0 || /^(true|false)$/.test(rest[index + 1] ?? ""))) {
      return Either.left(`${name} takes no value: leave it out for no.`)
    }
    const value = !isOption || isFlag ? word : assigned.length > 0 ? assigned.join("=") : rest[++index]
    if (value === undefined) return Either.left(`${name} needs a value.`)
    given.set(parameter.name, [...values, value])
  }
  return Either.right(given)
}

/** Reads the rest of a line: the options of every command, and the command to run with its own. */
export const read = (target: Target) =>
  Effect.gen(function* () {
    const given = yield* Effect.mapError(parse(target), (message) => new UsageError(message))
    const options = yield* readValues(common, given)
    return { options, run: target.command.run(given) }
  })
