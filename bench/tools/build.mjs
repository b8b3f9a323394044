// Builds a package: the modules that others import with their declarations, and its programs. `build.mjs bench/open` builds
// the open bench, without an argument the service; a second argument names another folder than its `dist`.
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle, compact, library, natives } from "../../services/bundle.mjs"
import { sourcesDigest } from "../../services/cache.mjs"
import { licences, packagesIn } from "../../services/licences.mjs"
import { writeParts } from "../../services/parts.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const [place = "", folder = join(root, place, "dist")] = process.argv.slice(2)
const { exports, peerDependencies = {} } = JSON.parse(readFileSync(join(root, place, "package.json"), "utf8"))

/** Packages that are no part of the programs: the native ones, and the optional ones unless an image has them bundled. */
const external = [...natives, ...(process.env["OPTIONAL_PACKAGES"] === "bundled" ? [] : Object.keys(peerDependencies))]

/** The programs, as paths from those of the service, and the folder that they are written to. */
const [programs, programFolder] =
  place === ""
    ? [["server", "cli", "demonstration", "bridge"], join(folder, "services")]
    : [[`../${place}/cli`, `../${place}/own/modelThread`], folder]

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
execFileSync(
  process.execPath,
  [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json", "--outDir", folder],
  {
    cwd: join(root, place),
    stdio: "inherit",
  },
)
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
const { metafile } = await bundle(programs, programFolder, sourcesDigest(), {
  ...compact,
  absWorkingDir: root,
  metafile: true,
  external,
})
if (place === "") writeParts(programFolder, root, metafile, true)
else writeFileSync(join(programFolder, "LICENSES.txt"), licences(packagesIn(Object.keys(metafile?.inputs ?? {})), root))
