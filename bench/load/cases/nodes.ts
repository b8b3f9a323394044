// The same program on one SQLite file and as 1, 2 and 4 nodes over one PostgreSQL database, asked by one account and by many.
// Load, nodes and store share the machine: four servers that share nothing else say what that costs.
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { define } from "../driver.ts"
import { alternate, cpuTime, drive, idle, medians, pause, treeCpuTime } from "../measure.ts"
import { postgres } from "../postgres.ts"
import * as Questions from "../questions.ts"
import { type Environment, postgresAt, prepare, type Running, serve, sqliteAt, stopped, wallets } from "../servers.ts"

type Node = Running & { readonly url: string }

/** Servers that are driven together, each over so many connections. */
interface Party {
  readonly name: string
  readonly nodes: ReadonlyArray<Node>
  /** Of as many accounts. */
  readonly keys: ReadonlyArray<string>
}

/** Milliseconds of CPU a second and node while nobody calls; jobs begin at the second of a minute. */
const unasked = async (nodes: ReadonlyArray<Node>, seconds: number): Promise<number> => {
  const busy = () => nodes.reduce((sum, node) => sum + cpuTime(node), 0)
  const start = busy()
  await pause(seconds * 1_000)
  return (busy() - start) / (seconds * 1_000 * nodes.length)
}

const keys = async (environment: Environment, count: number): Promise<Party["keys"]> => [
  (await prepare(environment)).key,
  ...(await wallets(environment, count - 1, 1_000_000_000)),
]

export const load = define(
  {
    ...{ rounds: [3, 1], seconds: [2, 1], warm: [10, 1], idle: [60, 2] },
    ...{ wallets: [1_000, 20], connections: ["1,32,128", "32"] },
  },
  async ({ options: { rounds, seconds, warm, idle: idleSeconds, wallets: many, connections }, folder, print, row }) => {
    const store = await postgres(folder)
    const live = { DATA_FRESHNESS_WEATHER: "live" }
    const file = { ...sqliteAt(join(folder, "one.db")), ...live }
    const database = { ...postgresAt(await store.create("calls"), folder), ...live }
    const [ownKeys, sharedKeys] = [await keys(file, many), await keys(database, many)]
    // Four stores with the same keys share nothing but the machine.
    const files = [1, 2, 3, 4].map((n) => join(folder, `apart${n}.db`))
    for (const each of files) copyFileSync(join(folder, "one.db"), each)

    // The first one makes the key files.
    const nodes = [await serve(database)]
    await idle(nodes[0]!)
    const start = treeCpuTime(store)
    const alone = await unasked(nodes, idleSeconds)
    const storeCpu = (treeCpuTime(store) - start) / 1_000 / idleSeconds
    const figures = { "node ms/s": alone, "store ms/s": storeCpu }
    row("CPU without calls", figures, { "node ms/s": { most: 10 } })

    for (let n = 1; n < 4; n++) nodes.push(await serve(database))
    const apart: Array<Node> = []
    for (const each of files) apart.push(await serve({ ...sqliteAt(each), ...live }))
    const parties: ReadonlyArray<Party> = [
      { name: "SQLite × 1", keys: ownKeys, nodes: [await serve(file)] },
      { name: "SQLite, 4 apart", keys: ownKeys, nodes: apart },
      ...[1, 2, 4].map((count) => ({ name: `PostgreSQL × ${count}`, keys: sharedKeys, nodes: nodes.slice(0, count) })),
    ]
    /** Fewer connections of each node would make smaller batches, which cost more a call. */
    const measured = async (party: Party, count: number, payers: number, duration: number, idleMs = 0) => {
      const next = Questions.plain()
      let turn = 0
      const [begun, storeCpu] = [performance.now(), treeCpuTime(store)]
      const seen = await drive(party.nodes, count, { duration }, () => ({
        ...next(),
        key: party.keys[turn++ % payers]!,
      }))
      const idleCpu = idleMs * (performance.now() - begun) * party.nodes.length
      return {
        ...seen,
        cpu: seen.cpu - idleCpu / seen.calls,
        store: (treeCpuTime(store) - storeCpu) / seen.calls,
      }
    }
    for (const party of parties) {
      for (const node of party.nodes) await idle(node)
      await measured(party, 32, many, warm * party.nodes.length)
    }
    // Not at once: a node looks for changes of keys for some seconds after its last call.
    await pause(5_000)
    const idleMs = await unasked(nodes, Math.min(20, idleSeconds))
    print(`medians of ${rounds} rounds of ${seconds} s; ms, CPU in µs a call, without that of nodes that nobody calls`)
    for (const payers of [1, many]) {
      for (const count of connections.split(",").map(Number)) {
        const all = await alternate(parties, rounds, (party) => measured(party, count, payers, seconds, idleMs))
        const byParty = new Map(parties.map(({ name }, at) => [name, medians(all[at]!)]))
        for (const [name, { perSecond, p50, p99, cpu, store: storeCpu }] of byParty) {
          const one = byParty.get(name.startsWith("SQLite") ? "SQLite × 1" : "PostgreSQL × 1")!
          const ratios = { "CPU × one": cpu / one.cpu, "× SQLite": perSecond / byParty.get("SQLite × 1")!.perSecond }
          row(
            `${payers} wallets, ${count} connections, ${name}`,
            { "calls/s": perSecond, p50, p99, CPU: cpu, "store CPU": storeCpu, ...ratios },
            {
              ...(name === "PostgreSQL × 4" && count > 1 ? { "CPU × one": { most: 1.15 } } : {}),
              ...(name === "PostgreSQL × 1" && count > 32 ? { "× SQLite": { least: 0.8 } } : {}),
            },
          )
        }
      }
    }
    for (const { nodes } of parties) for (const node of nodes) await stopped(node)
  },
)
