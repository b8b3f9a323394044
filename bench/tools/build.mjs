// Builds the package: the modules that others import with their declarations, and the programs. Prints the size.
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle, compact, library } from "../../services/bundle.mjs"
import { sourcesDigest } from "../../services/cache.mjs"
import { licences } from "./licences.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = join(root, "dist")
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** The sources of the package's entries; a star stands for each folder that has the file. */
const entries = Object.values(exports).flatMap((/** @type {{ types: string }} */ { types }) => {
  const source = types.replace(/^\.\/dist\//, "").replace(/\.d\.ts$/, ".ts")
  const [before, after] = source.split("*")
  if (before === undefined || after === undefined) return [source]
  return readdirSync(join(root, before)).flatMap((name) => {
    const file = `${before}${name}${after}`
    return existsSync(join(root, file)) ? [file] : []
  })
})

/** @param {string} imported a path as an import names it: by its JavaScript, or in a type by its source */
const declarationOf = (imported) => imported.replace(/\.(m?)[jt]sx?$/, ".d.$1ts")

rmSync(folder, { recursive: true, force: true })
execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
})
await library(entries, root, folder)

/** Declarations that no entry's declarations reach are of no use to an importer. */
const reached = new Set(entries.map((entry) => join(folder, entry.replace(/\.ts$/, ".d.ts"))))
for (const file of reached) {
  for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)) {
    reached.add(join(dirname(file), declarationOf(from)))
  }
}
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name)
  if (/\.d\.m?ts$/.test(file) && !reached.has(file)) rmSync(file)
}
const { metafile } = await bundle(["server", "cli", "benchModel"], join(folder, "services"), sourcesDigest(), {
  ...compact,
  sourcemap: false,
  metafile: true,
})
writeFileSync(join(folder, "services/LICENSES.txt"), licences(Object.keys(metafile?.inputs ?? {}), root))
