import type { SqlError } from "@effect/sql/SqlError"
import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Postgres from "../../../../adapters/store/engine/postgres/open.ts"
import { Keyring } from "../../../../core/account/Keyring.ts"
import { price } from "../../../support/calling.ts"
import * as Cutting from "../../../support/cuttingProxy.ts"
import { history, refusedIn } from "../../../support/history.ts"
import { barOf } from "../../../support/longForm.ts"
import { node } from "../../../support/postgresNode.ts"
import { startPair } from "../../../support/postgresServer.ts"
import { spend } from "../../../support/spender.ts"

const failovers = Number(process.env["PG_FAILOVERS"] ?? 1)

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
              const { proxy, url } = yield* Cutting.through(Redacted.make(primary.url))
              const options = { url, nodes: 1, payers: 4, callers: 4 }
              yield* history({ ...options, isLongForm: failovers > 1 }, ({ nodes, payers, outcomes, isBack }) =>
                Effect.gen(function* () {
                  yield* Effect.promise(primary.kill)
                  const killedAt = performance.now()
                  // The standby answers reads before it is promoted: it is not the store yet.
                  proxy.lead(standby.url)
                  yield* Effect.sleep("300 millis")
                  yield* Effect.promise(promote)
                  yield* isBack
                  assert.isBelow(performance.now() - killedAt, barOf(5_000, failovers > 1))
                  assert.deepStrictEqual(refusedIn(outcomes), [])

                  // The former primary comes back, and the way leads to it: a node that knows its successor refuses it.
                  yield* Effect.promise(primary.revive)
                  proxy.lead(primary.url)
                  const charge = spend(payers[0]!, price, { at: Date.now() })
                  const refused = yield* Effect.flip(Effect.provide(charge, nodes[0]!))
                  assert.match(String((refused.cause as SqlError).cause), /Another server has taken over/)
                  const unread = yield* Effect.flip(
                    Effect.flatMap(Keyring, ({ find }) => find("any")).pipe(Effect.provide(nodes[0]!)),
                  )
                  assert.strictEqual(unread.code, "storage_unavailable")
                  proxy.lead(standby.url)
                  yield* isBack
                  // A node that does not know: no commit of a primary without its standby is ever done.
                  const fresh = yield* Effect.exit(
                    Effect.timeout(
                      Effect.disconnect(
                        Effect.scoped(
                          Effect.flatMap(node(Redacted.make(primary.url)), (other) => Effect.provide(charge, other)),
                        ),
                      ),
                      "7 seconds",
                    ),
                  )
                  assert.isTrue(Exit.isFailure(fresh))
                }),
              )
            }),
          ),
        { discard: true },
      ),
    30_000 + failovers * 60_000,
  )
})
