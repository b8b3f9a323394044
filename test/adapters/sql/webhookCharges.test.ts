import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Webhooks } from "../../../core/events/Webhooks.ts"
import { events } from "../../support/spender.ts"
import { cross, owner, webhooksOver } from "../../support/webhooks.ts"

describe("the outbox of charges", () => {
  it.effect("is the same however often a cap is crossed: one warning and one exceeded a month", () =>
    Effect.gen(function* () {
      const who = yield* owner(["https://one.example/"])
      yield* cross(who, 3)
      yield* cross(who, 3)
      assert.lengthOf(yield* events, 6)
      const service = yield* Webhooks
      assert.lengthOf(yield* service.deliveries(who.webhooks[0]!.id, { limit: 100 }), 6)
    }).pipe(Effect.provide(webhooksOver(":memory:"))),
  )
})
