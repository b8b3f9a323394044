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
import { UsageError } from "./exit.ts"

/*
 * The messages between a command and the owner of its store: lines of JSON.
 */

/** Files and folders by the options that name them. */
export type Paths = Readonly<Record<string, ReadonlyArray<string>>>

/** A part of a file. Its place: the option, the index among its values, the value's last name and, for a folder, the file. */
interface Part {
  readonly place: ReadonlyArray<string>
  readonly base64: string
}

/** @throws if there is no such file */
const listFiles = (paths: Paths) =>
  Object.entries(paths).flatMap(([option, values]) =>
    values.flatMap((path, index) => {
      const place = [option, String(index), basename(resolve(path))]
      if (!statSync(path).isDirectory()) return [{ place, path }]
      const entries = readdirSync(path).map((name) => ({ place: [...place, name], path: join(path, name) }))
      return entries.filter((entry) => statSync(entry.path).isFile())
    }),
  )

const partBytes = 98_304

/** A request: a line of parameters, then the parts of files. Their content is sent, not their paths. */
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

/**
 * The complete lines of a message.
 *
 * @throws if it breaks off
 */
export async function* readLines(message: IncomingMessage): AsyncGenerator<string> {
  let rest = ""
  for await (const text of message.setEncoding("utf8")) {
    const lines = (rest + text).split("\n")
    rest = lines.pop()!
    yield* lines
  }
}

/** The parameters of a request. Its files are written to the folder, and the options get their paths there. */
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
  // All is read even after a failure: a sender would take a closed connection for the end of the owner.
  for await (const line of readLines(request))
    if (failures.length === 0) await take(line).catch((error) => void failures.push(error))
  if (failures.length > 0) throw failures[0]
  return params ?? {}
}

/** A line of an answer. The last one has the outcome of the task; without it the outcome is unknown. */
export type Line =
  | { readonly text: string }
  | { readonly done: unknown }
  | { readonly failure: Pick<Failure, "code" | "detail" | "hints" | "retryAfterMs"> }
  | { readonly error: string; readonly isUsage: boolean }

export const encodeExit = (exit: Exit.Exit<unknown, Error>): Line => {
  // JSON omits undefined, and a line without `done` has no outcome.
  if (Exit.isSuccess(exit)) return { done: exit.value ?? null }
  const error = Cause.squash(exit.cause)
  if (!(error instanceof Failure))
    return { error: error instanceof Error ? error.message : String(error), isUsage: error instanceof UsageError }
  return { failure: Struct.pick(error, "code", "detail", "hints", "retryAfterMs") }
}

/** The outcome in a line; undefined if it is not the last one. */
export const decodeExit = (line: Line): Effect.Effect<unknown, Error> | undefined => {
  if ("done" in line) return Effect.succeed(line.done)
  if ("failure" in line) return new Failure(line.failure)
  if ("error" in line) return Effect.fail(line.isUsage ? new UsageError(line.error) : new Error(line.error))
  return undefined
}
