import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The folder of the package that a file is in: the innermost one. */
const packageOf = (/** @type {string} */ file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]

/** The folders of the packages whose code a bundle holds. */
export const packagesIn = (/** @type {ReadonlyArray<string>} */ inputs) =>
  [...new Set(inputs.flatMap((file) => packageOf(file) ?? []))].sort()

/**
 * Their licences, as their terms ask: each text once, below the packages that have it with their lines of copyright.
 *
 * @param {ReadonlyArray<string>} folders
 * @param {string} root what their paths begin at
 */
export const licences = (folders, root) => {
  /** @type {Map<string, { text: string, packages: Array<string> }>} */
  const byText = new Map()
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
    const file = readdirSync(join(root, folder)).find((each) => /^(licen[cs]e|copying)/i.test(each))
    if (file === undefined && license === undefined) throw new Error(`${name} names no licence.`)
    const whole = file === undefined ? `License: ${license}` : readFileSync(join(root, folder, file), "utf8").trim()
    const copyright = whole.match(/^Copyright.*$/gm) ?? []
    const text = whole.replace(/^Copyright.*\n+/gm, "")
    const key = text.replace(/\s+/g, " ")
    const group = byText.get(key) ?? { text, packages: [] }
    byText.set(key, group)
    group.packages.push([`${name} ${version}`, ...copyright].join("\n"))
  }
  const texts = [...byText.values()].map(({ text, packages }) => `${packages.join("\n\n")}\n\n${text}\n`)
  return `The programs in this folder hold code of these packages.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`
}
