import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"

interface ArgumentTypes {
  readonly text: string
  readonly path: string
  readonly integer: number
  readonly flag: boolean
  /** The positional arguments: files and folders. */
  readonly positionals: ReadonlyArray<string>
}

/** An argument of a command as a value; a program makes its option of it. */
export interface Argument {
  readonly type: keyof ArgumentTypes
  /** The help text; for `positionals`, the name of the argument. */
  readonly description: string
  /** Absent: it is required. */
  readonly count?: "optional" | "repeated"
  readonly choices?: ReadonlyArray<string>
}

export type Arguments = Readonly<Record<string, Argument>>

type ArgumentValue<A extends Argument> = A extends { readonly count: "optional" }
  ? ArgumentTypes[A["type"]] | undefined
  : A extends { readonly count: "repeated" }
    ? ReadonlyArray<ArgumentTypes[A["type"]]>
    : ArgumentTypes[A["type"]]

export type ArgumentValues<As extends Arguments> = { readonly [Name in keyof As]: ArgumentValue<As[Name]> }

/** Receives a line of text while a command runs. */
export type PrintLine = (line: string) => Effect.Effect<void>

/** A command of a lane. It fails with `invalid_parameter` if its arguments are wrong. */
export interface LaneCommand<Needs> {
  readonly description: string
  readonly arguments: Arguments
  // biome-ignore lint/suspicious/noExplicitAny: the values of the arguments, which `command` has checked
  readonly run: (values: any, say: PrintLine) => Effect.Effect<Report, Error, Needs>
}

/** A command whose `run` fits its arguments. */
export const command = <const As extends Arguments, Needs>(
  definition: Omit<LaneCommand<Needs>, "arguments" | "run"> & {
    readonly arguments: As
    readonly run: (values: ArgumentValues<As>, say: PrintLine) => Effect.Effect<Report, Error, Needs>
  },
): LaneCommand<Needs> => definition

/** The result: as an object for `--json`, as text for people, and the error, if any, which is printed last. */
export interface Report {
  readonly value: Readonly<Record<string, unknown>>
  readonly text: string
  readonly failure?: string
}

/** Reads files or an upstream into the stores of a lane, over its clients and stores. */
export type IngestCommand<Services> = LaneCommand<Services | FileSystem.FileSystem | Path.Path>

/** A folder's files in order, without its folders; a file itself. */
export const listFiles = (
  target: string,
): Effect.Effect<ReadonlyArray<string>, PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    if ((yield* fs.stat(target)).type !== "Directory") return [target]
    const names = yield* fs.readDirectory(target)
    const entries = yield* Effect.forEach(names.sort(), (name) => {
      const file = path.join(target, name)
      return Effect.map(fs.stat(file), ({ type }) => (type === "File" ? [file] : []))
    })
    return entries.flat()
  })
