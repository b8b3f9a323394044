import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { build } from "esbuild"
import { program as findChromium } from "../../../bench/tools/chromium.ts"
import type { Installed } from "../../support/documents/suite.ts"
import { launch } from "../browser/support/launch.ts"

interface Embedded extends Pick<Installed, "folder" | "run"> {
  readonly name: string
  readonly lanes: ReadonlyArray<string>
  /** Everything that a program can import. */
  readonly entries: ReadonlyArray<string>
  /** The text that the README's example prints; it is `readme.ts` in the folder, and compiled `out/readme.js`. */
  readonly example: RegExp
}

const options = {
  bundle: true,
  platform: "browser",
  format: "esm",
  target: "es2022",
  minify: true,
  metafile: true,
  write: false,
} as const

const chromium = findChromium()
if (chromium === undefined) process.stdout.write("Skipped: no Chromium, which runs the README's example.\n")

/** The installed package as a part of other programs: in a browser, and without what they do not use. */
export const embeddingSuite = ({ folder, name, lanes, entries, example, run }: Embedded): void => {
  const bundled = (contents: string) => build({ ...options, stdin: { contents, resolveDir: folder, loader: "ts" } })

  describe("the package, embedded", { timeout: 240_000 }, () => {
    it("has a client that loads alone in a browser, typed without effect", async () => {
      const { metafile, outputFiles } = await bundled(`export * from "${name}/client"`)
      const inputs = Object.keys(metafile.inputs).filter((input) => input !== "<stdin>")
      assert.isNotEmpty(inputs)
      for (const input of inputs) assert.include(input, `${name}/dist/`)
      assert.isBelow(gzipSync(outputFiles[0]!.contents).length, 12 * 1_024)
      const client = join(folder, "node_modules", name, "dist/adapters/client")
      for (const file of readdirSync(client).filter((each) => each.endsWith(".d.ts"))) {
        for (const [, from = ""] of readFileSync(join(client, file), "utf8").matchAll(/from "([^"]+)"/g))
          assert.match(from, /^\.\/\w+\.(d\.)?ts$|^\.\/\w+\.js$/)
      }
    })

    // The bundler refuses modules of Node.
    it.each(lanes)("has the lane %s with generated data for a browser", async (lane) => {
      const { metafile } = await bundled(
        `export * from "${name}/lanes/${lane}"; export * from "${name}/providers/${lane}/mock"`,
      )
      const inputs = Object.keys(metafile.inputs)
      assert.isTrue(inputs.some((input) => input.includes(`lanes/${lane}/mock/`)))
      for (const input of inputs) assert.notMatch(input, /node_modules\/(better-sqlite3|@effect|csv-parse)/)
    })

    it.skipIf(chromium === undefined)("runs the README's example in Chromium", async () => {
      const { outputFiles } = await bundled(readFileSync(join(folder, "readme.ts"), "utf8"))
      const browser = await launch(chromium!)
      try {
        const page = await browser.newPage()
        await page.route("**", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }))
        await page.goto("https://embedder.example/")
        const printed = page.waitForEvent("console")
        await page.addScriptTag({ type: "module", content: outputFiles[0]!.text })
        assert.match(`${(await printed).text()}\n`, example)
      } finally {
        await browser.close()
      }
    })

    it("loads no driver of a database for a lane's providers", async () => {
      const driversOf = async (...specifiers: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
        const program = `import { createRequire } from "node:module"
          for (const each of ${JSON.stringify(specifiers)}) await import(each)
          console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)))`
        const printed = await run(process.execPath, ["--input-type=module", "--eval", program], folder)
        const loaded: ReadonlyArray<string> = JSON.parse(printed.trim().split("\n").at(-1)!)
        return loaded.filter((path) => /[\\/](better-sqlite3(-node20)?|pg)[\\/]/.test(path))
      }
      const providers = entries.filter((entry) => entry.includes("/providers/"))
      assert.lengthOf(providers, 2 * lanes.length)
      assert.isEmpty(await driversOf("./out/readme.js", ...providers))
      assert.isNotEmpty(await driversOf(`${name}/sql`))
    })
  })
}
