import { createHash } from "node:crypto"
import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { RowFiles } from "../adapters/lanes/markets/mock/RowFiles.ts"
import { makeFolders } from "../adapters/runtime/node/folders.ts"

/** Of all that this program was bundled of, written by the bundler. */
declare const SOURCES_DIGEST: string | undefined

/** Files of a folder, each with a digest of its text and of the program: any other is as if it were not there. */
export const rowFiles = (folder: string, program: string): RowFiles["Type"] => {
  const digestOf = (text: string): string => createHash("sha256").update(`${program}\n${text}`).digest("hex")
  return {
    read: (domain) =>
      Effect.try(() => {
        const [digest, text = ""] = readFileSync(join(folder, `${domain}.json`), "utf8").split("\n", 2)
        return digest === digestOf(text) ? JSON.parse(text) : []
      }).pipe(Effect.orElseSucceed(() => [])),
    write: (domain, board) =>
      Effect.try(() => {
        makeFolders(folder)
        const [text, draft] = [JSON.stringify(board), join(folder, `${domain}.draft`)]
        writeFileSync(draft, `${digestOf(text)}\n${text}`)
        renameSync(draft, join(folder, `${domain}.json`))
      }).pipe(Effect.catchAll(({ cause }) => Effect.logWarning(`${folder} does not keep the demonstration`, cause))),
  }
}

/** Files beside a store, for a program that is bundled: under others the sources may change. */
export const layer = (folder: string | undefined): Layer.Layer<never> =>
  folder === undefined || typeof SOURCES_DIGEST === "undefined"
    ? Layer.empty
    : Layer.succeed(RowFiles, rowFiles(folder, SOURCES_DIGEST))
