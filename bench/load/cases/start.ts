// From a start of the server to its first answers: as built, over a fresh store and over the same store again, and from source; then
// the memory of a server that nobody calls and of one whose public pages were opened once. The lanes are generated.
import { mkdtempSync } from "node:fs"
import { join, resolve } from "node:path"
import { type Bars, define } from "../driver.ts"
import { answered, cpuTime, idle, medians, pause, resident } from "../measure.ts"
import { type Running, started, stopped } from "../servers.ts"

const built = resolve("dist/services/server.js")
const ways = [
  { name: "built, fresh store", script: built, isFresh: true, bar: 1 },
  { name: "built, second start", script: built, isFresh: false, bar: 1 },
  { name: "from source", script: resolve("services/start.mjs"), isFresh: true, bar: 2 },
] as const

const bearer = (key: string | undefined): Readonly<Record<string, string>> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` }

/** The keys of the first start in each folder, which prints them once. */
const keys = new Map<string, string>()

/** Starts a server in a folder, whose default store keeps what the start before left, and stops it after the work. */
const withServer = async <A>(
  script: string,
  folder: string,
  warmUp: "yes" | "no",
  work: (server: Running & { readonly url: string; readonly key: string | undefined }) => Promise<A>,
): Promise<A> => {
  const { child, value, output } = await started(
    ["--max-semi-space-size=8", script],
    { DATABASE_URL: undefined, PORT: "0", WARM_UP: warmUp },
    (output) => / on (http:\/\/[^\s"]+)/.exec(output)?.[1],
    { cwd: folder },
  )
  const key = /svk_live_\w+/.exec(output)?.[0] ?? keys.get(folder)
  if (key !== undefined) keys.set(folder, key)
  try {
    return await work({ child, url: value, key })
  } finally {
    await stopped({ child })
  }
}

/** Seconds from the spawn until a server listens and has given its first answers, asked in this order. */
const start = async (script: string, folder: string) => {
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1_000
  return withServer(script, folder, "yes", async ({ url, key }) => {
    const listens = seconds()
    const after = async (path: string) => {
      await answered(url + path, bearer(key))
      return seconds()
    }
    const ready = await after("/readyz")
    const performance = await after("/v1/markets/performance")
    return { listens, ready, performance, "fair line": await after("/v1/nfl/fair-line?team=KC") }
  })
}

export const load = define({ starts: [5, 1], idle: [60, 1] }, async ({ options, folder, print, row }) => {
  const newFolder = () => mkdtempSync(join(folder, "start-"))
  print(`medians of ${options.starts} starts, seconds from the start of the process`)
  for (const { name, script, isFresh, bar } of ways) {
    const same = newFolder()
    // The first one makes the store.
    if (!isFresh) await start(script, same)
    const all: Array<Awaited<ReturnType<typeof start>>> = []
    for (let n = 0; n < options.starts; n++) all.push(await start(script, isFresh ? newFolder() : same))
    row(name, medians(all), { ready: { most: bar } })
  }
  for (const warmUp of ["yes", "no"] as const) {
    await withServer(built, newFolder(), warmUp, async (server) => {
      await pause(options.idle * 1_000)
      row(`idle for ${options.idle} s, WARM_UP=${warmUp}`, { MiB: resident(server) })
    })
  }
  const firstProof = (folder: string, name: string, bars: Bars) =>
    withServer(built, folder, "no", async (server) => {
      const [begun, used] = [performance.now(), cpuTime(server)]
      await answered(`${server.url}/v1/markets/performance`)
      const seconds = (performance.now() - begun) / 1_000
      row(`first proof call, WARM_UP=no, ${name}`, { seconds, CPU: (cpuTime(server) - used) / 1e6 }, bars)
    })
  const visited = (folder: string, name: string) =>
    withServer(built, folder, "yes", async (server) => {
      await idle(server)
      const sitemap = await (await fetch(`${server.url}/sitemap.xml`)).text()
      const pages = [...sitemap.matchAll(/<loc>([^<]+)/g)].map(([, page]) => new URL(page!).pathname)
      for (const page of [...pages, "/openapi.json"]) await answered(server.url + page)
      await pause(2_000)
      row(`each public page opened once, ${name}`, { MiB: resident(server) }, { MiB: { most: 300 } })
    })
  const [first, second] = [newFolder(), newFolder()]
  await firstProof(first, "fresh store", { seconds: { most: 4.5 } })
  await firstProof(first, "second start", { seconds: { most: 0.6 } })
  await visited(second, "fresh store")
  await visited(second, "second start")
})
