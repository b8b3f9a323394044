import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"

interface Given {
  /** A folder that goes with the tests. */
  readonly folder: string
  readonly tarball: () => string
  /** The README's example, and what it prints. */
  readonly example: () => string
  readonly printed: RegExp
  readonly tsc: string
  readonly run: (file: string, args: ReadonlyArray<string>, cwd: string, env?: NodeJS.ProcessEnv) => Promise<string>
}

/** No script of a package runs, which is what careful people allow; Node 20's driver is built by `npm ci` of a checkout. */
const installers = {
  npm: ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts"],
  pnpm: ["npx", "-y", "pnpm@10", "add", "--ignore-scripts"],
} as const

/** The package as strangers install it, by one command, from a registry. */
export const installSuite = ({ folder, tarball, example, printed, tsc, run }: Given): void => {
  const registry = process.env["NO_REGISTRY"] === undefined
  if (!registry) process.stderr.write("NO_REGISTRY is set: installations of the package are not tried.\n")

  /** @param node whose program installs: which of the optional packages it takes depends on it */
  const installed = async (
    installer: keyof typeof installers,
    name: string,
    packages: ReadonlyArray<string>,
    node = process.execPath,
  ) => {
    const place = join(folder, `${installer}-${name}`)
    mkdirSync(place)
    writeFileSync(join(place, "package.json"), JSON.stringify({ type: "module", private: true }))
    const [program, ...args] = installers[installer]
    const PATH = `${dirname(node)}:${process.env["PATH"]}`
    await run(program, [...args, tarball(), ...packages], place, { ...process.env, PATH })
    return place
  }

  let downloaded: Promise<ReadonlyArray<string>> | undefined
  /** The programs of several versions of Node. */
  const nodes = () => (downloaded ??= download())
  const download = async () => {
    const place = join(folder, "nodes")
    const system = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
    const versions = ["20", "22", "24.10.0", "24"]
    mkdirSync(place)
    writeFileSync(join(place, "package.json"), '{ "private": true }')
    const named = versions.map((version) => `node-${version}@npm:${system}@${version}`)
    await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...named], place)
    return versions.map((version) => join(place, "node_modules", `node-${version}`, "bin/node"))
  }

  /** Until it says where it serves; its errors fail. */
  const serves = (node: string, program: string, cwd: string) =>
    new Promise<void>((found, failed) => {
      const server = spawn(node, [program, "serve", "--port", "0"], { cwd, env: { HOME: cwd, WARM_UP: "no" } })
      let output = ""
      for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk) => (output += chunk))
      server.stdout.on("data", () => /^market-signals on /m.test(output) && server.kill())
      server.once("exit", () =>
        /^market-signals on /m.test(output) && !/Warning/.test(output) ? found() : failed(new Error(output)),
      )
    })

  const program = "node_modules/market-signals/dist/services/cli.js"

  describe.skipIf(!registry)("the package, installed from a registry by one command", { timeout: 600_000 }, () => {
    it.each([
      ["npm", "3.22.2"],
      ["pnpm", "3"],
    ] as const)(
      "runs and types a program by %s with effect %s, of which there is one copy, and serves on each Node that needs no script",
      async (installer, version) => {
        const [, ...others] = await nodes()
        const newest = others.at(-1)!
        const place = await installed(installer, version, [`effect@${version}`], newest)
        writeFileSync(join(place, "example.ts"), example())
        const options = ["--strict", "--skipLibCheck", "false", "--target", "es2022", "--module", "nodenext"]
        // The library names types of Node.
        const types = ["--typeRoots", join(tsc, "../../../@types"), "--types", "node"]
        await run(process.execPath, [tsc, ...options, ...types, "example.ts"], place)
        assert.match(await run(newest, ["example.js"], place), printed)
        const own = realpathSync(join(place, "node_modules/market-signals"))
        const copies = [join(place, "node_modules/effect"), join(own, "../effect")].map((path) => realpathSync(path))
        assert.strictEqual(new Set(copies).size, 1)
        assert.isFalse(existsSync(join(own, "node_modules/effect")))
        const effect = JSON.parse(readFileSync(join(copies[0]!, "package.json"), "utf8"))
        assert.isTrue(effect.version.startsWith(`${version}${version === "3" ? "." : ""}`), effect.version)
        for (const node of others) await serves(node, join(place, program), place)
      },
    )

    it("says on Node 20 how to make the native part that an installation without scripts leaves out", async () => {
      const [oldest] = await nodes()
      const place = await installed("npm", "unbuilt", [], oldest)
      const refusal = await serves(oldest!, join(place, program), place).then(() => "it serves", String)
      assert.match(refusal, /native part is not there, as after .*: npm rebuild better-sqlite3-node20,/)
    })
  })
}
