// The paid call beside a handwritten Fastify server that does the same work on the same disk, and beside the bare limit.
// `--only plain32,agent32` chooses rows; `--before DIR`, the folder of another build, adds a party; `--memory N`: calls over which the
// growth of resident memory is measured.
import { Agent } from "node:http"
import { define } from "../driver.ts"
import {
  alternate,
  answered,
  cpuTime,
  drive,
  type Keyed,
  type Load,
  medians,
  quantile,
  resident,
  warm,
} from "../measure.ts"
import * as Questions from "../questions.ts"
import { limit, newestDay, ours, peer, type Server } from "../servers.ts"

/** One kind of call. The peer and the limit know only the plain one, and are asked that. */
interface Kind {
  readonly name: string
  readonly connections: number
  readonly questions: () => Questions.Questions
  readonly isAgent?: boolean
}

const newest = newestDay()
const kinds: ReadonlyArray<Kind> = [
  { name: "plain", connections: 32, questions: Questions.plain },
  { name: "plain", connections: 128, questions: Questions.plain },
  { name: "plain", connections: 1, questions: Questions.plain },
  { name: "agent", connections: 32, questions: Questions.plain, isAgent: true },
  { name: "idempotent", connections: 32, questions: Questions.idempotent },
  { name: "record", connections: 32, questions: () => Questions.records(newest) },
]

type Target = Server & { readonly agentKey?: string }

const questions = ({ key, agentKey }: Target, kind: Kind): (() => Keyed) => {
  const next = agentKey === undefined ? Questions.plain() : kind.questions()
  return () => ({ ...next(), key: kind.isAgent === true ? (agentKey ?? key) : key })
}

/** Calls on one connection, one after another: autocannon has only milliseconds. */
const oneByOne = async (target: Target, next: () => Keyed, calls: number): Promise<Load> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: Array<number> = []
  const [cpu, begun] = [cpuTime(target), performance.now()]
  for (let call = 0; call < calls; call++) {
    const { path, key, headers } = next()
    times.push((await answered(target.url + path, { authorization: `Bearer ${key}`, ...headers }, agent)).ms)
  }
  agent.destroy()
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
  const perSecond = (calls * 1_000) / (performance.now() - begun)
  return { calls, perSecond, p50, p99, cpu: (cpuTime(target) - cpu) / calls, bytes: Number.NaN }
}

export const load = define(
  { rounds: [5, 1], seconds: [2, 1], warm: [20, 1], memory: [200_000, 2_000], only: "", before: "" },
  async ({ options: { rounds, seconds, warm: warmUp, memory, only, before }, folder, print, row }) => {
    const server = await ours(folder)
    const others: ReadonlyArray<Target> = [
      ...(await peer(folder)),
      ...(await limit(folder)),
      ...(before === "" ? [] : [await ours(folder, { name: "before", build: before })]),
    ]
    const targets: ReadonlyArray<Target> = [server, ...others]
    for (const target of targets) await warm(target, warmUp, questions(target, kinds[0]!))
    print(`store in ${folder}; medians of ${rounds} rounds of ${seconds} s; ms, CPU in µs a call`)
    for (const kind of kinds) {
      const { name, connections } = kind
      if (only !== "" && !only.split(",").includes(`${name}${connections}`)) continue
      const all = await alternate(targets, rounds, (target) => {
        const next = questions(target, kind)
        return connections === 1
          ? oneByOne(target, next, 500)
          : drive([target], connections, { duration: seconds }, next)
      })
      const loads = all.map(medians)
      // Alone the time of a call counts, with many connections the number of calls.
      const ratio = (one: Load, other: string): Readonly<Record<string, number>> => {
        const compared = loads[targets.findIndex((target) => target.name === other)]
        if (compared === undefined) return {}
        return { [`× ${other}`]: connections === 1 ? one.p50 / compared.p50 : one.perSecond / compared.perSecond }
      }
      for (const [index, target] of targets.entries()) {
        const { perSecond, p50, p99, cpu } = loads[index]!
        const figures = { "calls/s": perSecond, p50, p99, CPU: cpu }
        row(`${name}, ${connections} connections, ${target.name}`, {
          ...figures,
          ...ratio(loads[index]!, "fastify peer"),
          ...ratio(loads[index]!, "bare limit"),
        })
      }
    }
    if (memory === 0) return
    const next = questions(server, kinds[0]!)
    await drive([server], 32, { amount: memory / 10 }, next)
    const MiB = resident(server)
    await drive([server], 32, { amount: memory }, next)
    row(`resident memory, ${memory} calls more`, { MiB, "MiB more": resident(server) - MiB })
  },
)
