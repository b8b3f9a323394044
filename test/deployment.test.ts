import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { validate } from "dockerfile-utils"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { parse } from "yaml"
import { config } from "../services/Config.ts"
import { variables } from "../services/config/variables.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (name: string) => readFileSync(join(root, name), "utf8")
const manifest = JSON.parse(read("package.json"))

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0
if (!hasSystemd) process.stdout.write("Skipped: no systemd-analyze, which checks services/market-signals.service.\n")

interface Service {
  readonly image: string
  readonly build?: { readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: ReadonlyArray<string>
  readonly networks: ReadonlyArray<string>
  readonly healthcheck?: { readonly test: ReadonlyArray<string> }
  readonly depends_on?: Readonly<Record<string, unknown>>
}

const compose: {
  readonly services: Readonly<Record<string, Service>>
  readonly configs: { readonly proxy: { readonly content: string } }
  readonly networks: {
    readonly inside: { readonly ipam: { readonly config: ReadonlyArray<{ readonly subnet: string }> } }
  }
  readonly volumes: Readonly<Record<string, unknown>>
} = parse(read("compose.yaml"), { merge: true })

/** As Compose does: `$` with a name in braces, a default after `:-`, a message after `:?`. */
const interpolated = (text: string, given: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string, rest: string) => {
    const value = given[name] ?? (kind === "-" ? rest : undefined)
    if (value === undefined) throw new Error(`${name} ${rest}`)
    return value
  })

const environmentOf = (service: Service, given: Readonly<Record<string, string>>) =>
  Object.entries(service.environment ?? {}).map(([name, value]) => [name, interpolated(value, given)] as const)

const nodes = Object.entries(compose.services).filter(([, { image }]) => image === "market-signals")
const database = compose.services["database"]!

describe("compose.yaml", () => {
  it("has PostgreSQL, two nodes and a proxy before them", () => {
    assert.deepStrictEqual(
      nodes.map(([name]) => name),
      ["node-1", "node-2"],
    )
    const { content } = compose.configs.proxy
    for (const [name, { environment }] of nodes)
      assert.include(content, `server ${name} ${name}:${environment!["PORT"]}`)
    assert.deepStrictEqual([...content.matchAll(/^ {2}server (\S+)/gm)].map(([, name]) => name).toSorted(), [
      "node-1",
      "node-2",
    ])
    assert.include(content, "option httpchk GET /readyz")
  })

  for (const [name, service] of nodes) {
    it.effect(`starts ${name} with settings that the program accepts`, () =>
      Effect.gen(function* () {
        const environment = environmentOf(service, { POSTGRES_PASSWORD: "secret1" })
        const asked = new Set<string>()
        const provider = ConfigProvider.fromMap(new Map(environment))
        const found = yield* Effect.withConfigProvider(
          Effect.suspend(() => config),
          ConfigProvider.mapInputPath(provider, (path) => {
            asked.add(path)
            return path
          }),
        )
        for (const [variable] of environment) assert.isTrue(asked.has(variable), `${variable} is no setting`)
        assert.isTrue(Option.isSome(found.postgres))
        const trusted = found.network.trusts("172.31.240.5")
        assert.isTrue(trusted, "the proxy's address is trusted")
      }),
    )

    it(`keeps the keys of ${name} in the shared volume, and waits for what it needs`, () => {
      const files = environmentOf(service, { POSTGRES_PASSWORD: "secret1" }).flatMap(([variable, value]) =>
        variable.endsWith("_KEY_FILE") ? [value] : [],
      )
      assert.lengthOf(files, 2)
      const [volume, folder] = service.volumes![0]!.split(":") as [string, string]
      assert.property(compose.volumes, volume)
      for (const file of files) assert.isTrue(file.startsWith(`${folder}/`))
      assert.include(read("Containerfile"), ` ${folder}\n`)
      assert.deepStrictEqual(Object.keys(service.depends_on!), [name === "node-1" ? "database" : "node-1"])
      assert.include(service.healthcheck!.test.join(" "), `:${service.environment!["PORT"]}/readyz`)
    })
  }

  it("needs a password", () => {
    for (const service of [database, nodes[0]![1]]) assert.throws(() => environmentOf(service, {}), "POSTGRES_PASSWORD")
  })

  it("creates the database as the program wants it, and the nodes log in to it", () => {
    const { POSTGRES_USER: user, POSTGRES_DB: name, POSTGRES_INITDB_ARGS: options } = database.environment!
    assert.strictEqual(options, "--encoding=UTF8 --locale=C")
    for (const [, service] of nodes) {
      const url = new URL(interpolated(service.environment!["DATABASE_URL"]!, { POSTGRES_PASSWORD: "secret1" }))
      assert.deepStrictEqual(
        [url.username, url.hostname, url.pathname, url.password],
        [user, "database", `/${name}`, "secret1"],
      )
    }
  })
})

const containerfile = read("Containerfile")

describe("Containerfile", () => {
  it("has no finding of the linter", () => {
    assert.deepStrictEqual(
      validate(containerfile).map(({ message, range }) => `${range.start.line + 1}: ${message}`),
      [],
    )
  })

  it("runs a file of the build, as a user without rights, on a version of Node that the package supports", () => {
    const stages = containerfile.split(/^FROM /m).slice(1)
    const last = stages.at(-1)!
    const command: ReadonlyArray<string> = JSON.parse(/^CMD (.*)$/m.exec(last)![1]!)
    assert.strictEqual(command.at(-1), "dist/services/server.js")
    assert.include(last, `ln -s /app/${manifest.bin[manifest.name].slice(2)} /usr/local/bin/market-signals`)
    assert.match(last, /^USER node$/m)
    assert.match(last, /^VOLUME \["\/data"\]$/m)
    assert.match(last, /^HEALTHCHECK [^\n]*\\\n {2}CMD \["node", .*\/readyz/m)
    const [, least] = /^>=(\d+)/.exec(manifest.engines.node)!
    for (const stage of stages) assert.isAtLeast(Number(/^node:(\d+)/.exec(stage)![1]), Number(least))
  })
})

describe("the systemd unit", () => {
  const unit = read("services/market-signals.service")
  const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value]) => value)

  it("starts the package's program with settings that it takes, and writes to its own folder alone", () => {
    assert.deepStrictEqual(values("ExecStart"), ["/usr/bin/env market-signals serve"])
    const environment = Object.fromEntries(
      values("Environment").flatMap((line) => line!.split(" ").map((pair) => pair.split(/=(.*)/s).slice(0, 2))),
    )
    const [folder] = values("StateDirectory")
    assert.match(environment["DATABASE_URL"], new RegExp(`^sqlite:/var/lib/${folder}/`))
    assert.deepStrictEqual(values("ProtectSystem"), ["strict"])
    assert.isEmpty(values("ReadWritePaths"))
    const ours = Object.keys(environment).filter((name) => !name.startsWith("NODE_"))
    for (const name of ours)
      assert.include(
        variables.map((each) => each.name),
        name,
      )
  })

  it.skipIf(!hasSystemd)("is accepted by systemd, whose estimate of its exposure is at most 2 of 10", () => {
    const folder = mkdtempSync(join(tmpdir(), "market-signals-unit-"))
    try {
      // The program need not be installed here.
      const file = join(folder, "market-signals.service")
      writeFileSync(file, unit.replace(/^ExecStart=.*$/m, "ExecStart=/bin/true"))
      execFileSync("systemd-analyze", ["verify", file], { stdio: "pipe" })
      const report = execFileSync("systemd-analyze", ["security", "--offline=true", file], { encoding: "utf8" })
      assert.isAtMost(Number(/Overall exposure level .*?: ([\d.]+)/.exec(report)![1]), 2)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
