import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Accounts } from "../../../../core/account/Accounts.ts"
import type { DeliveryQueue, LeasedDelivery } from "../../../../core/events/DeliveryQueue.ts"
import { Webhooks } from "../../../../core/events/Webhooks.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { delivered, deliveriesOf, endOf, inStore, one, start, turn } from "../../../support/deliveryQueue.ts"
import { cross, eventIds, owner } from "../../../support/webhooks.ts"

describe("replay", () => {
  /** Delivers everything that waits; in the order in which it was taken. */
  const drain = (id: string): Effect.Effect<ReadonlyArray<LeasedDelivery>, Failure, DeliveryQueue> =>
    Effect.gen(function* () {
      const taken = yield* turn("a", start, { [id]: 1_000 })
      if (taken.length === 0) return []
      const ended = taken.map((each) => endOf(each, delivered, { status: 200 }))
      yield* turn("a", start, {}, ended)
      return [...taken, ...(yield* drain(id))]
    })

  it.effect("sends an event again under its id, with the same bytes", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one, ["agent.budget_warning"])
        const { id } = who.webhooks[0]!
        yield* cross(who, 1)
        const [sent] = yield* drain(id)
        const service = yield* Webhooks
        assert.deepStrictEqual(yield* service.replay(id, { _tag: "Event", id: sent!.eventId }), [sent!.eventId])
        const [again] = yield* drain(id)
        assert.deepInclude(again!, { eventId: sent!.eventId, body: sent!.body, attempt: 1, failures: 0 })
        assert.notStrictEqual(again!.seq, sent!.seq)
        assert.deepStrictEqual(
          (yield* deliveriesOf(id)).map(({ cause }) => cause),
          ["replay", "event"],
        )
      }),
    ),
  )

  it.effect("covers the last hundred events and no more", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one)
        const { id } = who.webhooks[0]!
        yield* cross(who, 50)
        yield* drain(id)
        const service = yield* Webhooks
        const oldest = (yield* eventIds).slice(0, 2)
        assert.lengthOf(yield* service.replay(id, { _tag: "Last", count: 100 }), 100)
        yield* drain(id)
        for (const event of oldest) yield* service.replay(id, { _tag: "Event", id: event })
        yield* drain(id)
        // The hundred and first: the first month's two events fall out together with it.
        yield* cross(who, 1, 50)
        yield* drain(id)
        for (const event of oldest) {
          const { code, hints } = yield* Effect.flip(service.replay(id, { _tag: "Event", id: event }))
          assert.deepStrictEqual([code, hints![0]!.field], ["not_found", "event"])
        }
        const all = yield* service.replay(id, { _tag: "Last", count: 100 })
        assert.sameMembers([...all], (yield* eventIds).slice(2))
        yield* drain(id)
        assert.lengthOf(yield* service.replay(id, { _tag: "Last", count: 3 }), 3)
      }),
    ),
  )

  it.effect("of dead letters resends undelivered events until they arrive", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one, ["agent.budget_warning"])
        const { id } = who.webhooks[0]!
        yield* cross(who, 3)
        const [good, ...bad] = yield* turn("a", start, { [id]: 3 })
        const dead = { _tag: "Dead", reason: "exhausted", eventId: crypto.randomUUID() } as const
        yield* turn("a", start, {}, [
          endOf(good!, delivered, { status: 200 }),
          ...bad.map((each) => endOf(each, dead, { status: 500, error: "status" })),
        ])
        const service = yield* Webhooks
        assert.lengthOf(yield* service.deadLetters(who.accountId, { limit: 10 }), 2)
        const again = yield* service.replay(id, { _tag: "Dead" })
        assert.deepStrictEqual(
          again,
          bad.map(({ eventId }) => eventId),
        )
        assert.lengthOf(yield* service.replay(id, { _tag: "Dead" }), 0)
        // They are listed as dead no more: their replays are on their way.
        assert.deepStrictEqual(yield* service.deadLetters(who.accountId, { limit: 10 }), [])
        const listed = yield* Effect.map(deliveriesOf(id), (all) =>
          all.map(({ eventId, cause, state, isRepeated }) => [eventId, cause, state._tag, isRepeated] as const),
        )
        const [first = "", second = ""] = bad.map(({ eventId }) => eventId)
        assert.sameDeepMembers(
          [...listed],
          [
            [second, "replay", "Pending", false],
            [first, "replay", "Pending", false],
            [second, "event", "Dead", true],
            [first, "event", "Dead", true],
            [good!.eventId, "event", "Delivered", false],
          ],
        )
        // A replay that is given up too is a dead letter of its own, once.
        const [again1, again2] = yield* turn("a", start, { [id]: 2 })
        yield* turn("a", start, {}, [
          endOf(again1!, dead, { status: 500, error: "status" }),
          endOf(again2!, delivered, { status: 200 }),
        ])
        const left = yield* service.deadLetters(who.accountId, { limit: 10 })
        assert.deepStrictEqual(
          left.map(({ eventId, cause }) => [eventId, cause]),
          [[again1!.eventId, "replay"]],
        )
        assert.deepStrictEqual(yield* service.replay(id, { _tag: "Dead" }), [again1!.eventId])
        yield* drain(id)
        assert.deepStrictEqual(yield* service.deadLetters(who.accountId, { limit: 10 }), [])
      }),
    ),
  )

  it.effect("gives an account no event of another account", () =>
    inStore(
      Effect.gen(function* () {
        const who = yield* owner(one)
        const service = yield* Webhooks
        yield* cross(who, 1)
        const { id: accountId } = yield* (yield* Accounts).create("stranger")
        const { webhook: stranger } = yield* service.create(accountId, "https://stranger.example/", [
          "agent.budget_warning",
        ])
        const [event] = yield* eventIds
        assert.strictEqual(
          (yield* Effect.flip(service.replay(stranger.id, { _tag: "Event", id: event! }))).code,
          "not_found",
        )
        assert.lengthOf(yield* service.replay(stranger.id, { _tag: "Last", count: 100 }), 0)
        assert.lengthOf(yield* deliveriesOf(stranger.id), 0)
      }),
    ),
  )
})
