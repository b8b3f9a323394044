import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The folder of the package that a file is in: the innermost one. */
const packageOf = (/** @type {string} */ file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]

/** The folders of the packages whose code a bundle holds. */
export const packagesIn = (/** @type {ReadonlyArray<string>} */ inputs) =>
  [...new Set(inputs.flatMap((file) => packageOf(file) ?? []))].sort()

/**
 * Their licences, as their terms ask.
 *
 * @param {ReadonlyArray<string>} folders
 * @param {string} root what their paths begin at
 */
export const licences = (folders, root) => {
  const texts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
    const file = readdirSync(join(root, folder)).find((each) => /^(licen[cs]e|copying)/i.test(each))
    const text = file === undefined ? `License: ${license}` : readFileSync(join(root, folder, file), "utf8").trim()
    if (file === undefined && license === undefined) throw new Error(`${name} names no licence.`)
    return `${name} ${version}\n\n${text}\n`
  })
  return `The programs in this folder hold code of these packages.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`
}
