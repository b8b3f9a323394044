import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { parse } from "yaml"
import { config } from "../services/Config.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (name: string) => readFileSync(join(root, name), "utf8")

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

describe("Containerfile", () => {
  it("runs a file of the build, as a user without rights, on a version of Node that the package supports", () => {
    const text = read("Containerfile")
    const stages = text.split(/^FROM /m).slice(1)
    const command: ReadonlyArray<string> = JSON.parse(/^CMD (.*)$/m.exec(stages.at(-1)!)![1]!)
    assert.strictEqual(command.at(-1), "dist/services/server.js")
    assert.match(stages.at(-1)!, /^USER node$/m)
    const [, least] = /^>=(\d+)$/.exec(JSON.parse(read("package.json")).engines.node)!
    for (const stage of stages) assert.isAtLeast(Number(/^node:(\d+)/.exec(stage)![1]), Number(least))
  })
})
