import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Postgres from "../../../../adapters/store/engine/postgres/open.ts"
import { ledgers, sum } from "../../../support/accounts.ts"
import { killing } from "../../../support/killing.ts"
import { barOf } from "../../../support/longForm.ts"
import { database } from "../../../support/postgres.ts"
import { node } from "../../../support/postgresNode.ts"
import * as processes from "../../../support/processes.ts"
import { isQuiet, mortal } from "../../../support/quiet.ts"
import { recordOver } from "../../../support/record.ts"
import { audited } from "../../../support/recordAudit.ts"
import { spender } from "../../../support/spender.ts"
import { folder } from "../../../support/store.ts"

const kills = Number(process.env["PG_KILLS"] ?? 4)

const price = 1_000
/** Charges under way in a process. */
const underWay = 4

describe("nodes that are killed", () => {
  it.scopedLive(
    `while they charge lose no charge that they acknowledged and make none twice, ${kills} times`,
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const operator = yield* node(url)
        const who = yield* Effect.provide(spender("bot", {}, 1_000_000_000_000), operator)
        const { all, slowest } = yield* Effect.promise(() =>
          killing({ nodes: 3, kills, lines: 20 }, (number) =>
            processes.start("test/support/storeProcess.ts", [
              ...["charge", mortal(url), who.accountId, who.keyId, `req_${number}`, who.agentId],
            ]),
          ),
        )
        assert.isBelow(slowest, barOf(5_000, kills > 4))
        yield* Effect.gen(function* () {
          yield* isQuiet
          const sql = yield* SqlClient.SqlClient
          const rows = yield* sql<{ id: string }>`SELECT id FROM postings WHERE kind = 'charge'`
          const charged = new Set(rows.map(({ id }) => id))
          assert.strictEqual(charged.size, rows.length)
          const said = all.map(({ lines }) => lines.slice(1))
          assert.isAtLeast(said.flat().length, kills * 20)
          assert.deepStrictEqual(
            said.flat().filter((id) => !charged.has(id)),
            [],
          )
          assert.strictEqual(new Set(said.flat()).size, said.flat().length)
          const made = new Map<string, number>()
          for (const id of charged) {
            const process = id.slice(0, id.lastIndexOf("_"))
            made.set(process, (made.get(process) ?? 0) + 1)
          }
          for (const [number, ids] of said.entries()) {
            assert.isAtMost((made.get(`req_${number}`) ?? 0) - ids.length, underWay, `process ${number}`)
          }
          yield* Effect.logInfo(
            `${kills} kills: ${said.flat().length} charges acknowledged, ${charged.size} made; a new node served after at most ${Math.round(slowest)} ms`,
          )
          const spent = charged.size * price
          const balances = yield* ledgers
          assert.strictEqual(sum(Object.values(balances)), 0)
          assert.strictEqual(balances["revenue"], spent)
          const [books] = yield* sql<{ balance: number; agent: number; key: number; audited: number }>`
            SELECT (SELECT balance_micros FROM wallets WHERE account_id = ${who.accountId}) AS balance,
              (SELECT sum(micros) FROM agent_spend) AS agent, (SELECT sum(micros) FROM key_spend) AS key,
              (SELECT count(*) FROM audit WHERE charged_micros = ${price}) AS audited`
          const expected = { agent: spent, key: spent, audited: charged.size }
          assert.deepStrictEqual(books, { balance: 1_000_000_000_000 - spent, ...expected })
        }).pipe(Effect.provide(operator))
      }),
    60_000 + kills * 5_000,
  )

  it.scopedLive(
    `while they append to the record and sign it leave one tree with all that they acknowledged, ${kills} times`,
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const keyFile = join(yield* folder, "record.key")
        const { all } = yield* Effect.promise(() =>
          killing({ nodes: 4, kills, lines: 20 }, (number) =>
            processes.start("test/support/storeProcess.ts", [
              ...["record", mortal(url), `leaf_${number}`, keyFile, "20"],
            ]),
          ),
        )
        yield* Effect.gen(function* () {
          yield* isQuiet
          const { ids, checkpoints } = yield* audited
          assert.strictEqual(new Set(ids).size, ids.length)
          assert.isAbove(checkpoints, 1)
          const said = all.flatMap(({ lines }) => lines.slice(1))
          yield* Effect.logInfo(
            `${kills} kills: ${said.length} leaves acknowledged, ${ids.length} appended, ${checkpoints} checkpoints`,
          )
          assert.isAtLeast(said.length, kills * 20)
          for (const line of said) {
            const [position, id] = line.split(" ")
            assert.strictEqual(ids[Number(position)], id)
          }
        }).pipe(Effect.provide(recordOver(Postgres.layer(url))))
      }),
    60_000 + kills * 5_000,
  )
})
