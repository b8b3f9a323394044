import type { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../../../adapters/store/engine/postgres/open.ts"
import { Keyring } from "../../../../core/account/Keyring.ts"
import * as Cutting from "../../../support/cuttingProxy.ts"
import { barOf } from "../../../support/longForm.ts"
import { books, paying, price } from "../../../support/paying.ts"
import { node } from "../../../support/postgresNode.ts"
import { startPair } from "../../../support/postgresServer.ts"
import { spend, spender } from "../../../support/spender.ts"

const failovers = Number(process.env["PG_FAILOVERS"] ?? 1)

const pause = (ms: number) => Effect.promise(() => new Promise((resolve) => setTimeout(resolve, ms)))

const pair = Effect.acquireRelease(
  Effect.promise(() => startPair()),
  (started) => Effect.promise(() => Promise.all([started?.standby.stop(), started?.primary.stop()])),
)

describe("a primary that is killed", () => {
  it.scopedLive(
    `loses no charge to its synchronous standby, and is refused when it comes back, ${failovers} times`,
    () =>
      Effect.forEach(
        Arr.range(1, failovers),
        () =>
          Effect.scoped(
            Effect.gen(function* () {
              const servers = yield* pair
              assert.isDefined(servers)
              const { primary, standby, promote } = servers
              const follower = yield* Effect.flip(Layer.build(Postgres.layer(Redacted.make(standby.url))))
              assert.match(follower.message, /read-only: DATABASE_URL must name the primary/)
              const proxy = yield* Effect.acquireRelease(
                Effect.promise(() => Cutting.start(primary.url)),
                ({ close }) => Effect.promise(close),
              )
              const context = yield* node(Redacted.make(proxy.urlOf(primary.url)))
              const payers = yield* Effect.provide(
                Effect.forEach(Arr.range(1, 4), (n) => spender(`bot${n}`, {})),
                context,
              )
              let [over, promoted, backAt] = [false, 0, 0]
              const settled = () => {
                if (promoted > 0 && backAt === 0) backAt = performance.now()
              }
              const fiber = yield* Effect.fork(
                Effect.provide(
                  paying(payers, () => over, settled),
                  context,
                ),
              )
              yield* pause(500)
              yield* Effect.promise(primary.kill)
              const killedAt = performance.now()
              // The standby answers reads before it is promoted: it is not the store yet.
              proxy.lead(standby.url)
              yield* pause(300)
              yield* Effect.promise(promote)
              promoted = performance.now()
              yield* pause(700)
              over = true
              const said = yield* Fiber.join(fiber)
              assert.strictEqual(said.failed, 0)
              assert.isAbove(backAt, 0)
              assert.isBelow(backAt - killedAt, barOf(5_000, failovers > 1))
              assert.isAbove(said.lastAt, promoted)
              const expected = { kept: said.settled, wrong: 0, spent: said.settled * price }
              const stored = Effect.provide(books, Layer.fresh(Postgres.layer(Redacted.make(standby.url))))
              assert.deepStrictEqual(yield* stored, expected)

              // The former primary comes back, and the way leads to it: a node that knows its successor refuses it.
              yield* Effect.promise(primary.revive)
              proxy.lead(primary.url)
              const refused = yield* Effect.flip(Effect.provide(spend(payers[0]!, price, { at: Date.now() }), context))
              assert.match(String((refused.cause as SqlError).cause), /Another server has taken over/)
              const unread = yield* Effect.flip(
                Effect.flatMap(Keyring, ({ find }) => find("any")).pipe(Effect.provide(context)),
              )
              assert.strictEqual(unread.code, "storage_unavailable")
              proxy.lead(standby.url)
              assert.strictEqual(
                (yield* Effect.provide(spend(payers[0]!, price, { at: Date.now() }), context))._tag,
                "Accepted",
              )
              // A node that does not know: no commit of a primary without its standby is ever done.
              const fresh = yield* Effect.exit(
                Effect.timeout(
                  Effect.disconnect(
                    Effect.scoped(
                      Effect.flatMap(node(Redacted.make(primary.url)), (other) =>
                        Effect.provide(spend(payers[0]!, price, { at: Date.now() }), other),
                      ),
                    ),
                  ),
                  "7 seconds",
                ),
              )
              assert.isTrue(Exit.isFailure(fresh))
              // What the node gave up is cancelled, if it had been made.
              let row = yield* stored
              for (let tries = 0; tries < 100 && row.kept !== said.settled + 1; tries++) {
                yield* pause(50)
                row = yield* stored
              }
              assert.deepStrictEqual(row, { kept: said.settled + 1, wrong: 0, spent: (said.settled + 1) * price })
            }),
          ),
        { discard: true },
      ),
    30_000 + failovers * 60_000,
  )
})
