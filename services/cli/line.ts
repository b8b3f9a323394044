import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Logger from "effect/Logger"
import * as Release from "../../core/release.ts"
import { exitWith, UsageError } from "../exit.ts"
import * as Logging from "../logging.ts"
import { type Command, common, find, read, type Target } from "./parser.ts"

/** Colours are used on terminals, unless they are switched off (https://no-color.org). */
const isColoured = (stream: NodeJS.WriteStream): boolean => stream.isTTY && (process.env["NO_COLOR"] ?? "") === ""

const heading = (title: string): string => (isColoured(process.stdout) ? `\x1b[1m${title}\x1b[0m` : title)

/** Translates a line that other programs would take, such as `help keys`. */
const inOurWords = (line: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (line[0] === "help") return [...line.slice(1), common.help.name]
  return line[0] === "version" || line[0] === "-v" ? [common.version.name, ...line.slice(1)] : line
}

/** Loads the commands of a program: all, or at least the one that a word names. */
type Load = (word?: string) => Promise<Command>

const run = (load: Load, line: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const args = inOurWords(line)
    const root = yield* Effect.promise(() => load(args[0]))
    const help = (target: Target) =>
      Effect.flatMap(
        Effect.promise(() => import("./help.ts")),
        (texts) => Console.log(texts.help(target, heading)),
      )
    const target = yield* Either.mapLeft(find(root, args), (message) => new UsageError(message))
    if (args.some((word) => word === "--help" || word === "-h")) return yield* help(target)
    const { options, run } = yield* read(target)
    if (options.version) return yield* Console.log(Release.version)
    if (options.completions !== undefined) {
      const [{ completions }, all] = yield* Effect.promise(() => Promise.all([import("./completions.ts"), load()]))
      return yield* Console.log(completions(all, options.completions))
    }
    if (target.command.commands.length > 0) return yield* help(target)
    const { logLevel: level } = options
    return yield* level === undefined ? run : Logger.withMinimumLogLevel(run, Logging.levels[level])
  })

/**
 * Runs one command line of a program and prints its failure to standard error.
 *
 * @param argv `process.argv`, with its first two words
 */
export const runLine = (argv: ReadonlyArray<string>, load: Load) =>
  exitWith(Effect.suspend(() => run(load, argv.slice(2))).pipe(Effect.provide(Logging.layer(process.stderr.isTTY))))
