import { createReadStream, readdirSync, statSync } from "node:fs"
import * as fs from "node:fs/promises"
import type { IncomingMessage } from "node:http"
import { basename, dirname, join, resolve } from "node:path"
import { Readable } from "node:stream"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Struct from "effect/Struct"
import { Failure } from "../core/Failure.ts"
import type { Tell } from "../core/Progress.ts"
import { UsageError } from "./exit.ts"

/*
 * The messages between a command and the owner of its store: lines of JSON.
 */

/** Files and folders by the options that name them. */
export type Paths = Readonly<Record<string, ReadonlyArray<string>>>

/** A part of a file, whose place is an option, an index of its values, the value's last name, and the file in that folder. */
interface Part {
  readonly place: ReadonlyArray<string>
  readonly base64: string
}

/** Throws where there is no such file. */
const listFiles = (paths: Paths) =>
  Object.entries(paths).flatMap(([option, values]) =>
    values.flatMap((path, index) => {
      const digestParts = [option, String(index), basename(resolve(path))]
      if (!statSync(path).isDirectory()) return [{ place: digestParts, path }]
      const inside = readdirSync(path).map((name) => ({ place: [...digestParts, name], path: join(path, name) }))
      return inside.filter((file) => statSync(file.path).isFile())
    }),
  )

const partBytes = 98_304

/** A request: a line of parameters, then the parts of files. Bytes travel, paths stay. */
export const encodeRequest = (params: object, paths: Paths): Readable => {
  const files = listFiles(paths)
  const withoutPaths = { ...params, ...Object.fromEntries(Object.keys(paths).map((option) => [option, []])) }
  const line = (value: object) => `${JSON.stringify(value)}\n`
  const lines = async function* () {
    yield line(withoutPaths)
    for (const { place, path } of files) {
      yield line({ place, base64: "" } satisfies Part)
      for await (const bytes of createReadStream(path, { highWaterMark: partBytes }))
        yield line({ place, base64: (bytes as Buffer).toString("base64") } satisfies Part)
    }
  }
  return Readable.from(lines())
}

/** The whole lines of a message. Throws where it breaks off. */
export async function* readLines(message: IncomingMessage): AsyncGenerator<string> {
  let rest = ""
  for await (const text of message.setEncoding("utf8")) {
    const lines = (rest + text).split("\n")
    rest = lines.pop()!
    yield* lines
  }
}

/** The parameters of a request. Its files are written to the folder, and options name them there. */
export const decodeRequest = async (request: IncomingMessage, folder: string): Promise<object> => {
  let params: Record<string, Array<string>> | undefined
  const take = async (line: string): Promise<void> => {
    if (params === undefined) {
      params = JSON.parse(line) as Record<string, Array<string>>
      return
    }
    const { place, base64 } = JSON.parse(line) as Part
    const path = join(folder, ...place)
    await fs.mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await fs.appendFile(path, base64, "base64")
    const [values, value] = [params[place[0]!]!, join(folder, ...place.slice(0, 3))]
    if (!values.includes(value)) values.push(value)
  }
  const failures: Array<unknown> = []
  // Who still sends would take a closed connection for the owner's end: all is read, whatever fails.
  for await (const line of readLines(request))
    if (failures.length === 0) await take(line).catch((error) => void failures.push(error))
  if (failures.length > 0) throw failures[0]
  return params ?? {}
}

/** A line of an answer. The last one says how the work has ended; without it, nobody knows. */
export type Line =
  | { readonly text: string }
  | { readonly progress: Parameters<Tell> }
  | { readonly done: unknown }
  | { readonly failure: Pick<Failure, "code" | "detail" | "hints" | "retryAfterMs"> }
  | { readonly error: string; readonly isUsage: boolean }

export const encodeExit = (exit: Exit.Exit<unknown, Error>): Line => {
  // JSON leaves undefined out, and a line without `done` says nothing.
  if (Exit.isSuccess(exit)) return { done: exit.value ?? null }
  const error = Cause.squash(exit.cause)
  if (!(error instanceof Failure))
    return { error: error instanceof Error ? error.message : String(error), isUsage: error instanceof UsageError }
  return { failure: Struct.pick(error, "code", "detail", "hints", "retryAfterMs") }
}

/** The end that a line says; undefined: it is not the last one. */
export const decodeExit = (line: Line): Effect.Effect<unknown, Error> | undefined => {
  if ("done" in line) return Effect.succeed(line.done)
  if ("failure" in line) return new Failure(line.failure)
  if ("error" in line) return Effect.fail(line.isUsage ? new UsageError(line.error) : new Error(line.error))
  return undefined
}
