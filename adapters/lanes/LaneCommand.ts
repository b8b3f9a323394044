import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"

/** The values of an argument of each form. */
interface Forms {
  readonly text: string
  readonly paths: string
  readonly integer: number
  readonly flag: boolean
  /** The words of the line that belong to no option: files and folders. */
  readonly words: ReadonlyArray<string>
}

/** An argument of a command as a value, from which a program makes its option. */
export interface Argument {
  readonly form: keyof Forms
  /** Its line of the help; of words, their title. */
  readonly description: string
  /** Absent: it is required. */
  readonly count?: "optional" | "repeated"
  readonly choices?: ReadonlyArray<string>
}

/** Arguments by the names of their options. */
export type Arguments = Readonly<Record<string, Argument>>

type Value<A extends Argument> = A extends { readonly count: "optional" }
  ? Forms[A["form"]] | undefined
  : A extends { readonly count: "repeated" }
    ? ReadonlyArray<Forms[A["form"]]>
    : Forms[A["form"]]

export type Values<As extends Arguments> = { readonly [Name in keyof As]: Value<As[Name]> }

/** Receives a line of text while a command runs. */
export type Say = (line: string) => Effect.Effect<void>

/** A command of a lane. Its arguments are wrong if it fails with an `invalid_parameter`. */
export interface LaneCommand<Needs> {
  readonly description: string
  readonly arguments: Arguments
  // biome-ignore lint/suspicious/noExplicitAny: the values of the arguments, which `command` has checked
  readonly run: (values: any, say: Say) => Effect.Effect<Report, Error, Needs>
}

/** A command whose `run` fits its arguments. */
export const command = <const As extends Arguments, Needs>(
  made: Omit<LaneCommand<Needs>, "arguments" | "run"> & {
    readonly arguments: As
    readonly run: (values: Values<As>, say: Say) => Effect.Effect<Report, Error, Needs>
  },
): LaneCommand<Needs> => made

/** The end of an ingest: one object for programs, one text for people, and the message of a failure after both. */
export interface Report {
  readonly value: Readonly<Record<string, unknown>>
  readonly text: string
  readonly failure?: string
}

/** Reads files or an upstream into the stores of a lane, over its clients and stores. */
export type Ingest<Services> = LaneCommand<Services | FileSystem.FileSystem | Path.Path>

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
