import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { Agents } from "../../../../../core/account/Agents.ts"
import { Keyring } from "../../../../../core/account/Keyring.ts"
import { PlatformCrypto } from "../../../../../core/account/PlatformCrypto.ts"
import { RateLimits } from "../../../../../core/account/RateLimits.ts"
import { barOf, within } from "../../../../support/longForm.ts"
import { database } from "../../../../support/postgres.ts"
import { type Node, node } from "../../../../support/postgresNode.ts"
import { type Spender, spend, spender } from "../../../../support/spender.ts"

const pauses = Number(process.env["PG_PAUSES"] ?? 5)
const limitMs = Number(process.env["PG_LIMIT_MS"] ?? 3_000)

type Contexts = ReadonlyArray<Context.Context<Node>>

const four = Effect.flatMap(database, (url) => Effect.all(Arr.makeBy(4, () => node(url))))

const hashOf = (plaintext: Redacted.Redacted) =>
  Effect.flatMap(PlatformCrypto, ({ sha256 }) => sha256(Redacted.value(plaintext)))

/** 1,000 paid calls a second over all nodes: the key is looked up and a charge is made. */
const load = (nodes: Contexts, who: Spender, hash: string, count: { calls: number }) =>
  Effect.forEach(
    nodes,
    (context) =>
      Effect.forEach(
        Arr.range(1, 5),
        () =>
          Effect.flatMap(Keyring, ({ find }) => find(hash)).pipe(
            Effect.zipRight(spend(who, 1, { at: Date.now() })),
            Effect.zipRight(Effect.sync(() => void count.calls++)),
            Effect.fork,
          ),
        { discard: true },
      ).pipe(Effect.provide(context), Effect.repeat(Schedule.fixed("20 millis"))),
    { concurrency: "unbounded", discard: true },
  )

describe("four nodes under load", () => {
  it.scopedLive(
    `stop a paused agent, a suspended account and a revoked key${within(1, pauses > 5)}, ${pauses} times`,
    () =>
      Effect.gen(function* () {
        const nodes = yield* four
        const operator = nodes[0]!
        const { payer, payersHash, bot } = yield* Effect.gen(function* () {
          const accounts = yield* Accounts
          const payer = yield* spender("payer", {}, 1_000_000_000_000)
          const { plaintext } = yield* accounts.issueKey({ account: payer.accountId, environment: "live", tier: "pro" })
          return { payer, payersHash: yield* hashOf(plaintext), bot: yield* spender("bot", {}) }
        }).pipe(Effect.provide(operator))
        const count = { calls: 0 }
        const begun = performance.now()
        const loading = yield* Effect.fork(load(nodes, payer, payersHash, count))
        const waits: Array<number> = []
        type Found = Effect.Effect.Success<ReturnType<Keyring["Type"]["find"]>>
        /** Until every node says so; the time after which no call was begun that went by what was before. */
        const within = (hash: string, isDone: (found: Found) => boolean) =>
          Effect.gen(function* () {
            const changed = performance.now()
            let stale = changed
            const ask = Effect.suspend(() => {
              const begun = performance.now()
              return Effect.flatMap(Keyring, ({ find }) =>
                Effect.tap(find(hash), (found) => {
                  if (!isDone(found)) stale = Math.max(stale, begun)
                }),
              )
            })
            yield* Effect.forEach(
              nodes,
              (context) =>
                ask.pipe(
                  Effect.provide(context),
                  Effect.repeat({ until: isDone, schedule: Schedule.spaced("2 millis") }),
                ),
              { concurrency: "unbounded" },
            )
            waits.push(stale - changed)
          })
        for (let round = 0; round < pauses; round++) {
          const at = nodes[round % 4]!
          const { key, hash } = yield* Effect.gen(function* () {
            const made = yield* (yield* Accounts).issueKey({
              ...{ account: bot.accountId, environment: "live", tier: "pro", agent: "bot" },
            })
            return { key: made.key, hash: yield* hashOf(made.plaintext) }
          }).pipe(Effect.provide(at))
          // Every node believes that the key is good.
          yield* within(hash, (found) => found?.agent?.paused === false)
          waits.pop()
          const agents = Effect.provide(Agents, at)
          yield* Effect.flatMap(agents, ({ pause }) => pause(bot.agentId))
          yield* within(hash, (found) => found?.agent?.paused === true)
          yield* Effect.flatMap(agents, ({ resume }) => resume(bot.agentId))
          yield* within(hash, (found) => found?.agent?.paused === false)
          const accounts = yield* Effect.provide(Accounts, at)
          yield* accounts.suspend(bot.accountId)
          yield* within(hash, (found) => found?.suspended === true)
          yield* accounts.resume(bot.accountId)
          yield* within(hash, (found) => found !== undefined && found.suspended === undefined)
          yield* accounts.revokeKey(key.id)
          yield* within(hash, (found) => found === undefined)
        }
        yield* Fiber.interrupt(loading)
        const rate = (count.calls * 1_000) / (performance.now() - begun)
        const sorted = waits.toSorted((a, b) => a - b)
        const shown = [0.5, 0.99, 1].map((part) => Math.round(sorted[Math.ceil(part * sorted.length) - 1]!))
        yield* Effect.logInfo(
          `${waits.length} changes at ${Math.round(rate)} calls/s: ${shown.join(" / ")} ms (median, p99, max)`,
        )
        if (pauses > 5) assert.isAbove(rate, 500)
        assert.isBelow(sorted.at(-1)!, barOf(1_000, pauses > 5))
      }),
    60_000 + pauses * 5_000,
  )

  it.scopedLive.each([0.9, 1, 10])(
    "let what a limit allows through, and no call more: %s of the limit",
    (part) =>
      Effect.gen(function* () {
        const nodes = yield* four
        const perMinute = 6_000
        const step = 60_000 / perMinute
        const take = Effect.flatMap(RateLimits, (limits) => limits.take(`key_${part}`, perMinute))
        const passedOf = (count: number) =>
          Effect.map(
            Effect.all(
              Arr.makeBy(count, () => take),
              { concurrency: "unbounded" },
            ),
            (said) => said.filter(({ ok }) => ok).length,
          )
        // All that the bucket has: from here on time alone fills it.
        let emptyAt = 0
        const drained = Effect.suspend(() => {
          emptyAt = performance.now()
          return Effect.provide(passedOf(1_000), nodes[0]!)
        })
        yield* Effect.repeat(drained, { until: (passed) => passed < 1_000 })
        let [asked, passed, lastAt] = [0, 0, 0]
        const begun = performance.now()
        const callers = nodes.map((context, index) =>
          Effect.gen(function* () {
            let mine = 0
            while (performance.now() - begun < limitMs) {
              const due = Math.floor(((performance.now() - begun) / step / nodes.length) * part) - mine
              if (due > 0) {
                mine += due
                asked += due
                lastAt = performance.now()
                const through = yield* passedOf(due)
                passed += through
              }
              yield* Effect.sleep(10 + index)
            }
          }).pipe(Effect.provide(context)),
        )
        yield* Effect.all(callers, { concurrency: "unbounded" })
        const allowed = (performance.now() - emptyAt) / step
        yield* Effect.logInfo(`limit × ${part}: ${passed} of ${asked} calls, ${Math.round(allowed)} allowed`)
        assert.isAtMost(passed, allowed + 1)
        assert.isAtLeast(passed, part > 1 ? Math.floor((lastAt - begun) / step) - 1 : asked - 1)
      }),
    60_000 + limitMs * 3,
  )
})
