import { execFileSync } from "node:child_process"
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { must } from "./run.ts"

export const root = fileURLToPath(new URL("../../..", import.meta.url))
/** Programs, native parts and logs are kept from run to run. */
export const kept = join(root, "var/runtimes")

const native = "better-sqlite3"
const nativeFile = "build/Release/better_sqlite3.node"

/** A program that comes in a package of npm, for this platform. */
const program = async (name: string, specifier: string, file: string): Promise<string> => {
  const folder = join(kept, name)
  const path = join(folder, "node_modules", file)
  const marker = join(folder, "installed")
  if (existsSync(path) && existsSync(marker) && readFileSync(marker, "utf8") === specifier) return path
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n')
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"]
  await must(["npm", "install", ...options, specifier], { cwd: folder, log: join(folder, "install.log") })
  writeFileSync(marker, specifier)
  return path
}

const isWindows = process.platform === "win32"

/** Node of a version. The package holds the headers of addons too. */
export const node = (version: string): Promise<string> => {
  if (process.versions.node === version) return Promise.resolve(process.execPath)
  const name = `node-${isWindows ? "win" : process.platform}-${process.arch}`
  return program(`node${version}`, `${name}@${version}`, `${name}/bin/node${isWindows ? ".exe" : ""}`)
}

export const bun = (version: string): Promise<string> => {
  const name = `@oven/bun-${isWindows ? "windows" : process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`
  return program("bun", `${name}@${version}`, `${name}/bin/bun${isWindows ? ".exe" : ""}`)
}

/** The environment in which `node` is that program. */
export const environmentOf = (path: string): NodeJS.ProcessEnv => ({
  PATH: `${dirname(path)}${isWindows ? ";" : ":"}${process.env["PATH"]}`,
})

/** A copy of a folder that shares the contents of its files: packages are some 30,000 of them. */
const link = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) link(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else {
      try {
        linkSync(source, target)
      } catch {
        // Another file system.
        copyFileSync(source, target)
      }
    }
  }
}

/** Where the native part for a version of Node is kept. */
const nativeOf = (version: string): string => {
  const own = JSON.parse(readFileSync(join(root, "node_modules", native, "package.json"), "utf8")).version
  return join(kept, "native", `${native}-${own}-node${version}-${process.platform}-${process.arch}.node`)
}

/** Whether a tree for this version can be made without a compiler. */
export const isCompiled = (version: string): boolean =>
  process.versions.node === version || existsSync(nativeOf(version))

/**
 * The repository as it stands, with its build and its packages, for a version of Node other than this one: a copy whose
 * native part is compiled for it, once.
 *
 * @param path the program of that version
 */
export const tree = async (version: string, path: string): Promise<string> => {
  if (process.versions.node === version) return root
  const folder = join(kept, `tree${version}`)
  rmSync(folder, { recursive: true, force: true })
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
    .toString()
    .split("\0")
    .filter((file) => file !== "" && file !== "node_modules" && existsSync(join(root, file)))
  for (const file of [...files, "dist"]) cpSync(join(root, file), join(folder, file), { recursive: true })
  const packages = join(folder, "node_modules")
  link(realpathSync(join(root, "node_modules")), packages)
  // A build would write into the files that are shared.
  rmSync(join(packages, native), { recursive: true })
  cpSync(join(root, "node_modules", native), join(packages, native), {
    recursive: true,
    dereference: true,
    filter: (source) => !source.endsWith(join(native, "build")),
  })
  const stored = nativeOf(version)
  if (!existsSync(stored)) {
    const npm = realpathSync(
      execFileSync(isWindows ? "where" : "which", ["npm"])
        .toString()
        .split("\n")[0]!
        .trim(),
    )
    await must([path, npm, "rebuild", native], {
      cwd: folder,
      // The headers of this very version, with or without a network.
      env: { ...environmentOf(path), npm_config_nodedir: dirname(dirname(path)) },
      log: join(kept, `rebuild${version}.log`),
    })
    mkdirSync(dirname(stored), { recursive: true })
    copyFileSync(join(packages, native, nativeFile), stored)
  }
  mkdirSync(dirname(join(packages, native, nativeFile)), { recursive: true })
  copyFileSync(stored, join(packages, native, nativeFile))
  return folder
}
