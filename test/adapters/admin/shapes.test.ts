import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parseNumericCursor, readPage } from "../../../adapters/admin/list.ts"
import * as shapes from "../../../adapters/admin/shapes.ts"
import { delivery, webhook } from "../../../adapters/admin/webhookShapes.ts"
import type { Audit } from "../../../core/account/Ledger.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import * as Cursor from "../../../core/endpoint/Cursor.ts"
import { shaped } from "../../../core/endpoint/shaped.ts"
import type { Delivery } from "../../../core/events/Webhook.ts"

const at = Date.UTC(2027, 0, 31, 12)
const text = "2027-01-31T12:00:00.000Z"

describe("an instant", () => {
  it.each(["2027-01-31T00:00:00Z", "2027-01-31T23:59Z", "2028-02-29T12:00:00.123+05:30", "2027-01-31T00:00:00-23:59"])(
    "%s",
    (given) => {
      assert.isTrue(Schema.is(shapes.instant)(given))
    },
  )

  it.each([
    "",
    "2027-01-31",
    "2027-01-31T00:00:00",
    "2027-02-29T00:00:00Z",
    "2027-01-31T24:00:00Z",
    "2027-01-31T00:60:00Z",
    "2027-01-31T00:00:60Z",
    "2027-01-31T00:00:00.1234Z",
    "2027-01-31T00:00:00+24:00",
    "2027-01-31 00:00:00Z",
  ])("%j is none", (given) => {
    assert.isFalse(Schema.is(shapes.instant)(given))
  })
})

describe("values of the admin API", () => {
  it("have the names of their fields, times as text, and nothing that is absent", () => {
    const shape = shaped(
      Schema.Struct({ id: Schema.String, created_at: Schema.String, at: Schema.String, latency_ms: Schema.Number }),
    )
    assert.deepStrictEqual(shape({ id: "a", createdAt: at, at, latencyMs: at }), {
      id: "a",
      created_at: text,
      at: text,
      latency_ms: at,
    })
  })

  it("a key ends at the earlier of its expiry and its overlap", () => {
    const record = {
      id: "key_1",
      accountId: "acc_1",
      environment: "live",
      tier: "pro",
      perMinute: 60,
      lastFour: "abcd",
      createdAt: at,
    } as const
    assert.isFalse("expires_at" in shapes.key(record))
    assert.strictEqual(shapes.key({ ...record, expiresAt: at }).expires_at, text)
    assert.strictEqual(shapes.key({ ...record, expiresAt: at + 1, overlapEndsAt: at }).expires_at, text)
    assert.deepStrictEqual(shapes.key({ ...record, agentId: "agt_1" }), {
      id: "key_1",
      account: "acc_1",
      environment: "live",
      tier: "pro",
      per_minute: 60,
      last_four: "abcd",
      agent: "agt_1",
      created_at: text,
    })
  })

  it("an agent has its caps in micro-dollars, a cap of 0 too", () => {
    const record = { id: "agt_1", accountId: "acc_1", name: "a", status: "active", createdAt: at } as const
    const { monthly_cap_micros, budget_cap_micros } = shapes.agent({ ...record, monthlyCap: MicroUsd(0) })
    assert.deepStrictEqual([monthly_cap_micros, budget_cap_micros], [0, undefined])
  })

  it("spends are those of live and of test keys, in whatever order they come", () => {
    const spend = (livemode: boolean, month: number) => ({
      livemode,
      month: "2027-01",
      monthSpent: MicroUsd(month),
      totalSpent: MicroUsd(10 * month),
    })
    assert.deepStrictEqual(shapes.spends([spend(false, 1), spend(true, 2)]), {
      live: { month: "2027-01", month_micros: 2, total_micros: 20 },
      test: { month: "2027-01", month_micros: 1, total_micros: 10 },
    })
  })

  it("a row of the audit has a null where a column is empty, and is one call unless it says more", () => {
    const row: Audit = {
      at,
      requestId: "req_1",
      accountId: "acc_1",
      keyId: "key_1",
      endpoint: "x",
      paramsHash: "h",
      status: 200,
      charged: MicroUsd(5),
      latencyMs: 3,
    }
    const { agent_id, code, calls, charged_micros } = shapes.auditRow(row)
    assert.deepStrictEqual([agent_id, code, calls, charged_micros], [null, null, 1, 5])
    assert.strictEqual(shapes.auditRow({ ...row, calls: 7 }).calls, 7)
    assert.isFalse("account_id" in shapes.auditRow(row))
    assert.strictEqual(shapes.auditExportRow(row).account_id, "acc_1")
  })
})

describe("webhooks", () => {
  const record = {
    seq: 1,
    webhookId: "whk_1",
    eventId: "evt_1",
    type: "wallet.low",
    cause: "event",
    createdAt: at,
    isRepeated: false,
    attempts: [],
  } as never as Omit<Delivery, "state">

  it("show since when a former secret still signs", () => {
    const hook = {
      id: "whk_1",
      accountId: "acc_1",
      url: "https://a.b",
      events: [],
      status: "active",
      createdAt: at,
    } as const
    assert.isFalse("previous_secret_until" in webhook(hook))
    assert.strictEqual(webhook({ ...hook, previousUntil: at }).previous_secret_until, text)
  })

  it.each([
    [
      { _tag: "Pending", dueAt: at },
      { state: "pending", next_attempt_at: text },
    ],
    [{ _tag: "Waiting" }, { state: "waiting" }],
    [{ _tag: "UnderWay" }, { state: "under_way" }],
    [
      { _tag: "Delivered", at },
      { state: "delivered", ended_at: text },
    ],
    [
      { _tag: "Dead", at, reason: "gone" },
      { state: "dead", ended_at: text, reason: "gone" },
    ],
  ] as const)("a delivery in the state %j", (state, expected) => {
    const { webhook: _, event, type, cause, created_at, sent_again, attempts, ...rest } = delivery({ ...record, state })
    assert.deepStrictEqual(rest, expected)
    assert.deepStrictEqual([event, sent_again], ["evt_1", false])
  })

  it("an attempt without an end was interrupted, unless it is the last of a delivery that is under way", () => {
    const attempts = [
      { number: 1, at },
      { number: 2, at, status: 500, error: "status" },
      { number: 3, at, status: 200 },
      { number: 4, at },
    ] as const
    const errors = (state: Delivery["state"]) =>
      delivery({ ...record, attempts, state }).attempts.map(({ error }) => error)
    assert.deepStrictEqual(errors({ _tag: "UnderWay" }), ["interrupted", "status", undefined, undefined])
    assert.deepStrictEqual(errors({ _tag: "Waiting" }), ["interrupted", "status", undefined, "interrupted"])
  })
})

describe("a page of a list", () => {
  const rows = ["e", "d", "c", "b", "a"]
  const page = (given: { readonly limit?: number; readonly cursor?: string }, usual = 2) =>
    Effect.runSync(
      readPage(
        "things_list",
        { account: "x", ...given },
        usual,
        ({ cursor, limit }) =>
          Effect.succeed(rows.filter((row) => cursor === undefined || row < cursor).slice(0, limit)),
        (row) => row,
      ),
    )
  const keyOf = (next: string | undefined) => Cursor.decode("things_list", { account: "x" }, next ?? "")

  it("names the next one by its last row, as long as there is one", () => {
    const first = page({})
    assert.deepStrictEqual([first.rows, keyOf(first.next)], [["e", "d"], "d"])
    const second = page({ cursor: "d" })
    assert.deepStrictEqual([second.rows, keyOf(second.next)], [["c", "b"], "b"])
    assert.deepStrictEqual(page({ cursor: "b" }), { rows: ["a"] })
  })

  it("that ends with the last row is the last one, and an empty one too", () => {
    assert.deepStrictEqual(page({ limit: 5 }), { rows })
    assert.strictEqual(keyOf(page({ limit: 4 }).next), "b")
    assert.deepStrictEqual(page({ cursor: "a" }), { rows: [] })
  })

  it("of numbered rows begins at a whole number above 0", () => {
    const read = (cursor?: string) =>
      Effect.runSync(Effect.either(parseNumericCursor(cursor === undefined ? { limit: 3 } : { cursor, limit: 3 })))
    assert.deepStrictEqual(read()._tag, "Right")
    assert.deepStrictEqual(Effect.runSync(parseNumericCursor({ limit: 3 })), { limit: 3 })
    assert.deepStrictEqual(Effect.runSync(parseNumericCursor({ cursor: "1", limit: 3 })), { cursor: 1, limit: 3 })
    for (const wrong of ["0", "-1", "1.5", "x", String(2 ** 53)]) assert.strictEqual(read(wrong)._tag, "Left", wrong)
  })
})
