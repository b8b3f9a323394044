import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as signer from "../../adapters/runtime/node/signer.ts"
import { verify } from "../../adapters/web/record/verifier.mjs"
import { Accounts } from "../../core/account/Accounts.ts"
import { MicroUsd } from "../../core/account/Money.ts"
import { afterEveryClose, lines } from "../../core/record/log/exported.ts"
import * as merkle from "../../core/record/log/merkle.ts"
import * as proofs from "../../core/record/log/proofs.ts"
import { RecordLog } from "../../core/record/log/RecordLog.ts"
import { SyncSha256 } from "../../core/record/log/SyncSha256.ts"
import { signCheckpoint } from "../../core/record/log/signCheckpoint.ts"
import { freePort } from "../support/freePort.ts"
import { exchange, seedTape } from "../support/hostileExchange.ts"
import { recorded, strikeOf } from "../support/hostileRecord.ts"
import { environmentOf, listening } from "../support/hostileServer.ts"
import * as processes from "../support/processes.ts"
import { inStore, origin } from "../support/record.ts"
import { accountsOver, makeFolder, removeFolder } from "../support/store.ts"

const kills = Number(process.env["KILLS"] ?? 5)
const underWay = 24
const price = 10_000
/** Calls that the small wallet of each round pays for; what comes behind them is refused. */
const affordable = 12

interface Keys {
  readonly rich: string
  /** Of an account that soon has nothing left. */
  readonly small: string
}

const prepare = (file: string): Promise<Keys> =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const keyOf = (name: string, micros: number) =>
      Effect.gen(function* () {
        const { id } = yield* accounts.create(name)
        yield* accounts.credit(id, MicroUsd(micros))
        const { plaintext } = yield* accounts.issueKey({
          ...{ account: id, environment: "live", tier: "enterprise", rpm: 10_000_000 },
        })
        return Redacted.value(plaintext)
      })
    return { rich: yield* keyOf("rich", 1_000_000_000_000), small: yield* keyOf("small", affordable * price) }
  }).pipe(Effect.provide(accountsOver(file)), Effect.runPromise)

const refill = (file: string): Promise<unknown> =>
  Effect.flatMap(Accounts, (accounts) => accounts.credit("small", MicroUsd(affordable * price))).pipe(
    Effect.provide(accountsOver(file)),
    Effect.runPromise,
  )

/** One call, which keeps its number and its key whenever it is tried again. */
interface Call {
  readonly number: number
  readonly token: string
  readonly idempotencyKey?: string
}

type Outcome =
  | { readonly _tag: "Sold"; readonly requestId: string; readonly micros: number }
  | { readonly _tag: "Refused"; readonly status: number; readonly code: string }
  /** The server went away before it answered: it may have been charged. */
  | { readonly _tag: "Open" }

const ask = async (url: string, { number, token, idempotencyKey }: Call): Promise<Outcome> => {
  const horizon = 5 + (number % 1_400)
  const path = `/v1/crypto/signal?asset=${number % 2 === 0 ? "BTC" : "ETH"}&horizon_minutes=${horizon}&strikes=${strikeOf(number)}`
  try {
    const response = await fetch(url + path, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
    })
    // biome-ignore lint/suspicious/noExplicitAny: what the wire brought
    const body = (await response.json()) as any
    if (!response.ok) return { _tag: "Refused", status: response.status, code: body.error.code }
    assert.strictEqual(body._meta.data_freshness, "live")
    return { _tag: "Sold", requestId: body._meta.request_id, micros: body._meta.price.charged_micros }
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return { _tag: "Open" }
    throw error
  }
}

/** The log as a restarted service finds it: the tree is that of its leaves, and a program of its own says so too. */
const intact = Effect.gen(function* () {
  const log = yield* RecordLog
  const { sha256 } = yield* SyncSha256
  yield* signCheckpoint
  const size = yield* log.size
  const peaks: Array<Uint8Array> = []
  for (const [at, { text }] of (yield* log.range(0, size)).entries()) {
    merkle.grow(sha256, peaks, at, merkle.leafHash(sha256, Buffer.from(text)))
  }
  assert.deepStrictEqual(Buffer.from(yield* proofs.root(size)), Buffer.from(merkle.join(sha256, peaks)))
  const written = yield* lines(0, size, afterEveryClose)
  const report = yield* Effect.promise(() => verify(written.map((line) => Buffer.from(line))))
  assert.deepStrictEqual(report.problems, [])
  assert.strictEqual(report.covered, size)
  return size
})

describe("a server that is killed while it sells recorded signals", () => {
  it(`has a charge for every capture and a capture for every charge, and loses none it acknowledged, ${kills} times`, {
    timeout: 120_000 + kills * 30_000,
  }, async () => {
    const folder = makeFolder()
    const file = join(folder, "store.db")
    const recordKey = join(folder, "record.key")
    const upstream = await exchange()
    const start = async () =>
      processes.start(
        "test/support/hostileProcess.ts",
        [],
        environmentOf(file, await freePort(), {
          DATA_FRESHNESS_CRYPTO: "live",
          // Without games there are none to learn from, which takes a generated season seconds.
          DATA_FRESHNESS_FOOTBALL: "live",
          COINBASE_URL: upstream.url,
          RECORD_KEY_FILE: recordKey,
        }),
      )
    let next = await start()
    let number = 0
    let tried = 0
    const sold = new Map<number, string>()
    /** Answered from an earlier try, whose own answer was lost. */
    const replayed = new Set<number>()
    const open: Array<Call> = []
    const refusals = new Map<string, number>()
    try {
      const keys = await prepare(file)
      for (let round = 1; round <= kills; round++) {
        const killed = next
        // The job that fetches what is new begins with a minute; until then calls would be refused.
        await seedTape(file)
        await killed.linesUntil(1)
        killed.process.stdin.write("go\n")
        const url = await listening(killed)
        if (round < kills) next = await start()

        /** A call until it is known how it ended, or the server is gone; what may be tried again is. */
        const one = async (call: Call): Promise<boolean> => {
          const outcome = await ask(url, call)
          if (outcome._tag === "Open") {
            open.push(call)
            return false
          }
          if (outcome._tag === "Refused") {
            refusals.set(outcome.code, (refusals.get(outcome.code) ?? 0) + 1)
          } else if (outcome.micros > 0) {
            assert.isUndefined(sold.get(call.number), `call ${call.number} was charged twice`)
            sold.set(call.number, outcome.requestId)
          } else replayed.add(call.number)
          return true
        }
        const before = sold.size
        // What was under way when the last one was killed: those with a key must be answered, and charged once.
        const again = open.splice(0).filter(({ idempotencyKey }) => idempotencyKey !== undefined)
        for (const call of again) {
          tried++
          assert.isTrue(await one(call), "a server that is not killed answers")
        }
        const worker = async () => {
          for (;;) {
            const call: Call = {
              number: number++,
              token: number % 4 === 0 ? keys.small : keys.rich,
              ...(number % 3 === 0 ? { idempotencyKey: randomUUID() } : {}),
            }
            if (!(await one(call))) return
          }
        }
        const calling = Promise.all(Array.from({ length: underWay }, worker))
        while (sold.size - before < 60) await pause(1)
        // A random moment, not one at which a call has just returned.
        await pause(Math.random() * 40)
        killed.process.kill("SIGKILL")
        assert.isNull(await killed.ended, killed.stderr())
        await calling

        const { charged, faults } = recorded(file, "crypto_signal", price)
        assert.deepStrictEqual(faults.slice(0, 10), [], `round ${round}: ${faults.length} faults`)
        for (const call of replayed) assert.isTrue(charged.has(call), `round ${round}: call ${call} was never charged`)
        for (const [call, requestId] of sold) {
          assert.strictEqual(charged.get(call), requestId, `round ${round}: call ${call} was lost`)
        }
        await refill(file)
      }
      const { charged, leaves } = recorded(file, "crypto_signal", price)
      const size = await Effect.runPromise(Effect.provide(intact, inStore(file, signer.layerFile(recordKey, origin))))
      assert.strictEqual(size, leaves)
      assert.isAbove(refusals.get("insufficient_funds") ?? 0, 0, "a wallet ran out")
      process.stdout.write(
        `${kills} kills: ${sold.size} sold, ${charged.size} charged and captured, ${tried} tried again, ${replayed.size} of them already charged, ${[...refusals].map(([code, times]) => `${times} × ${code}`).join(", ")}\n`,
      )
    } finally {
      next.process.kill("SIGKILL")
      await next.ended
      await upstream.stop()
      removeFolder(folder)
    }
  })
})
