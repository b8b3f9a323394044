// Delivery speed, and its effect on API callers: 1,000 due deliveries to loopback receivers, drained alone; then the
// API at a fixed rate without and with concurrent deliveries.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Webhooks } from "../core/events/Webhooks.ts"
import { type Receiver, receiver } from "../test/support/receiver.ts"
import { cross, type Owner, owner, webhooksOver } from "../test/support/webhooks.ts"
import { autocannon } from "./peers.ts"
import { resident } from "./processes.ts"
import { progress } from "./progress.ts"
import { ours, stopped, type Target } from "./targets.ts"

const deliveries = Number(process.env["BENCH_DELIVERIES"] ?? 1_000)
const seconds = Number(process.env["BENCH_SECONDS"] ?? 3)
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5)
/** API calls per second. A rate, because a saturated server is late anyway. */
const rate = Number(process.env["BENCH_RATE"] ?? 300)
/** Webhooks among which the deliveries are divided. */
const webhooks = 4

const print = (text: string) => process.stdout.write(`${text}\n`)
const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

const folder = mkdtempSync(join(process.env["BENCH_DIR"] ?? tmpdir(), "market-signals-bench-"))
const to: Receiver = await receiver()
const store = ManagedRuntime.make(webhooksOver(join(folder, "ours.db"), [to.host]))
let target: Target | undefined
let months = 0

/** Queues deliveries while sending is off; their number. */
const prepare = (who: Owner, count: number): Promise<number> =>
  store.runPromise(
    Effect.gen(function* () {
      const { pause } = yield* Webhooks
      yield* Effect.forEach(who.webhooks, ({ id }) => pause(id))
      // Each month causes two events, each sent to all webhooks.
      const more = Math.ceil(count / webhooks / 2)
      yield* cross(who, more, months)
      months += more
      return more * 2 * webhooks
    }),
  )

/** Makes all of them due. */
const release = (who: Owner): Promise<unknown> =>
  store.runPromise(Effect.flatMap(Webhooks, ({ resume }) => Effect.forEach(who.webhooks, ({ id }) => resume(id))))

const drained = async (who: Owner, count: number): Promise<number> => {
  const before = to.received.length
  const due = await prepare(who, count)
  await release(who)
  const start = performance.now()
  await to.until((all) => all.length - before >= due)
  return performance.now() - start
}

const call = async ({ url, key }: Target, duration: number) => {
  const { latency, non2xx, errors } = await autocannon({
    url: `${url}/v1/crypto/signal`,
    duration,
    connections: 8,
    // In a worker thread: the receivers answer in this one.
    workers: 1,
    overallRate: rate,
    headers: { authorization: `Bearer ${key}` },
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx} bad answers, ${errors} errors`)
  return latency
}

try {
  target = await ours(folder, { WEBHOOK_ALLOW_HOSTS: to.host })
  const api = target
  const who = await store.runPromise(owner(Array.from({ length: webhooks }, (_, n) => `${to.url}/${n}`)))
  await call(api, 3)
  await drained(who, 200)

  const memory = resident(api)
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    progress("rounds of deliveries", round, rounds)
    times.push(await drained(who, deliveries))
  }
  const after = resident(api)
  print(
    `${deliveries} due deliveries to ${webhooks} webhooks: ${times.map((ms) => `${(ms / 1_000).toFixed(2)} s`).join(", ")}`,
  )
  if (memory !== undefined && after !== undefined) {
    print(`resident ${memory.toFixed(0)} → ${after.toFixed(0)} MiB over ${rounds * deliveries} deliveries`)
  }

  const [idle, busy]: [Array<number>, Array<number>] = [[], []]
  let sent = 0
  for (let round = 0; round < rounds; round++) {
    idle.push((await call(api, seconds)).p99)
    // More than can be sent in that time.
    const before = to.received.length
    const due = await prepare(who, deliveries * seconds)
    const calling = call(api, seconds)
    await release(who)
    busy.push((await calling).p99)
    sent += to.received.length - before
    await to.until((all) => all.length - before >= due)
  }
  const concurrent = Math.round(sent / rounds / seconds)
  print(`API at ${rate} calls/s, rounds of ${seconds} s, p99 ${idle.join(", ")} ms without deliveries`)
  print(`and ${busy.join(", ")} ms with ${concurrent} concurrent deliveries/s`)
  print(`medians ${median(idle)} and ${median(busy)} ms: x${(median(busy) / Math.max(1, median(idle))).toFixed(2)}`)
} finally {
  await store.dispose()
  if (target !== undefined) await stopped(target)
  await to.stop()
  rmSync(folder, { recursive: true, force: true })
}
