import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { books, stranger } from "../../../support/history.ts"
import { serve } from "../../../support/hostileServer.ts"
import { type Called, calls } from "../../../support/httpCalls.ts"
import { barOf, within } from "../../../support/longForm.ts"
import { database } from "../../../support/postgres.ts"
import { node } from "../../../support/postgresNode.ts"
import { folder } from "../../../support/store.ts"

const tables = (process.env["PG_TABLES"] ?? "wallets,api_keys,buckets").split(",")
const isLongForm = tables.length > 3
const holdMs = 6_000

/** An account with a dollar or a thousand: the balance of the former is read before each call. */
const customer = (name: string, micros: number) =>
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const { id } = yield* accounts.create(name)
    yield* accounts.credit(id, MicroUsd(micros))
    const { plaintext } = yield* accounts.issueKey({
      account: id,
      environment: "live",
      tier: "enterprise",
      rpm: 1_000_000,
    })
    return Redacted.value(plaintext)
  })

const isOk = ({ code }: Called): boolean => code === "ok"

describe("two servers whose store has a table that another program locks", () => {
  it.scopedLive(
    `answer each call${within(5, isLongForm)}, and all again after it: ${tables.join(", ")}`,
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const operator = yield* node(url)
        const path = yield* folder
        const environment = {
          DATABASE_URL: Redacted.value(url),
          RECORD_KEY_FILE: join(path, "record.key"),
          SECRETS_KEY_FILE: join(path, "secrets.key"),
        }
        const tokens = yield* Effect.provide(
          Effect.all([customer("rich", 1_000_000_000), customer("poor", 9_000_000)]),
          operator,
        )
        const servers = yield* Effect.all(
          [0, 1].map(() =>
            Effect.acquireRelease(
              Effect.promise(() => serve("", environment)),
              ({ child }) =>
                Effect.promise(async () => {
                  child.process.kill("SIGKILL")
                  await child.ended
                }),
            ),
          ),
          { concurrency: 2 },
        )
        const idempotent = () => ({ "idempotency-key": randomUUID() })
        const callers = yield* Effect.all(
          servers.flatMap((server) => [
            calls(server.url, tokens[0]),
            calls(server.url, tokens[0], idempotent),
            // More callers than a node has connections for reads.
            ...Array.from({ length: 3 }, () => calls(server.url, tokens[1], idempotent)),
          ]),
        )
        const other = yield* stranger(url)
        const since = (at: number) => callers.map(({ all }) => all.filter(({ begun }) => begun >= at))
        // A server's first calls wait for what it generates.
        while (!callers.every(({ all }) => all.filter(isOk).length > 20)) yield* Effect.sleep("50 millis")
        for (const table of tables) {
          const begun = performance.now()
          yield* Effect.promise(() => other.query(`BEGIN; LOCK TABLE ${table}`))
          yield* Effect.sleep(holdMs)
          yield* Effect.promise(() => other.query("ROLLBACK"))
          const freeAt = performance.now()
          while (!since(freeAt).every((each) => each.some(isOk))) {
            assert.isBelow(performance.now() - freeAt, barOf(5_000, isLongForm), table)
            yield* Effect.sleep("10 millis")
          }
          const backMs = Math.round(performance.now() - freeAt)
          const during = since(begun).flat()
          const slowest = Math.round(Math.max(...during.map((each) => each.ended - each.begun)))
          const refused = during.filter((each) => !isOk(each))
          yield* Effect.logInfo(
            JSON.stringify({ table, backMs, slowest, ok: during.length - refused.length, refused: refused.length }),
          )
          for (const { status, code } of refused) assert.deepStrictEqual([status, code], [503, "storage_unavailable"])
          assert.isBelow(slowest, barOf(5_000, isLongForm), table)
        }
        yield* Effect.promise(() => Promise.all(callers.map(({ end }) => end())))
        const kept = callers.flatMap(({ all }) => all).filter(isOk).length
        const expected = { kept, wrong: 0, spent: 0 }
        let found = yield* Effect.provide(books, operator)
        for (let tries = 0; tries < 100 && found.kept !== kept; tries++) {
          yield* Effect.sleep("100 millis")
          found = yield* Effect.provide(books, operator)
        }
        assert.deepStrictEqual(found, expected)
      }),
    60_000 + tables.length * 20_000,
  )
})
