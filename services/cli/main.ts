import * as Command from "@effect/cli/Command"
import { isValidationError } from "@effect/cli/ValidationError"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Release from "../../core/release.ts"
import { exitWith, UsageError } from "../exit.ts"
import * as Logging from "../logging.ts"
import { type Found, find, help, namesBelow } from "./help.ts"
import { root } from "./root.ts"
import { inWords, wrongIn } from "./usage.ts"

const run = Command.run(root, { name: Release.name, version: Release.version })

/** Colours are for terminals, and not for people who switch them off (https://no-color.org). */
const isColoured = (stream: NodeJS.WriteStream): boolean => stream.isTTY && (process.env["NO_COLOR"] ?? "") === ""

const heading = (title: string): string => (isColoured(process.stdout) ? `\x1b[1m${title}\x1b[0m` : title)

// biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters of colours are removed
const colours = /\x1b\[[\d;]*m/g

/** The parser writes its messages in colours and in words of its own. */
const inOurWords = <A, E, R>(
  program: Effect.Effect<A, E, R>,
  found: Found,
  args: ReadonlyArray<string>,
): Effect.Effect<A, E, R> =>
  Effect.consoleWith((console) =>
    Effect.withConsole(program, {
      ...console,
      error: (...texts) =>
        console.error(...texts.map((text) => inWords(found, args, String(text).replace(colours, "")))),
    }),
  )

/**
 * Runs one command line and prints its failure to standard error.
 *
 * @param argv with the process's first two words
 */
export const main = (argv: ReadonlyArray<string>) =>
  Effect.suspend(() => {
    const args = argv.slice(2)
    const found = find(args)
    const isAlone = args.length === found.words.length && namesBelow(found.command).length > 0
    const isHelp = isAlone || args.includes("--help") || args.includes("-h")
    const wrong = isHelp && found.unknown === undefined ? undefined : wrongIn(found, args)
    if (wrong !== undefined) return Effect.fail(new UsageError(wrong))
    if (isHelp) return Console.log(help(found, heading))
    return inOurWords(run(argv), found, args)
  }).pipe(
    Effect.provide(Logging.layer(process.stderr.isTTY)),
    // The parser has already explained a bad command line.
    (program) => exitWith(program, isValidationError),
  )
