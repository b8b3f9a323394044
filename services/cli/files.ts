import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"

/** A folder's files in order, without its folders; a file itself. */
export const listFiles = (target: string) =>
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
