import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RowFiles } from "../adapters/lanes/markets/mock/RowFiles.ts"
import { makeFolders } from "../adapters/runtime/node/folders.ts"

/** The digest of everything in this bundle, written by the bundler. */
declare const SOURCES_DIGEST: string | undefined

/** Files of a folder, each with a digest of its text and of the program; files with another digest are ignored. */
export const rowFiles = (folder: string, program: string): RowFiles["Type"] => {
  const hashText = (text: string): string => createHash("sha256").update(`${program}\n${text}`).digest("hex")
  return {
    read: (domain) =>
      Effect.try(() => {
        const [digest, text = ""] = readFileSync(join(folder, `${domain}.json`), "utf8").split("\n", 2)
        return digest === hashText(text) ? JSON.parse(text) : []
      }).pipe(Effect.orElseSucceed(() => [])),
    write: (domain, board) =>
      Effect.try(() => {
        makeFolders(folder)
        const [text, draft] = [JSON.stringify(board), join(folder, `${domain}.draft`)]
        writeFileSync(draft, `${hashText(text)}\n${text}`)
        renameSync(draft, join(folder, `${domain}.json`))
      }).pipe(Effect.catchAll(({ cause }) => Effect.logWarning(`${folder} does not keep the demonstration`, cause))),
  }
}

/** The file that marks this program's files as made; undefined for a program that keeps none. */
const markFile = (folder: string): string | undefined =>
  typeof SOURCES_DIGEST === "undefined" ? undefined : join(folder, `made-${SOURCES_DIGEST.slice(0, 16)}`)

export const markMade = (folder: string): Effect.Effect<void> =>
  Effect.sync(() => {
    const mark = markFile(folder)
    if (mark !== undefined) writeFileSync(mark, "")
  })

/** Makes the files in another process, unless an earlier start has, since this one would keep the memory. If that fails, they are made here when needed. */
export const makeAhead = (folder: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    // The bundler puts this module into a folder next to the programs.
    const [mark, script] = [markFile(folder), fileURLToPath(new URL("../demonstration.js", import.meta.url))]
    if (mark === undefined || existsSync(mark) || !existsSync(script)) return Effect.void
    return Effect.async<void>((resume) => {
      const made = spawn(process.execPath, [script, folder], { stdio: "ignore" })
      made.once("error", () => resume(Effect.void))
      made.once("exit", () => resume(Effect.void))
      return Effect.sync(() => void made.kill())
    })
  })

/** Files next to a store, only for bundled programs: otherwise the sources may change. */
export const layer = (folder: string | undefined): Layer.Layer<never> =>
  folder === undefined || typeof SOURCES_DIGEST === "undefined"
    ? Layer.empty
    : Layer.succeed(RowFiles, rowFiles(folder, SOURCES_DIGEST))
