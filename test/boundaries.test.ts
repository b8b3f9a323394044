import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, normalize, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

const sources = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))

const without = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "")

const imports = (file: string): ReadonlyArray<string> =>
  [
    ...without(readFileSync(join(root, file), "utf8")).matchAll(
      /\sfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
    ),
  ].map((match) => (match[1] ?? match[2] ?? match[3])!)

/** The folder of the repository that an import reaches, or the package it names. */
const reach = (file: string, specifier: string): string =>
  specifier.startsWith(".") ? normalize(join(dirname(file), specifier)).split("/")[0]! : specifier

describe("boundaries", () => {
  it("keeps the top level to five folders", () => {
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => name)
    const ignored = ["node_modules", "dist", "var", "coverage"]
    assert.sameMembers(
      folders.filter((name) => !ignored.includes(name)),
      ["core", "adapters", "services", "test", "bench"],
    )
  })

  it("core imports only effect/* and itself", () => {
    for (const file of sources("core")) {
      for (const specifier of imports(file)) {
        const to = reach(file, specifier)
        assert.isTrue(to === "core" || to.startsWith("effect/"), `${file} imports ${specifier}`)
      }
    }
  })

  it("no two folders of core import each other", () => {
    const room = (path: string) => path.split("/").slice(1, -1)[0]
    const edges = new Set(
      sources("core").flatMap((file) =>
        [...without(readFileSync(join(root, file), "utf8")).matchAll(/\sfrom\s+"(\.[^"]+)"/g)].map(
          ([, specifier]) => `${room(file)} ${room(normalize(join(dirname(file), specifier!)))}`,
        ),
      ),
    )
    const isMutual = (edge: string) => {
      const [from, to] = edge.split(" ")
      return from !== to && from !== "undefined" && to !== "undefined" && edges.has(`${to} ${from}`)
    }
    assert.deepStrictEqual([...edges].filter(isMutual), [])
  })

  it("adapters import core, themselves and packages, never services or tests", () => {
    for (const file of sources("adapters")) {
      for (const specifier of imports(file)) {
        assert.notInclude(["services", "test", "bench"], reach(file, specifier), `${file} imports ${specifier}`)
      }
    }
  })

  it("nothing of the service imports a bench, the open one too", () => {
    for (const file of ["core", "adapters", "services"].flatMap(sources)) {
      for (const specifier of imports(file)) {
        assert.notInclude(["bench", "market-signals-bench"], reach(file, specifier), `${file} imports ${specifier}`)
      }
    }
  })

  it("the bench has four rooms; none imports a test, and no test imports what loads servers", () => {
    const folders = (path: string) =>
      readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() && entry.name !== "node_modules" ? [join(path, entry.name)] : [],
      )
    assert.sameMembers(folders("bench"), ["bench/attack", "bench/load", "bench/open", "bench/tools"])
    const tests = [...folders("test").filter((path) => path !== "test/long"), ...folders("test/long")].flatMap(sources)
    for (const [file, room] of [
      ...folders("bench")
        .flatMap(sources)
        .map((file) => [file, "test/"] as const),
      ...tests.map((file) => [file, "bench/load/"] as const),
    ]) {
      for (const specifier of imports(file).filter((each) => each.startsWith("."))) {
        assert.isFalse(normalize(join(dirname(file), specifier)).startsWith(room), `${file} imports ${specifier}`)
      }
    }
  })

  it("services are named by the package, each by a name of its own: Effect tells them apart by it alone", () => {
    const defining =
      /\b(Port\.define|Port\.plain|Lane\.define|Tag|GenericTag(?:<\w+>)?|Reference<\w+>\(\)|Symbol\.for)\(\s*["'`]([^"'`]*)/g
    const keys = ["core", "adapters", "services"]
      .flatMap(sources)
      .flatMap((file) => [...without(readFileSync(join(root, file), "utf8")).matchAll(defining)])
      .map(([, by, key]) =>
        by!.includes(".") && !by!.startsWith("Symbol") ? `market-signals/core/lanes/${key}` : key!,
      )
    assert.isAbove(keys.length, 100)
    assert.deepStrictEqual(
      keys.filter((key) => !key.startsWith("market-signals/")),
      [],
    )
    assert.deepStrictEqual(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      [],
    )
  })

  /** Fails where a file imports a room of its folder that stands after its own, or is apart from it. */
  const pointOneWay = (
    folder: string,
    order: ReadonlyArray<string>,
    apart: Readonly<Record<string, ReadonlyArray<string>>> = {},
  ) => {
    const room = (path: string) => (path.startsWith(`${folder}/`) ? relative(folder, dirname(path)).split("/")[0]! : "")
    const files = sources(folder).filter((file) => room(file) !== "")
    assert.sameMembers([...new Set(files.map(room))], order as Array<string>)
    for (const file of files) {
      const own = room(file)
      const allowed = order.slice(0, order.indexOf(own) + 1).filter((other) => !apart[own]?.includes(other))
      for (const specifier of imports(file).filter((each) => each.startsWith("."))) {
        const path = normalize(join(dirname(file), specifier))
        if (path.startsWith(`${folder}/`)) assert.include(allowed, room(path), `${file} imports ${specifier}`)
      }
    }
  }

  it("the rooms of adapters import only rooms that stand before them", () => {
    const order = ["runtime", "store", "lanes", "describe", "admin", "server", "web", "client"]
    pointOneWay("adapters", order, {
      describe: ["runtime", "store", "lanes"],
      admin: ["runtime", "store", "lanes", "describe"],
      server: ["store", "lanes"],
      web: ["runtime", "store", "lanes"],
      client: order.slice(0, -1),
    })
  })

  it("the rooms of the store import only rooms that stand before them, and none imports what knows them all", () => {
    const order = ["schema", "engine", "trail", "record", "money", "audit", "account", "people", "events", "upkeep"]
    pointOneWay("adapters/store", order)
  })

  /** The files of each room that other rooms may import: a file that is not here may change for its room alone. */
  const doors: Readonly<Record<string, string>> = {
    runtime: `node/folders node/hasher node/secrets scheduler/onTime shadow/shadow telemetry/exposition
      upstream/Definition upstream/breaker upstream/cacheUpstream upstream/csv upstream/upstream`,
    store: `engine/Dialect engine/Transactions engine/changes engine/columns engine/diskGuard engine/locks engine/manyRows engine/slices engine/storage engine/upsert
      record/LawScores record/Outcomes record/RecordLog record/Settled record/ShadowLog record/settledRow upkeep/FeedAttempts`,
    admin:
      "AdminOperation accountVerbs agentVerbs alertVerbs fields orderVerbs peopleVerbs shapes sourceVerbs verbs webhookShapes webhookVerbs",
    describe: `clients figures fullText guides llms manifests nextCall openapi openapiFragments operation paths schemas versions tools/pricing
      tools/prompts tools/protocol tools/schemas tools/tools tools/toolsets webhookSnippets`,
    server: `http/Site http/alertEvents http/body http/clientAddress http/handler http/health http/listener http/publicRoute
      http/query http/rest http/route http/server http/slices http/wire`,
  }

  it("a room of adapters is entered by its doors alone, and each door is used", () => {
    const entered = new Set<string>()
    for (const file of sources("adapters")) {
      for (const specifier of imports(file).filter((each) => each.startsWith("."))) {
        const path = normalize(join(dirname(file), specifier))
        const [folder, room, ...rest] = path.split("/")
        if (folder === "adapters" && room !== file.split("/")[1]) entered.add(`${room} ${rest.join("/")}`)
      }
    }
    const open = Object.entries(doors).flatMap(([room, files]) =>
      files.split(/\s+/).map((name) => `${room} ${name}.ts`),
    )
    assert.sameMembers([...entered], open)
  })

  it("a verb beside a server is asked before lanes, settings or a driver are loaded", () => {
    const loaded = new Set<string>()
    const load = (file: string): void => {
      if (loaded.has(file)) return
      loaded.add(file)
      const text = without(readFileSync(join(root, file), "utf8"))
      for (const [, names = "", specifier] of text.matchAll(
        /^(?:im|ex)port (?!type )(?:([^"]*?) from )?"(\.[^"]+)"/gm,
      )) {
        const isType = /^\{\s*\}$/.test(names.replace(/\btype \w+(?: as \w+)?,?/g, ""))
        if (!isType) load(normalize(join(dirname(file), specifier!)))
      }
    }
    const families = ["account", "agents", "audit", "dashboard", "jobs", "webhooks"]
    for (const file of ["cli.ts", "cli/run.ts", ...families.map((name) => `cli/${name}.ts`)]) load(`services/${file}`)
    assert.include([...loaded], "services/messages.ts")
    for (const heavy of [
      "core/lanes/all.ts",
      "services/Config.ts",
      "services/storeTasks.ts",
      "adapters/store/engine/sqlite/driver.ts",
    ])
      assert.notInclude([...loaded], heavy)
  })

  it("imports Effect by module, never a barrel", () => {
    for (const file of ["core", "adapters", "services", "bench"].flatMap(sources)) {
      for (const specifier of imports(file)) {
        assert.notMatch(specifier, /^(effect|@effect\/(platform|platform-node|sql|sql-sqlite-node|cli))$/, file)
      }
    }
  })

  it("a lane asks its sources by questions alone, whose answers identify themselves", () => {
    const reading = /\b(getJson|getText|getFile|client\.execute)\b/
    const found = sources("adapters/lanes").filter((file) =>
      reading.test(without(readFileSync(join(root, file), "utf8"))),
    )
    assert.deepStrictEqual(found, [])
    assert.isTrue(reading.test(readFileSync(join(root, "adapters/runtime/upstream/Definition.ts"), "utf8")))
  })

  it("opens connections by hand behind the guard of users' URLs alone, and to the socket of a store's owner", () => {
    const opening = /import \{[^}]*\b(request|get|connect)\b[^}]*\} from "node:(http|https|http2|net|tls)"/
    const found = ["core", "adapters"]
      .flatMap(sources)
      .filter((file) => opening.test(readFileSync(join(root, file), "utf8")))
    assert.deepStrictEqual(found, ["adapters/server/webhooks/client.ts", "adapters/store/engine/sqlite/owner.ts"])
  })

  it("takes no time, randomness, environment or console from the air outside services", () => {
    const ambient = /\b(Date\.now\(|new Date\(\)|Math\.random\(|console\.|process\.env|Deno\.|fetch\()/
    // The client runs in its user's program, not in the service.
    const client = "adapters/client/platform.ts"
    for (const file of ["core", "adapters"].flatMap(sources).filter((each) => each !== client)) {
      const found = ambient.exec(without(readFileSync(join(root, file), "utf8")))
      assert.isNull(found, `${relative(root, file)}: ${found?.[0]}`)
    }
  })
})
