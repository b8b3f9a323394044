import { createHash, subtle } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Release from "../../../core/release.ts"
import { type FileName, files, pythonVersion } from "../../describe/clients.ts"
import { exampleUrl } from "../../describe/guides.ts"
import { type Entry, tarball, zip } from "./archives.ts"
import { extension, type Manifest, programFolder } from "./extension.ts"

export interface Handed {
  readonly name: FileName
  readonly bytes: Buffer
  /** Hexadecimal. */
  readonly sha256: string
}

/** The folder of the programs and what was written beside them (`services/parts.mjs`). */
export interface Parts {
  readonly folder: string
  /** The files of the program that passes messages on. */
  readonly bridge: ReadonlyArray<string>
  /** Whether the folder is in a package that is built. */
  readonly isPackage: boolean
}

/** @returns undefined: the programs run from their sources, which nothing was written beside */
export const partsIn = (folder: string): Parts | undefined => {
  const list = join(folder, "parts/parts.json")
  return existsSync(list) ? { folder, ...JSON.parse(readFileSync(list, "utf8")) } : undefined
}

/** The files that can be made. */
export const fileNames = ({ isPackage }: Parts): ReadonlyArray<FileName> => [
  "bridge",
  "extension",
  ...(isPackage ? (["package"] as const) : []),
  ...(["wheel", "notebook", "bill"] as const),
]

const entries = (folder: string, paths: ReadonlyArray<string>, to = ""): Promise<ReadonlyArray<Entry>> =>
  Promise.all(paths.map(async (path) => [`${to}${path}`, await readFile(join(folder, path))] as const))

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** A package of one program and no dependency. */
const bridgeManifest = ({ license, engines }: Manifest) => ({
  name: `${Release.name}-mcp`,
  version: Release.version,
  description: `The tools of a ${Release.name} server over standard input and output`,
  ...{ license, type: "module", engines },
  bin: { [`${Release.name}-mcp`]: "bridge.js" },
})

/** The paths of the files in a folder, or of a file itself; none where nothing exists. */
const walk = async (root: string, path: string): Promise<ReadonlyArray<string>> => {
  const entry = await stat(join(root, path)).catch(() => undefined)
  if (entry?.isDirectory() !== true) return entry === undefined ? [] : [path]
  const names = await readdir(join(root, path))
  return (await Promise.all(names.sort().map((name) => walk(root, `${path}/${name}`)))).flat()
}

/** What `npm pack` would pack. */
const packaged = async (root: string, manifest: Manifest): Promise<Buffer> => {
  const paths = await Promise.all([...manifest.files, "LICENSE", "README.md"].sort().map((path) => walk(root, path)))
  const packed: Array<Entry> = [["package.json", json(manifest)]]
  // One after the other: each read is a turn of the event loop.
  for (const path of paths.flat()) packed.push([path, await readFile(join(root, path))])
  return tarball(packed)
}

/** As `build.py` makes it of the same sources (PEP 427). */
const wheel = async (source: string): Promise<Buffer> => {
  const text = await readFile(join(source, "pyproject.toml"), "utf8")
  const fact = (name: string): string => new RegExp(`^${name} = "(.*)"$`, "m").exec(text)![1]!
  const info = `${files.wheel.split("-").slice(0, 2).join("-")}.dist-info`
  const metadata = [
    "Metadata-Version: 2.1",
    `Name: ${fact("name")}`,
    `Version: ${pythonVersion}`,
    `Summary: ${fact("description")}`,
    `License: ${fact("license")}`,
    `Requires-Python: ${fact("requires-python")}`,
    "Description-Content-Type: text/markdown",
    "",
    await readFile(join(source, "README.md"), "utf8"),
  ]
  const all: Array<Entry> = [
    ...(await entries(source, await walk(source, "market_signals"))),
    [`${info}/METADATA`, Buffer.from(metadata.join("\n"))],
    [
      `${info}/WHEEL`,
      Buffer.from("Wheel-Version: 1.0\nGenerator: build.py\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    ],
  ]
  const rows = all.map(
    ([path, bytes]) => `${path},sha256=${createHash("sha256").update(bytes).digest("base64url")},${bytes.length}`,
  )
  return zip([...all, [`${info}/RECORD`, Buffer.from([...rows, `${info}/RECORD,,`, ""].join("\n"))]])
}

/** The files of a server, made of what it runs from. */
export const make = async (parts: Parts, catalogue: Catalogue.Any, baseUrl: string): Promise<ReadonlyArray<Handed>> => {
  const partsFolder = join(parts.folder, "parts")
  const manifest: Manifest = JSON.parse(await readFile(join(partsFolder, "package.json"), "utf8"))
  const program = [...parts.bridge, "LICENSES.txt"]
  const making: Readonly<Record<Exclude<FileName, "sums">, () => Promise<Buffer>>> = {
    bridge: async () =>
      tarball([["package.json", json(bridgeManifest(manifest))], ...(await entries(parts.folder, program))]),
    extension: async () =>
      zip([
        ["manifest.json", json(extension(manifest, catalogue, baseUrl))],
        ...(await entries(partsFolder, ["icon.png"])),
        [`${programFolder}/package.json`, json({ type: "module" })],
        ...(await entries(parts.folder, program, `${programFolder}/`)),
      ]),
    package: () => packaged(join(parts.folder, "../.."), manifest),
    wheel: () => wheel(join(partsFolder, "python")),
    notebook: async () =>
      Buffer.from((await readFile(join(partsFolder, "python/research.ipynb"), "utf8")).replace(exampleUrl, baseUrl)),
    bill: () => readFile(join(partsFolder, "sbom.cdx.json")),
  }
  const made: Array<Handed> = []
  const add = async (name: FileName, bytes: Buffer) => {
    // On a thread of its own.
    const digest = await subtle.digest("SHA-256", bytes)
    made.push({ name, bytes, sha256: Buffer.from(digest).toString("hex") })
  }
  for (const name of fileNames(parts)) {
    await add(name, await making[name as keyof typeof making]())
    await setImmediate()
  }
  await add("sums", Buffer.from(made.map(({ name, sha256 }) => `${sha256}  ${files[name]}\n`).join("")))
  return made
}
