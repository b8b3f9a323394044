import * as Command from "@effect/cli/Command"
import { isValidationError } from "@effect/cli/ValidationError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { distance, nearest } from "../../core/endpoint/nearest.ts"
import * as Release from "../../core/release.ts"
import { exitWith } from "../exit.ts"
import * as Logging from "../logging.ts"
import { type Found, find, help, namesBelow, optionsOf } from "./help.ts"
import { root } from "./root.ts"

const run = Command.run(root, { name: Release.name, version: Release.version })

/** Colours are for terminals, and not for people who switch them off (https://no-color.org). */
const isColoured = (stream: NodeJS.WriteStream): boolean => stream.isTTY && (process.env["NO_COLOR"] ?? "") === ""

const heading = (title: string): string => (isColoured(process.stdout) ? `\x1b[1m${title}\x1b[0m` : title)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters of colours are removed
const colours = /\x1b\[[\d;]*m/g

/** The parser writes its messages in colours, whatever they are written to. */
const inPlain = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  isColoured(process.stderr)
    ? program
    : Effect.consoleWith((console) =>
        Effect.withConsole(program, {
          ...console,
          error: (...args) => console.error(...args.map((each) => String(each).replace(colours, ""))),
        }),
      )

/** A word that names no command, or a value that an option does not take; the parser names neither. */
const wrongIn = ({ command, unknown, words }: Found, args: ReadonlyArray<string>): string | undefined => {
  if (unknown !== undefined) {
    const near = nearest(namesBelow(command), unknown, distance, unknown.length / 2)
    return `${[Release.name, ...words].join(" ")} has no command ${JSON.stringify(unknown)}.${near === undefined ? "" : ` Did you mean ${near}?`} See --help.`
  }
  for (const { title, choices } of optionsOf(command)) {
    const name = title.split(" ")[0]!
    const value = args[args.indexOf(name) + 1]
    if (choices.length > 0 && args.includes(name) && value !== undefined && !choices.includes(value)) {
      return `${name}: expected ${choices.join(" or ")}; got ${JSON.stringify(value)}.`
    }
  }
  return undefined
}

/**
 * Runs one command line and prints its failure to standard error.
 *
 * @param argv with the process's first two words
 */
export const main = (argv: ReadonlyArray<string>) =>
  Effect.suspend(() => {
    const args = argv.slice(2)
    const found = find(args)
    const wrong = wrongIn(found, args)
    if (wrong !== undefined) return Effect.fail(new Error(wrong))
    const isHelp = args.length === found.words.length && namesBelow(found.command).length > 0
    if (isHelp || args.includes("--help") || args.includes("-h")) return Console.log(help(found, heading))
    return inPlain(run(argv))
  }).pipe(
    Effect.provide(Logging.layer(process.stderr.isTTY)),
    // The parser has already explained a bad command line.
    (program) => exitWith(program, isValidationError),
  )
