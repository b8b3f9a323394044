import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { must } from "./run.ts"

export const root = fileURLToPath(new URL("../../..", import.meta.url))
/** Programs and logs are kept from run to run. */
export const kept = join(root, "var/runtimes")

export const versions = { node20: "20.20.2", node22: "22.23.3", node24: "24.21.0", bun: "1.4.5" } as const

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
