import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build, buildSync } from "esbuild"
import { sourcesDigest } from "../../services/cache.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The sources as JavaScript, to import without a compiler, and the programs with all that they import in one file each. */
const folder = join(root, "var", "built")

/** The folders that the tests import from there. */
export const sources: ReadonlyArray<string> = ["core", "adapters", "services"]

/** A file of the repository as a file of the folder. */
export const output = (file: string): string => join(folder, file.replace(/\.tsx?$/, ".js"))

const filesOf = (name: string, under: string): ReadonlyArray<string> =>
  readdirSync(join(under, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|js|mjs|json|sql|css|md)$/.test(entry.name))
    .map((entry) => relative(under, join(entry.parentPath, entry.name)))

const isCompiled = (file: string): boolean => /\.tsx?$/.test(file)

const changedAt = (file: string): number => statSync(join(root, file)).mtimeMs
/** The options of this file count as a source. */
const optionsChangedAt = changedAt("test/support/built.ts")
const isOlder = (file: string, than: number): boolean =>
  !existsSync(file) || statSync(file).mtimeMs <= Math.max(than, optionsChangedAt)

/** Two runs may write at the same time, so that each file is renamed when it is whole. */
const write = (path: string, contents: Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true })
  const whole = `${path}.${process.pid}`
  writeFileSync(whole, contents)
  renameSync(whole, path)
}

/** Run once before the tests: compiles the files that changed. Types are not looked at: `npm run check` does that. */
export default async (): Promise<void> => {
  const files = sources.flatMap((name) => filesOf(name, root))
  const kept = new Set(files.map(output))
  for (const name of sources.filter((name) => existsSync(join(folder, name)))) {
    for (const file of filesOf(name, folder)) if (!kept.has(join(folder, file))) rmSync(join(folder, file))
  }
  const changed = files.filter((file) => isOlder(output(file), changedAt(file)))
  if (changed.length === 0) return
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: changed.filter(isCompiled),
    outdir: folder,
    outbase: root,
    bundle: true,
    treeShaking: false,
    format: "esm",
    platform: "node",
    sourcemap: "inline",
    sourcesContent: false,
    logLevel: "warning",
    write: false,
    plugins: [
      {
        name: "imports stay imports",
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ kind, path }) =>
            kind === "entry-point" ? undefined : { path: path.replace(/^(\..*)\.tsx?$/, "$1.js"), external: true },
          ),
      },
    ],
  })
  for (const { path, contents } of outputFiles) write(path, contents)
  for (const file of changed) if (!isCompiled(file)) write(output(file), readFileSync(join(root, file)))
}

const placeOf = (file: string): string => JSON.stringify(pathToFileURL(output(file)).href)

const upToDate = new Set<string>()

/**
 * A program as one file, made when it is first asked for: it starts in a third of the time that it takes to load its
 * thousand modules.
 */
export const bundled = (file: string): string => {
  const bundle = join(folder, "programs", file.replace(/\.ts$/, ".js"))
  if (upToDate.has(file)) return bundle
  upToDate.add(file)
  const read = [...sources, "bench", "test/support"].flatMap((name) => filesOf(name, root))
  if (!isOlder(bundle, Math.max(...["package-lock.json", ...read].map(changedAt)))) return bundle
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints: [file],
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["better-sqlite3", "better-sqlite3-node20"],
    // Three modules read files by their place.
    define: {
      "import.meta.url": placeOf("adapters/web/files.ts"),
      SOURCES_DIGEST: JSON.stringify(sourcesDigest()),
    },
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
    write: false,
  })
  const places = { sql: placeOf("adapters/store/schema/migrate.ts"), md: placeOf("adapters/describe/guides.ts") }
  for (const { path, text } of outputFiles) {
    const placed = text.replace(
      /(new URL\("\.[^"]+\.(sql|md)", )"[^"]+"/g,
      (_, before: string, kind: keyof typeof places) => before + places[kind],
    )
    write(path, Buffer.from(placed))
  }
  return bundle
}
