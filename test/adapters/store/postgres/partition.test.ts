import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { MicroUsd } from "../../../../core/account/Money.ts"
import { PlatformCrypto } from "../../../../core/account/PlatformCrypto.ts"
import { begin, chaos, stop } from "../../../support/chaos/chaos.ts"
import { charges } from "../../../support/chaos/charges.ts"
import * as Cutting from "../../../support/cuttingProxy.ts"
import { books } from "../../../support/history.ts"
import { serve } from "../../../support/hostileServer.ts"
import { type Called, call, calls } from "../../../support/httpCalls.ts"
import { barOf } from "../../../support/longForm.ts"
import { database } from "../../../support/postgres.ts"
import { node } from "../../../support/postgresNode.ts"
import { spender } from "../../../support/spender.ts"
import { folder } from "../../../support/store.ts"

/** How long a node is cut off or stopped. */
const awayMs = Number(process.env["PG_AWAY_MS"] ?? 3_000)

/** How the store goes away, and for how long; a server that says nothing is given up after 5 s. */
const phases = [
  ["silence", Math.max(awayMs, 7_000), 10_000],
  ["partition", awayMs, 3_000],
] as const

const customer = Effect.gen(function* () {
  const accounts = yield* Accounts
  const { id } = yield* accounts.create("customer")
  yield* accounts.credit(id, MicroUsd(1_000_000_000))
  const issue = Effect.map(
    accounts.issueKey({ account: id, environment: "live", tier: "enterprise", rpm: 1_000_000 }),
    ({ plaintext, key }) => ({ id: key.id, token: Redacted.value(plaintext) }),
  )
  return { kept: (yield* issue).token, doomed: yield* Effect.all(phases.map(() => issue)) }
})

describe("one of two servers", () => {
  it.scopedLive(
    `that loses the store for ${awayMs} ms answers 503, serves no revoked key and goes on`,
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const operator = yield* node(url)
        const keys = yield* Effect.provide(customer, operator)
        const { proxy, url: through } = yield* Cutting.through(url)
        const path = yield* folder
        const [RECORD_KEY_FILE, SECRETS_KEY_FILE] = [join(path, "record.key"), join(path, "secrets.key")]
        const server = (DATABASE_URL: string) =>
          Effect.acquireRelease(
            Effect.promise(() => serve("", { DATABASE_URL, RECORD_KEY_FILE, SECRETS_KEY_FILE })),
            ({ child }) =>
              Effect.promise(async () => {
                child.process.kill("SIGKILL")
                await child.ended
              }),
          )
        const other = yield* server(Redacted.value(url))
        const cut = yield* server(Redacted.value(through))
        const [mine, theirs] = [yield* calls(cut.url, keys.kept), yield* calls(other.url, keys.kept)]
        const sold: Array<Called> = []
        for (const [phase, [kind, forMs, withinMs]] of phases.entries()) {
          const key = keys.doomed[phase]!
          const doomed = yield* calls(cut.url, key.token)
          while (![doomed, mine, theirs].every(({ all }) => all.some(({ code }) => code === "ok"))) {
            yield* Effect.sleep("20 millis")
          }
          proxy[kind]()
          const cutAt = performance.now()
          yield* Effect.provide(
            Effect.flatMap(Accounts, ({ revokeKey }) => revokeKey(key.id)),
            operator,
          )
          const revokedAt = performance.now()
          // Beyond the time for which it believes what it knows of a key.
          yield* Effect.sleep("1 seconds")
          const { status, code, begun, ended } = yield* Effect.promise(() => call(cut.url, keys.kept))
          assert.deepStrictEqual([status, code], [503, "storage_unavailable"])
          assert.isBelow(ended - begun, barOf(withinMs, awayMs > 3_000))
          const probe = yield* Effect.promise(async () => (await fetch(`${cut.url}/readyz`)).json())
          assert.strictEqual(probe.status, "unavailable")
          assert.match(
            probe.reasons[0].detail,
            /cannot be reached|did not accept a write within 2 s|has not told its time/,
          )
          assert.notMatch(JSON.stringify([probe.reasons, probe.error.message]), /127\.0\.0\.1:|ECONN/)
          yield* Effect.sleep(Math.max(0, forMs - (performance.now() - cutAt)))
          proxy.heal()
          const healedAt = performance.now()
          const isBack = () => mine.all.find((each) => each.begun > healedAt && each.code === "ok")
          while (isBack() === undefined) yield* Effect.sleep("20 millis")
          assert.isBelow(isBack()!.ended - healedAt, barOf(5_000, awayMs > 3_000), `${kind}: back`)
          yield* Effect.promise(doomed.end)
          for (const each of doomed.all.filter(({ begun }) => begun > revokedAt + 1_000)) {
            assert.include(["invalid_api_key", "storage_unavailable"], each.code, `${each.begun - revokedAt} ms later`)
          }
          const during = theirs.all.filter(({ begun }) => begun > cutAt && begun < healedAt)
          assert.isAbove(during.length, 20)
          sold.push(...doomed.all)
        }
        yield* Effect.promise(() => Promise.all([mine.end(), theirs.end()]))
        assert.deepStrictEqual(
          theirs.all.filter(({ code }) => code !== "ok"),
          [],
        )
        sold.push(...mine.all, ...theirs.all)
        for (const { begun, ended } of sold) assert.isBelow(ended - begun, barOf(12_000, awayMs > 3_000))
        const expected = { kept: sold.filter(({ code }) => code === "ok").length, wrong: 0 }
        const look = Effect.map(Effect.provide(books, operator), ({ kept, wrong }) => ({ kept, wrong }))
        let found = yield* look
        for (let tries = 0; tries < 100 && found.kept !== expected.kept; tries++) {
          yield* Effect.sleep("50 millis")
          found = yield* look
        }
        assert.deepStrictEqual(found, expected)
      }),
    60_000 + 3 * awayMs,
  )
})

describe("a node that is stopped", () => {
  it.scopedLive(
    `for ${awayMs} ms loses no charge, makes none twice and holds nobody up`,
    () =>
      Effect.flatMap(database, (url) =>
        chaos({ place: Redacted.value(url), nodes: 2, rounds: 1, lines: 10 }, charges(), stop(awayMs, 100)),
      ),
    60_000 + 3 * awayMs,
  )

  it.scopedLive(
    `for ${awayMs} ms serves no revoked key`,
    () =>
      Effect.gen(function* () {
        const url = yield* database
        const operator = yield* node(url)
        const { key, plaintext } = yield* Effect.gen(function* () {
          const { accountId } = yield* spender("bot", {})
          return yield* (yield* Accounts).issueKey({ account: accountId, environment: "live", tier: "pro" })
        }).pipe(Effect.provide(operator))
        const hash = yield* Effect.flatMap(PlatformCrypto, ({ sha256 }) => sha256(Redacted.value(plaintext))).pipe(
          Effect.provide(operator),
        )
        const asking = yield* Effect.acquireRelease(
          Effect.promise(() => begin("keys", Redacted.value(url), hash)),
          ({ process }) => Effect.sync(() => process.kill("SIGKILL")),
        )
        yield* Effect.promise(() => asking.linesUntil(10))
        asking.process.kill("SIGSTOP")
        const revokedAt = Date.now()
        yield* Effect.flatMap(Accounts, ({ revokeKey }) => revokeKey(key.id)).pipe(Effect.provide(operator))
        yield* Effect.sleep(awayMs)
        const asked = asking.lines.length
        asking.process.kill("SIGCONT")
        yield* Effect.promise(() => asking.linesUntil(asked + 50))
        const answers = asking.lines.slice(1).map((line) => line.split(" ") as [string, string])
        assert.isTrue(answers.some(([, told]) => told === "served"))
        assert.isTrue(answers.some(([, told]) => told === "unknown"))
        for (const [at, told] of answers.filter(([at]) => Number(at) > revokedAt + 1_000)) {
          assert.strictEqual(told, "unknown", `${Number(at) - revokedAt} ms later`)
        }
      }),
    60_000 + awayMs,
  )
})
