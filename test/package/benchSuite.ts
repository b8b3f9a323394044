import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import type { Installed } from "../support/documents/suite.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const place = join(root, "bench/open")
const name = "market-signals-bench"

/** Builds and packs the open bench, and unpacks it into the packages of a folder. */
export const installBench = async (folder: string, run: Installed["run"]): Promise<void> => {
  const [staged, own] = [join(folder, "bench"), join(folder, "node_modules", name)]
  await run(process.execPath, [join(root, "bench/tools/build.mjs"), "bench/open", join(staged, "dist")], root)
  for (const file of ["package.json", "README.md", "LICENSE", "examples"])
    cpSync(join(place, file), join(staged, file), { recursive: true })
  await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], staged)
  mkdirSync(own, { recursive: true })
  const { version } = JSON.parse(readFileSync(join(place, "package.json"), "utf8"))
  await run("tar", ["-xzf", join(folder, `${name}-${version}.tgz`), "-C", own, "--strip-components=1"], folder)
}

export const benchSuite = ({ folder, run }: Pick<Installed, "folder" | "run">): void => {
  describe("the open bench, packed and installed", () => {
    it("compares a model with nothing beside it but effect", async () => {
      const here = join(folder, "compared")
      const own = join(here, "node_modules", name)
      cpSync(join(folder, "node_modules", name), own, { recursive: true })
      symlinkSync(join(root, "node_modules/effect"), join(here, "node_modules/effect"))
      const data = join(root, "test/fixtures/bench/weather.csv")
      const words = ["weather", "--data", data, "--model", join(own, "examples/weather.mjs"), "--replicates", "50"]
      const { PATH } = process.env
      const printed = await run(process.execPath, [join(own, "dist/cli.js"), ...words, "--json"], here, { PATH })
      const { contenders } = JSON.parse(printed) as { readonly contenders: ReadonlyArray<{ readonly name: string }> }
      assert.includeMembers(
        contenders.map((each) => each.name),
        ["all errors", "temperature-t8-3"],
      )
      writeFileSync(
        join(here, "program.mjs"),
        `import { historyAt } from "${name}"
import { CryptoForecast, horizons } from "${name}/lanes/crypto"
console.log(historyAt([{ at: 1, fact: 7 }], 1).length, horizons.length, CryptoForecast.ast._tag)`,
      )
      assert.strictEqual(await run(process.execPath, ["program.mjs"], here, { PATH }), "1 5 Union\n")
    })
  })
}
