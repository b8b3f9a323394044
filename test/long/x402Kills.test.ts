import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import { ExactEvmScheme } from "@x402/evm/exact/client"
import { wrapFetchWithPayment, x402Client } from "@x402/fetch"
import * as Effect from "effect/Effect"
import * as processes from "../support/processes.ts"
import { serverProcess } from "../support/serverProcess.ts"
import { accountsOver, folder } from "../support/store.ts"
import { environmentOf } from "./chain/environment.ts"
import { type World, world } from "./chain/world.ts"

const kills = Number(process.env["X402_KILLS"] ?? 5)

const agents = 6
const price = 1_000
const nowhere = "http://127.0.0.1:9"
const path = "/v1/weather/settlement?station=KNYC"

/** Longer than any answer of a server takes, and short enough that an agent whose connection nobody ends calls again. */
const patienceMs = 20_000
const bounded: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(patienceMs) })

/**
 * Agents call until `isOver`; one whose server goes away calls the next.
 *
 * @param seen receives the status of each answer, or why there was none, and the server
 */
const calling = async (
  on: World,
  urlOf: () => string,
  isOver: () => boolean,
  seen: (result: number | string, server: string) => void,
): Promise<void> => {
  await Promise.all(
    Array.from({ length: agents }, async () => {
      const account = await on.payer(BigInt(1_000 * price))
      const client = new x402Client()
        .register("eip155:*", new ExactEvmScheme(account))
        .setSpendControls({ allowedAssets: [{ network: `eip155:${on.chainId}`, asset: on.token }] })
      const pay = wrapFetchWithPayment(bounded, client)
      while (!isOver()) {
        const url = urlOf()
        // As long as the server says: the payments of a killed one hold their payers back for some seconds.
        let waitMs = 250
        const result = await pay(url + path)
          .then(async (response) => {
            const { error } = (await response.json()) as { readonly error?: { readonly retry_after_ms?: number } }
            waitMs = error?.retry_after_ms ?? waitMs
            return response.status
          })
          .catch((error: Error) => `${error.name}: ${error.cause ?? error.message}`)
        seen(result, url)
        if (result !== 200) await pause(waitMs)
      }
    }),
  )
}

describe("a server that is killed while agents pay", () => {
  it.scopedLive(
    `has credited every payment that the chain shows, once, and no other, ${kills} times`,
    () =>
      Effect.gen(function* () {
        const on = yield* Effect.acquireRelease(Effect.promise(world), ({ stop }) => Effect.promise(stop))
        const file = join(yield* folder, "store.db")
        const environment = {
          DATABASE_URL: `sqlite:${file}`,
          LOG_LEVEL: "error",
          ...(yield* Effect.promise(() => environmentOf(on))),
        }
        // A payment waits for its block, so that the server is killed between the payment and its credit.
        yield* Effect.promise(() => on.rpc("evm_setIntervalMining", 1))
        let url = nowhere
        let isOver = false
        let answered = 0
        let last: number | string = 0
        const hung: Array<string> = []
        const calls = calling(
          on,
          () => url,
          () => isOver,
          (result, server) => {
            last = result
            if (result === 200) answered++
            else if (server === url && String(result).startsWith("TimeoutError")) hung.push(url)
          },
        )
        for (let round = 0; round < kills; round++) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const server = yield* serverProcess(environment)
              url = server.url
              // Servers start slowly on a busy machine: each one answers before it is killed.
              const before = answered
              const begun = performance.now()
              while (answered < before + 2) {
                assert.isBelow(performance.now() - begun, 40_000, `server ${round} does not answer: ${last}`)
                yield* Effect.sleep(50)
              }
              yield* Effect.sleep(1_200 + Math.random() * 1_500)
            }),
          )
          url = nowhere
        }
        isOver = true
        yield* Effect.promise(() => calls)
        assert.deepStrictEqual(hung, [])
        yield* Effect.promise(() => on.rpc("evm_setIntervalMining", 0))
        yield* Effect.promise(() => on.rpc("anvil_mine", "0x2"))

        const before = yield* Effect.promise(() => on.balance(on.payTo))
        const open =
          "SELECT COUNT(*) AS n FROM orders o WHERE NOT EXISTS (SELECT 1 FROM order_facts f WHERE f.order_id = o.id AND f.kind <> 'opened')"
        const rows = <A extends object>(query: string) =>
          Effect.provide(
            Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A>(query)),
            accountsOver(file),
          )
        const [{ n: cut }] = (yield* rows<{ n: number }>(open)) as [{ n: number }]
        const reconciling = processes.start("services/cli.ts", ["orders", "reconcile", "--json"], environment)
        assert.strictEqual(yield* Effect.promise(() => reconciling.ended), 0, reconciling.stderr())
        const found = JSON.parse(reconciling.lines.join("\n"))
        assert.deepStrictEqual([found.unanswered, found.mismatched, found.looked], [[], [], cut])

        const [books] = (yield* rows<{ credited: number; credits: number; charges: number; left: number }>(`
          SELECT (SELECT SUM(micros) FROM postings WHERE kind = 'credit') AS credited,
            (SELECT COUNT(*) FROM postings WHERE kind = 'credit') AS credits,
            (SELECT COUNT(*) FROM postings WHERE kind = 'charge') AS charges,
            (SELECT SUM(balance_micros) FROM wallets) AS left`)) as [
          { credited: number; credits: number; charges: number; left: number },
        ]
        assert.strictEqual(BigInt(books.credited), before, "the journal and the chain differ")
        assert.strictEqual(books.credited, books.credits * price)
        assert.strictEqual(books.left, books.credited - books.charges * price)
        // Charges of answers that did not arrive were under way when the server was killed.
        assert.isAtLeast(books.charges, answered)
        assert.isAtMost(books.charges - answered, kills * agents)
        assert.isAbove(answered, kills)
        yield* Effect.logInfo(
          `${kills} kills: ${answered} answers, ${books.charges} charges, ${books.credits} credits; ${cut} payments were cut off, ${found.added} of them had arrived or ended`,
        )
      }),
    30_000 + kills * 15_000,
  )
})
