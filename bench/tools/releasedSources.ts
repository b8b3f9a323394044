// `npm run release:sources` keeps the digest of a release's sources, once: from then on other sources need another version.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Release from "../../core/release.ts"
import { digestOfSources, releases } from "../../test/support/shippedSources.ts"

const { version } = Release
const released: Readonly<Record<string, string>> = JSON.parse(readFileSync(releases, "utf8"))
const refusal = /^\d+\.\d+\.\d+$/.test(version)
  ? released[version] && `The sources of ${version} are kept already: a release is written once.`
  : `${version} is the version of no release.`
if (refusal !== undefined) {
  process.stderr.write(`${refusal} Raise the version first.\n`)
  process.exit(1)
}
const digest = digestOfSources(fileURLToPath(new URL("../..", import.meta.url)))
writeFileSync(releases, `${JSON.stringify({ ...released, [version]: digest }, null, 2)}\n`)
