import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Event from "../../../core/events/Event.ts"

describe("a subscription", () => {
  it.effect("holds each event once", () =>
    Effect.gen(function* () {
      const found = yield* Event.subscription([
        "agent.budget_exceeded",
        "agent.budget_warning",
        "agent.budget_exceeded",
      ])
      assert.deepStrictEqual(found, ["agent.budget_exceeded", "agent.budget_warning"])
    }),
  )

  it.effect.each([
    [
      [],
      "add",
      /Name at least one event: agent\.budget_warning, agent\.budget_exceeded, wallet\.low, alert\.fired, webhook\.failing\./,
    ],
    [["regime.changed"], "remove", /is reserved and never sent\. Use one of agent\.budget_warning, /],
    [["job.completed"], "remove", /is reserved and never sent\. Use one of agent\.budget_warning, /],
    [["agent.budget_warning", "job.failed"], "remove", /job\.failed is reserved/],
    [["agent.*"], "change", /Unknown event "agent\.\*"\./],
    [["__proto__"], "change", /Unknown event "__proto__"\./],
    [["toString"], "change", /Unknown event "toString"\./],
    [[""], "change", /Unknown event ""\./],
    [["Agent.Budget_Warning"], "change", /Unknown event/],
  ] as const)("to %j is refused", ([names, action, message]) =>
    Effect.gen(function* () {
      const { code, hints = [] } = yield* Effect.flip(Event.subscription(names))
      assert.deepStrictEqual(
        [code, hints.length, hints[0]!.field, hints[0]!.action],
        ["invalid_parameter", 1, "events", action],
      )
      assert.match(hints[0]!.suggestion, message)
    }),
  )

  it.effect("names every event that cannot be had", () =>
    Effect.gen(function* () {
      const { hints = [] } = yield* Effect.flip(Event.subscription(["job.failed", "tea", "agent.budget_warning"]))
      assert.deepStrictEqual(
        hints.map(({ action }) => action),
        ["remove", "change"],
      )
    }),
  )
})

describe("the body of an event", () => {
  it("has its fields in one order, so that its bytes are always the same", () => {
    const data = {
      agent_id: "agt_1",
      agent_name: "é “b”",
      period: "2026-07",
      cap_micros: 10,
      spent_micros: 8,
      percent: 80,
      resets_at: "2026-08-01T00:00:00.000Z",
    }
    const event = { data, livemode: false, at: 0, type: "agent.budget_warning", id: "u" } as const
    assert.strictEqual(
      Event.toBody(event),
      `{"id":"u","type":"agent.budget_warning","timestamp":"1970-01-01T00:00:00.000Z","api_version":"v1","livemode":false,"data":${JSON.stringify(data)}}`,
    )
  })
})
