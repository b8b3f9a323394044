import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** The sources and the tests' programs as JavaScript: to start or to import them takes no compiler. */
export const folder: string = join(root, "var", "built")

/** What the tests import from there; what they start may be in the further folders. */
export const sources: ReadonlyArray<string> = ["core", "adapters", "services"]
const folders = [...sources, "test/support"]

/** A file of the repository as a file of the folder. */
export const output = (file: string): string => join(folder, file.replace(/\.ts$/, ".js"))

const filesOf = (name: string, under: string): ReadonlyArray<string> =>
  readdirSync(join(under, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js|mjs|json)$/.test(entry.name))
    .map((entry) => relative(under, join(entry.parentPath, entry.name)))

const options = statSync(fileURLToPath(import.meta.url)).mtimeMs
const isOlder = (file: string, source: string): boolean =>
  !existsSync(file) || statSync(file).mtimeMs <= Math.max(statSync(source).mtimeMs, options)

/**
 * Run once before the tests: compiles the files that changed. Types are not looked at: `npm run check` does that.
 * Two runs may do so at the same time, so that each file is renamed when it is whole.
 */
export default async (): Promise<void> => {
  const files = folders.flatMap((name) => filesOf(name, root))
  const kept = new Set(files.map(output))
  for (const name of folders.filter((name) => existsSync(join(folder, name)))) {
    for (const file of filesOf(name, folder)) if (!kept.has(join(folder, file))) rmSync(join(folder, file))
  }
  const changed = files.filter((file) => isOlder(output(file), join(root, file)))
  if (changed.length === 0) return
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: changed.filter((file) => file.endsWith(".ts")),
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
            kind === "entry-point" ? undefined : { path: path.replace(/^(\..*)\.ts$/, "$1.js"), external: true },
          ),
      },
    ],
  })
  const copies = changed.filter((file) => !file.endsWith(".ts"))
  for (const { path, contents } of [
    ...outputFiles,
    ...copies.map((file) => ({ path: output(file), contents: readFileSync(join(root, file)) })),
  ]) {
    mkdirSync(dirname(path), { recursive: true })
    const whole = `${path}.${process.pid}`
    writeFileSync(whole, contents)
    renameSync(whole, path)
  }
}
