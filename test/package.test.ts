import { execFile } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const tsc = join(root, "node_modules/typescript/bin/tsc")
const folder = mkdtempSync(join(tmpdir(), "market-signals-package-"))
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** Runs a program to its end; never in the way of the runner, which wants to hear of this file meanwhile. */
const run = async (file: string, args: ReadonlyArray<string>, cwd: string): Promise<string> => {
  try {
    return (await promisify(execFile)(file, [...args], { cwd, encoding: "utf8", maxBuffer: 16_777_216 })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${file} ${args.join(" ")}\n${stdout}${stderr}`)
  }
}

const programs = {
  catalogue: /^\d+ endpoints answered, charged\n$/,
  ownModel: /^own model served\n$/,
  ownPrice: /^tide 5\.2 ft for 1000, spot for 250\n$/,
  readme: /^\d{2,3} \d{12}-KOKX-CDUS41-CLINYC\n$/,
  ownProvider: /^\d+ F, the same in shadow, not_found live; versions differed\n$/,
} as const
const names = Object.keys(programs) as ReadonlyArray<keyof typeof programs>

/** The packed package in an empty folder, its dependencies beside it as an installation puts them; no network. */
beforeAll(async () => {
  const [{ filename }] = JSON.parse(
    await run("npm", ["pack", "--json", "--silent", "--pack-destination", folder], root),
  ) as [{ readonly filename: string }]
  const modules = join(folder, "node_modules")
  const own = join(modules, manifest.name)
  mkdirSync(own, { recursive: true })
  await run("tar", ["-xzf", join(folder, filename), "-C", own, "--strip-components=1"], folder)
  for (const name of [...Object.keys(manifest.dependencies), "better-sqlite3-node20", "@types/node"]) {
    const to = join(modules, name)
    mkdirSync(dirname(to), { recursive: true })
    symlinkSync(join(root, "node_modules", name), to)
  }
  for (const name of names.filter((each) => each !== "readme")) {
    cpSync(join(root, "test/package", `${name}.ts`), join(folder, `${name}.ts`))
  }
  const [, example = ""] = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? []
  writeFileSync(join(folder, "readme.ts"), example)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "embedder", type: "module", private: true }))
}, 240_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the package, packed and installed", { timeout: 240_000 }, () => {
  it("holds everything that its entries name, for every lane", async () => {
    const own = join(folder, "node_modules", manifest.name)
    const lanes = readdirSync(join(root, "core/lanes"), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && existsSync(join(root, "core/lanes", entry.name, "lane.ts")) ? [entry.name] : [],
    )
    assert.isAbove(lanes.length, 5)
    for (const [entry, target] of Object.entries<{ types: string; default: string }>(manifest.exports)) {
      for (const lane of entry.includes("*") ? lanes : [""]) {
        assert.isTrue(existsSync(join(own, target.types.replace("*", lane))), `${entry} ${lane}`)
        const exported = await import(join(own, target.default.replace("*", lane)))
        assert.isAbove(Object.keys(exported).length, 0, `${entry} ${lane}`)
      }
    }
  })

  it("has a client that loads alone in a browser, typed without effect", async () => {
    const { metafile, outputFiles } = await build({
      stdin: { contents: `export * from "${manifest.name}/client"`, resolveDir: folder },
      bundle: true,
      platform: "browser",
      format: "esm",
      minify: true,
      metafile: true,
      write: false,
    })
    const inputs = Object.keys(metafile.inputs).filter((input) => input !== "<stdin>")
    assert.isNotEmpty(inputs)
    const own = join(folder, "node_modules", manifest.name)
    for (const input of inputs) assert.include(input, `${manifest.name}/dist/`)
    assert.isBelow(gzipSync(outputFiles[0]!.contents).length, 12 * 1_024)
    for (const name of readdirSync(join(own, "dist/adapters/client")).filter((name) => name.endsWith(".d.ts"))) {
      const text = readFileSync(join(own, "dist/adapters/client", name), "utf8")
      for (const [, from = ""] of text.matchAll(/from "([^"]+)"/g))
        assert.match(from, /^\.\/\w+\.(d\.)?ts$|^\.\/\w+\.js$/)
    }
  })

  it.each([
    ["nodenext", "nodenext"],
    ["bundler", "esnext"],
  ])("types programs under --strict with module resolution %s", async (moduleResolution, module) => {
    const options = ["--strict", "--skipLibCheck", "--target", "es2022", "--module", module]
    const files = names.map((name) => `${name}.ts`)
    const emit = moduleResolution === "nodenext" ? ["--outDir", "out"] : ["--noEmit"]
    await run(
      process.execPath,
      [tsc, ...options, "--moduleResolution", moduleResolution, "--types", "node", ...emit, ...files],
      folder,
    )
  })

  it.each(names)("runs %s", async (name) => {
    assert.match(await run(process.execPath, [`out/${name}.js`], folder), programs[name])
  })

  it("runs a program under Deno", async () => {
    const deno = join(root, "node_modules/.bin/deno")
    assert.match(
      await run(deno, ["run", "-A", "--node-modules-dir=manual", "out/ownModel.js"], folder),
      programs.ownModel,
    )
  })
})
