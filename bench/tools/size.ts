// `npm run size` packs the package, installs it in an empty folder as a user does, and prints what that weighs. It asks the
// registry, so that it is no part of `npm test`. Ends with 1 where a size is over its bound.
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

const root = fileURLToPath(new URL("../..", import.meta.url))
const bounds = {
  files: 800,
  tarball: 2_600_000,
  unpacked: 8_000_000,
  packages: 45,
  installed: 110_000_000,
  client: 12 * 1_024,
}

const npm = (cwd: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("npm", [...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 67_108_864 })

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => (entry.isFile() ? sum + statSync(join(entry.parentPath, entry.name)).size : sum),
    0,
  )

/** The packages in a folder of packages, and in those that they have of their own. */
const packagesIn = (folder: string): ReadonlyArray<readonly [name: string, bytes: number]> =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        if (!entry.isDirectory() || entry.name.startsWith(".")) return []
        const path = join(folder, entry.name)
        if (entry.name.startsWith("@"))
          return packagesIn(path).map(([name, bytes]) => [`${entry.name}/${name}`, bytes] as const)
        const own = packagesIn(join(path, "node_modules"))
        const nested = own.reduce((sum, [, bytes]) => sum + bytes, 0)
        return [[entry.name, bytesIn(path) - nested] as const, ...own]
      })

const print = (what: string, value: number, bound: number): void => {
  const isOver = value > bound
  if (isOver) process.exitCode = 1
  const [shown, most] = [value, bound].map((each) => each.toLocaleString("en-US"))
  process.stdout.write(
    `${what.padEnd(38)} ${shown!.padStart(12)}  at most ${most!.padStart(12)}${isOver ? "  OVER" : ""}\n`,
  )
}

const folder = mkdtempSync(join(tmpdir(), "market-signals-size-"))
try {
  const packed = npm(root, "pack", "--json", "--silent", "--pack-destination", folder)
  const [tarball] = JSON.parse(packed.slice(packed.indexOf("[\n"))) as [
    { readonly filename: string; readonly size: number; readonly unpackedSize: number; readonly entryCount: number },
  ]
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n')
  npm(folder, "install", "--omit=dev", "--no-audit", "--no-fund", join(folder, tarball.filename))
  const packages = packagesIn(join(folder, "node_modules"))
  const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${name}/client"`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
  })
  print("tarball, files", tarball.entryCount, bounds.files)
  print("tarball, bytes", tarball.size, bounds.tarball)
  print("tarball, bytes unpacked", tarball.unpackedSize, bounds.unpacked)
  print("production install, packages", packages.length, bounds.packages)
  print("production install, bytes", bytesIn(join(folder, "node_modules")), bounds.installed)
  print(
    "client for a browser, bytes compressed",
    gzipSync(outputFiles[0]!.contents, { level: 9 }).length,
    bounds.client,
  )
  process.stdout.write("\nThe largest packages, bytes:\n")
  for (const [each, bytes] of [...packages].sort(([, a], [, b]) => b - a).slice(0, 10))
    process.stdout.write(`${each.padEnd(38)} ${bytes.toLocaleString("en-US").padStart(12)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
