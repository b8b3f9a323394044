// Deliveries to receivers on loopback: the time to send those that are due at once; and the API at a fixed rate, alone and beside
// deliveries.
import { createServer } from "node:http"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { webhookVerbs } from "../../../adapters/admin/webhookVerbs.ts"
import { types } from "../../../core/events/Event.ts"
import { Webhooks } from "../../../core/events/Webhooks.ts"
import { define } from "../driver.ts"
import { autocannon, idle, median, pause, resident } from "../measure.ts"
import { funded, inStore, listen, operate, ours, sqliteAt } from "../servers.ts"

/** Webhooks among which the deliveries of a batch are divided. */
const each = 4

/** A server that takes deliveries and counts them. */
const receiver = async () => {
  let received = 0
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      received++
      response.end()
    })
  })
  return { host: `127.0.0.1:${await listen(server)}`, received: () => received }
}

export const load = define(
  { rounds: [5, 1], deliveries: [1_000, 40], seconds: [3, 1], rate: [300, 30] },
  async ({ options: { rounds, deliveries, seconds, rate }, folder, row }) => {
    const { host, received } = await receiver()
    const environment = { WEBHOOK_ALLOW_HOSTS: host }
    const database = { ...sqliteAt(join(folder, "market-signals.db")), ...environment }
    /** Paused webhooks with so many deliveries, which are sent when they are resumed. */
    const batch = (name: string, count: number) =>
      Effect.gen(function* () {
        const webhooks = yield* Webhooks
        const { id: account } = yield* funded(name, 1_000_000)
        const ids: Array<string> = []
        for (let n = 0; n < each; n++) {
          const { webhook } = yield* webhooks.create(account, `http://${host}/${name}/${n}`, types)
          for (let event = 0; event < count / each; event++) yield* webhooks.test(webhook.id)
          yield* webhooks.pause(webhook.id)
          ids.push(webhook.id)
        }
        return ids
      })
    // The first one warms up. Beside calls there are more than can be sent in their time.
    const counts = [200, ...Array.from({ length: rounds }, () => deliveries)]
    const { alone, beside } = await inStore(
      database,
      Effect.all({
        alone: Effect.forEach(counts, (count, n) => batch(`alone-${n}`, count)),
        beside: Effect.forEach(counts.slice(1), (count, n) => batch(`beside-${n}`, count * seconds)),
      }),
    )
    const server = await ours(folder, { environment })
    await idle(server)
    const release = (ids: ReadonlyArray<string>) =>
      operate(database, ({ verb }) => Effect.forEach(ids, (webhook) => verb(webhookVerbs.webhooksResume, { webhook })))
    const until = async (count: number) => {
      while (received() < count) await pause(5)
    }
    const [all, before]: [Array<number>, number] = [[], resident(server)]
    for (const [n, ids] of alone.entries()) {
      const due = received() + counts[n]!
      const begun = performance.now()
      await release(ids)
      await until(due)
      if (n > 0) all.push((performance.now() - begun) / 1_000)
    }
    const s = median(all)
    row(`${deliveries} deliveries to ${each} webhooks`, {
      s,
      "per s": deliveries / s,
      "MiB more": resident(server) - before,
    })
    /** In a worker thread: the receivers answer in this one. A rate, because a saturated server is late anyway. */
    const call = async () => {
      const { latency, non2xx, errors } = await autocannon({
        url: `${server.url}/v1/crypto/signal`,
        ...{ duration: seconds, connections: 8, workers: 1, overallRate: rate },
        headers: { authorization: `Bearer ${server.key}` },
      })
      if (non2xx + errors > 0) throw new Error(`${non2xx} bad answers, ${errors} errors`)
      return latency.p99
    }
    await call()
    const [quiet, busy, sent]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
    for (const ids of beside) {
      quiet.push(await call())
      const begun = received()
      const calling = call()
      await release(ids)
      busy.push(await calling)
      sent.push((received() - begun) / seconds)
      await until(begun + deliveries * seconds)
    }
    row(`API at ${rate} calls/s`, {
      "p99 ms": median(quiet),
      "beside deliveries": median(busy),
      "deliveries/s": median(sent),
    })
  },
)
