// What the programs hand out besides themselves, written beside them: the page /install packs it.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { licences, packagesIn } from "./licences.mjs"
import { published } from "./manifest.mjs"

/** @param {string} file */
const json = (file) => JSON.parse(readFileSync(file, "utf8"))

/**
 * The files that a program imports, itself first.
 *
 * @param {string} source
 * @param {import("esbuild").Metafile["outputs"]} outputs
 */
const filesOf = (source, outputs) => {
  const files = new Set(Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === source))
  for (const file of files) {
    for (const { path, external } of outputs[file]?.imports ?? []) if (!external) files.add(path)
  }
  return [...files]
}

/**
 * The packages of the programs as a bill of materials (CycloneDX 1.6), the same bytes for the same packages.
 *
 * @param {ReadonlyArray<string>} folders each begins with the way to `node_modules`, which may be a link
 * @param {string} root
 */
const bill = (folders, root) => {
  const { name, version } = json(join(root, "package.json"))
  const { packages } = json(join(root, "package-lock.json"))
  const component = (/** @type {string} */ folder) => {
    const { name, version, license } = json(join(root, folder, "package.json"))
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`
    const { integrity = "" } = packages[folder.slice(folder.indexOf("node_modules/"))] ?? {}
    const [, digest] = /^sha512-(.*)$/.exec(integrity) ?? []
    return {
      ...{ type: "library", "bom-ref": purl, name, version, purl },
      ...(typeof license === "string" ? { licenses: [{ expression: license }] } : {}),
      ...(digest === undefined
        ? {}
        : { hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }] }),
    }
  }
  return {
    ...{
      $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
    },
    metadata: { component: { type: "application", "bom-ref": name, name, version } },
    components: folders.map(component),
  }
}

/**
 * @param {string} folder of the programs
 * @param {string} root of the sources
 * @param {import("esbuild").Metafile | undefined} metafile of the programs
 * @param {boolean} isPackage whether the folder is in a package that is built
 */
export const writeParts = (folder, root, metafile, isPackage) => {
  if (metafile === undefined) throw new Error("A bundle without its metafile.")
  const packages = packagesIn(Object.keys(metafile.inputs))
  const parts = join(folder, "parts")
  mkdirSync(parts, { recursive: true })
  writeFileSync(join(folder, "LICENSES.txt"), licences(packages, root))
  const bridge = filesOf("services/bridge.ts", metafile.outputs).map((file) => relative(folder, resolve(root, file)))
  writeFileSync(join(parts, "parts.json"), JSON.stringify({ isPackage, bridge: bridge.sort() }))
  writeFileSync(
    join(parts, "package.json"),
    `${JSON.stringify(published(json(join(root, "package.json"))), null, 2)}\n`,
  )
  writeFileSync(join(parts, "sbom.cdx.json"), `${JSON.stringify(bill(packages, root), null, 2)}\n`)
  cpSync(join(root, "adapters/web/install/icon.png"), join(parts, "icon.png"))
  for (const file of ["README.md", "pyproject.toml", "research.ipynb", "market_signals"]) {
    const from = join(root, "adapters/client/python", file)
    if (existsSync(from))
      cpSync(from, join(parts, "python", file), { recursive: true, filter: (path) => !path.endsWith("__pycache__") })
  }
}
