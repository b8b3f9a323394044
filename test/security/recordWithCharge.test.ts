import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll } from "vitest"
import { fillTapes } from "../support/liveTape.ts"
import * as running from "../support/running.ts"
import { makeFolder, removeFolder, tablesNever } from "../support/store.ts"

/** The price of a signal, micro-dollars. */
const price = 10_000

const counts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly charges: number; readonly captures: number; readonly leaves: number; readonly matched: number }>`
      SELECT (SELECT COUNT(*) FROM postings WHERE kind = 'charge') AS charges,
             (SELECT COUNT(*) FROM captures) AS captures,
             (SELECT COUNT(*) FROM record_leaves) AS leaves,
             (SELECT COUNT(*) FROM postings j JOIN captures c ON c.request_id = j.id
                JOIN record_leaves l ON l.id = c.id) AS matched`,
    ([row]) => row!,
  ),
)

const all = (n: number) => ({ charges: n, captures: n, leaves: n, matched: n })

/** Transactions that a write-ahead log holds: frames that say how large the database is after them. */
const commitsIn = (file: string): number => {
  const wal = readFileSync(`${file}-wal`)
  const frame = 24 + wal.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frame <= wal.length; at += frame) if (wal.readUInt32BE(at + 4) > 0) commits++
  return commits
}

const folder = makeFolder()
const file = join(folder, "store.db")
let poor: running.Running
let rich: running.Running

beforeAll(async () => {
  poor = await running.start({ crypto: "live" }, { balance: price })
  rich = await running.start({ crypto: "live", sqliteFile: file }, { folding: tablesNever })
  for (const server of [poor, rich]) await server.run(fillTapes())
})
afterAll(async () => {
  await Promise.all([poor.stop(), rich.stop()])
  removeFolder(folder)
})

describe.sequential("only what is sold is on the record", () => {
  it("of 100 calls that race for the price of one, one is charged and one recorded", async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => poor.get(`/v1/crypto/signal?horizon_minutes=${5 + n}`)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepStrictEqual(statuses, [200, ...Array.from({ length: 99 }, () => 402)])
    assert.strictEqual(await poor.balance(), 0)
    assert.deepStrictEqual(await poor.run(counts), all(1))
  })

  const unsold = [
    ["HEAD", { init: { method: "HEAD" } }],
    ["a quote", { query: "&dry_run=true" }],
    ["a test key", { isTest: true }],
    ["a call without a key", { token: "" }],
    ["a bad parameter", { query: "&strikes=-1" }],
    ["the key of a call that was never made with it", { init: { headers: { "idempotency-key": "no uuid" } } }],
  ] as const
  for (const [what, call] of unsold) {
    it(`leaves nothing: ${what}`, async () => {
      const {
        init = {},
        query = "",
        isTest = false,
        token,
      } = { token: undefined, ...call } as {
        init?: RequestInit
        query?: string
        isTest?: boolean
        token?: string | undefined
      }
      await rich.get(`/v1/crypto/signal?asset=BTC${query}`, isTest ? rich.account.test.token : token, init)
      assert.deepStrictEqual(await rich.run(counts), all(0))
    })
  }

  it("of 20 idempotent calls with one key, one is charged and recorded, and what repeats it adds nothing", async () => {
    const headers = { "idempotency-key": "6f1c2c46-0d0b-4c5e-9a52-6f8b2a1d3e4f" }
    const call = () => rich.get("/v1/crypto/signal?asset=BTC", undefined, { headers })
    const statuses = (await Promise.all(Array.from({ length: 20 }, call))).map(({ status }) => status)
    assert.strictEqual(statuses.filter((status) => status === 200).length >= 1, true)
    assert.strictEqual((await call()).headers.get("x-idempotent-replay"), "true")
    assert.deepStrictEqual(await rich.run(counts), all(1))
  })

  it("a recorded call is one commit", async () => {
    await rich.get("/v1/crypto/signal?asset=BTC")
    const [before, { charges }] = [commitsIn(file), await rich.run(counts)]
    for (let n = 0; n < 10; n++) await rich.get(`/v1/crypto/signal?asset=BTC&horizon_minutes=${60 + n}`)
    assert.deepStrictEqual([commitsIn(file) - before, await rich.run(counts)], [10, all(charges + 10)])
  })
})
