import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import * as Book from "../../../core/account/Book.ts"
import {
  type AgentMonth,
  dailyReplyBytes,
  decide,
  maxChargedReplyBytes,
  type Payer,
  rowBytes,
} from "../../../core/account/decide.ts"
import type { Caller } from "../../../core/account/Keyring.ts"
import { MicroUsd } from "../../../core/account/Money.ts"

const caller: Caller = { accountId: "a", keyId: "k", livemode: true, perMinute: 1, agent: { id: "g", paused: false } }
const at = Date.UTC(2026, 10, 15)

const payerOf = (balance: number, rest: Omit<Payer, "balance"> = {}): Payer => ({ balance: MicroUsd(balance), ...rest })

const agentOf = (caps: { monthly?: number; budget?: number }, month = 0, total = month): AgentMonth => ({
  name: "bot",
  ...(caps.monthly === undefined ? {} : { monthlyCap: MicroUsd(caps.monthly) }),
  ...(caps.budget === undefined ? {} : { budgetCap: MicroUsd(caps.budget) }),
  monthSpent: MicroUsd(month),
  totalSpent: MicroUsd(total),
  warned: false,
  exceeded: false,
})

const chargeOf = (micros: number, bytes?: number) => ({
  caller,
  list: MicroUsd(micros),
  micros: MicroUsd(micros),
  at,
  ...(bytes === undefined ? {} : { reply: { requestHash: "h", bytes } }),
})

const used = (charged: number, free = 0) => ({ stored: undefined, used: { charged, free } })

describe("a decision", () => {
  const most = dailyReplyBytes.charged(1)
  const rows: ReadonlyArray<readonly [name: string, Payer, ReturnType<typeof chargeOf>, tag: string, types?: string]> =
    [
      ["all of a balance", payerOf(100), chargeOf(100), "Accepted"],
      ["more than the balance", payerOf(99), chargeOf(100), "Insufficient"],
      ["nothing, without a balance", payerOf(0), chargeOf(0), "Accepted"],
      [
        "the cap to the last",
        payerOf(100, { agent: agentOf({ monthly: 100 }) }),
        chargeOf(100),
        "Accepted",
        "warning exceeded",
      ],
      ["more than the cap", payerOf(200, { agent: agentOf({ monthly: 100 }) }), chargeOf(101), "Capped", "exceeded"],
      ["the cap before the wallet", payerOf(0, { agent: agentOf({ monthly: 1 }) }), chargeOf(2), "Capped", "exceeded"],
      ["a lifetime cap, without an event", payerOf(9, { agent: agentOf({ budget: 1 }) }), chargeOf(2), "Capped"],
      ["the warning level", payerOf(100, { agent: agentOf({ monthly: 10 }, 7) }), chargeOf(1), "Accepted", "warning"],
      ["below the warning level", payerOf(100, { agent: agentOf({ monthly: 10 }, 6) }), chargeOf(1), "Accepted"],
      ["the least below the level", payerOf(900, { agent: agentOf({ monthly: 999 }) }), chargeOf(799), "Accepted"],
      ["the least at it", payerOf(900, { agent: agentOf({ monthly: 999 }) }), chargeOf(800), "Accepted", "warning"],
      [
        "what was told",
        payerOf(9, { agent: { ...agentOf({ monthly: 9 }, 8), warned: true } }),
        chargeOf(1),
        "Accepted",
        "exceeded",
      ],
      ["nothing at a cap that is reached", payerOf(9, { agent: agentOf({ monthly: 9 }, 9) }), chargeOf(0), "Accepted"],
      ["nothing at a cap of nothing", payerOf(0, { agent: agentOf({ monthly: 0 }) }), chargeOf(0), "Accepted"],
      ["to the threshold", payerOf(100, { lowBalance: MicroUsd(50) }), chargeOf(50), "Accepted"],
      ["below the threshold", payerOf(100, { lowBalance: MicroUsd(50) }), chargeOf(51), "Accepted", "wallet.low"],
      ["from the threshold", payerOf(50, { lowBalance: MicroUsd(50) }), chargeOf(1), "Accepted", "wallet.low"],
      ["to the threshold, unpaid", payerOf(100, { lowBalance: MicroUsd(50) }), chargeOf(101), "Insufficient"],
      [
        "the threshold and a cap",
        payerOf(9, { lowBalance: MicroUsd(9), agent: agentOf({ monthly: 1 }) }),
        chargeOf(1),
        "Accepted",
        "wallet.low warning exceeded",
      ],
      ["from below the threshold", payerOf(49, { lowBalance: MicroUsd(50) }), chargeOf(1), "Accepted"],
      ["the day's last byte", payerOf(9, { reply: used(most - rowBytes - 10) }), chargeOf(1, 10), "Accepted"],
      ["a byte more", payerOf(9, { reply: used(most - rowBytes - 9) }), chargeOf(1, 10), "ReplyQuotaExceeded"],
      [
        "a key that was used",
        payerOf(9, { reply: { ...used(0), stored: { requestHash: "h", isStored: true } } }),
        chargeOf(1, 10),
        "Concurrent",
      ],
      [
        "a key of another request",
        payerOf(9, { reply: { ...used(0), stored: { requestHash: "x", isStored: false } } }),
        chargeOf(0, 10),
        "Concurrent",
      ],
      [
        "the wallet before the key",
        payerOf(0, { reply: { ...used(0), stored: { requestHash: "h", isStored: true } } }),
        chargeOf(1, 10),
        "Insufficient",
      ],
    ]
  for (const [name, payer, charge, tag, types = ""] of rows) {
    it(`over ${name} is ${tag}${types === "" ? "" : ` and emits ${types}`}`, () => {
      const { verdict, events } = decide(payer, charge)
      assert.strictEqual(verdict._tag, tag)
      assert.strictEqual(events.map(({ type }) => type.replace("agent.budget_", "")).join(" "), types)
    })
  }

  for (const [last, first, end] of [
    ["2026-11-30T23:59:59.999Z", "2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
    ["2026-12-31T23:59:59.999Z", "2027-01-01T00:00:00.000Z", "2027-02-01T00:00:00.000Z"],
    ["2028-02-29T23:59:59.999Z", "2028-03-01T00:00:00.000Z", "2028-04-01T00:00:00.000Z"],
    ["2027-02-28T23:59:59.999Z", "2027-03-01T00:00:00.000Z", "2027-04-01T00:00:00.000Z"],
    ["2000-02-29T23:59:59.999Z", "2000-03-01T00:00:00.000Z", "2000-04-01T00:00:00.000Z"],
  ] as const) {
    it(`counts in the month of its call, which ends after ${last}, in any order of arrival`, () => {
      const months: Array<unknown> = []
      const book = Book.make({
        wallet: () => payerOf(9_000),
        agent: (_, __, month) => ({ ...agentOf({ monthly: 2 }), name: month }),
        reply: () => undefined,
        bytes: () => ({ charged: 0, free: 0 }),
      })
      for (const at of [last, first, last, last, first, first].map((text) => Date.parse(text))) {
        const { verdict, events } = book.charge({ ...chargeOf(1), caller: { ...caller }, reply: undefined, at })
        months.push([verdict._tag, ...events.map(({ data }) => "period" in data && [data.period, data.resets_at])])
      }
      const [old, next] = [
        [last.slice(0, 7), first],
        [first.slice(0, 7), end],
      ]
      assert.deepStrictEqual(months, [
        ["Accepted"],
        ["Accepted"],
        ["Accepted", old, old],
        ["Capped"],
        ["Accepted", next, next],
        ["Capped"],
      ])
    })
  }

  it("stores answers of free calls while the day has room, then their keys, then nothing", () => {
    const row = (free: number, isLow = false) =>
      decide(payerOf(0, { reply: used(0, free) }), chargeOf(0, 1_000), isLow).reply
    assert.deepStrictEqual(row(0), { size: rowBytes + 1_000, isWhole: true })
    assert.deepStrictEqual(row(dailyReplyBytes.freeReplies), { size: rowBytes, isWhole: false })
    assert.isUndefined(row(dailyReplyBytes.free))
    assert.isUndefined(row(0, true))
    const again = decide(
      payerOf(0, {
        agent: agentOf({ monthly: 10 }),
        reply: { ...used(0), stored: { requestHash: "h", isStored: false } },
      }),
      { ...chargeOf(0, 10), list: MicroUsd(5) },
    )
    assert.deepStrictEqual(
      [again.verdict._tag, again.counted, again.reply, again.events],
      ["Accepted", 0, undefined, []],
    )
  })
})

interface Call {
  readonly account: number
  readonly agent: number
  readonly micros: number
  readonly livemode: boolean
  readonly month: number
  readonly key: number
  readonly bytes: number
  /** The store is written before it. */
  readonly writes: boolean
}

const call: fc.Arbitrary<Call> = fc.record({
  account: fc.nat(1),
  agent: fc.nat(2),
  micros: fc.integer({ min: 0, max: 60 }),
  livemode: fc.boolean(),
  month: fc.nat(1),
  key: fc.nat(4),
  bytes: fc.integer({ min: 0, max: 3 * maxChargedReplyBytes }),
  writes: fc.boolean(),
})

/** A store of numbers under a book. */
const store = () => {
  const wallets = new Map([
    ["a0", { balance: 300, low: 100 }],
    ["a1", { balance: 10_000, low: undefined }],
  ])
  const spent = new Map<string, { micros: number; warned: boolean; exceeded: boolean }>()
  const caps = [{ monthly: 100 }, { budget: 150 }, { monthly: 90, budget: 120 }]
  const bytes = new Map<string, { charged: number; free: number }>()
  const replies = new Map<string, { requestHash: string; isStored: boolean }>()
  const book = Book.make({
    wallet: (id) => {
      const { balance, low } = wallets.get(id)!
      return { balance: MicroUsd(balance), lowBalance: low === undefined ? undefined : MicroUsd(low) }
    },
    agent: (id, livemode, month) => {
      const { micros = 0, warned = false, exceeded = false } = spent.get(`${id}/${livemode}/${month}`) ?? {}
      const total = [...spent].reduce(
        (sum, [name, each]) => (name.startsWith(`${id}/${livemode}/`) ? sum + each.micros : sum),
        0,
      )
      return { ...agentOf(caps[Number(id.at(-1))]!, micros, total), warned, exceeded }
    },
    reply: (keyId, key) => replies.get(`${keyId}/${key}`),
    bytes: (keyId, today) => bytes.get(`${keyId}/${today}`) ?? { charged: 0, free: 0 },
  })
  const write = () => {
    const all = book.changes()
    for (const { accountId, debit } of all.wallets) wallets.get(accountId)!.balance -= debit
    for (const { agentId, livemode, month, counted, warningSent, exceededSent } of all.agents) {
      const name = `${agentId}/${livemode}/${month}`
      const before = spent.get(name) ?? { micros: 0, warned: false, exceeded: false }
      spent.set(name, {
        micros: before.micros + counted,
        warned: before.warned || warningSent,
        exceeded: before.exceeded || exceededSent,
      })
    }
    for (const { keyId, today, stored, charged, free } of all.replies) {
      bytes.set(`${keyId}/${today}`, { charged: stored.charged + charged, free: stored.free + free })
    }
    book.clear()
  }
  return {
    book,
    write,
    replies,
    sums: () => [...wallets, ...[...spent].sort(), ...[...bytes].sort()],
  }
}

const playedBy = (calls: ReadonlyArray<Call>, writesBefore: (call: Call) => boolean) => {
  const { book, write, replies, sums } = store()
  const decisions = calls.map((each) => {
    if (writesBefore(each)) write()
    const { account, agent, micros, livemode, month, key, bytes } = each
    const keyId = `k${account}${livemode}`
    const list = MicroUsd(micros)
    const decision = book.charge({
      caller: {
        accountId: `a${account}`,
        keyId,
        livemode,
        perMinute: 1,
        agent: { id: `g${account}${agent}`, paused: false },
      },
      list,
      micros: livemode ? list : MicroUsd(0),
      at: Date.UTC(2026, 10 + month, 15),
      ...(key === 0 ? {} : { reply: { key: String(key), requestHash: String(bytes % 2), bytes } }),
    })
    if (decision.reply !== undefined) {
      replies.set(`${keyId}/${key}`, { requestHash: String(bytes % 2), isStored: decision.reply.isWhole })
    }
    return decision
  })
  write()
  return { decisions, sums: sums() }
}

describe("a book", () => {
  const calls = fc.array(call, { maxLength: 60 })

  it("decides alike and sums up alike, wherever it is written", () => {
    fc.assert(
      fc.property(calls, (all) => {
        const alone = playedBy(all, () => true)
        assert.deepStrictEqual(
          playedBy(all, ({ writes }) => writes),
          alone,
        )
        assert.deepStrictEqual(
          playedBy(all, () => false),
          alone,
        )
      }),
      { numRuns: 300 },
    )
  })

  it("overdraws no wallet, exceeds no cap, and emits each event of a cap once a month", () => {
    fc.assert(
      fc.property(calls, (all) => {
        const { decisions, sums } = playedBy(all, ({ writes }) => writes)
        const paid = [0, 0]
        const counted = new Map<string, number>()
        const events: Array<string> = []
        for (const [n, { verdict, counted: list, events: emitted }] of decisions.entries()) {
          const { account, agent, micros, livemode, month } = all[n]!
          const who = `${account}${agent}/${livemode}`
          if (verdict._tag === "Accepted") {
            if (livemode) paid[account]! += micros
            for (const name of [who, `${who}/${month}`]) counted.set(name, (counted.get(name) ?? 0) + list)
          } else assert.strictEqual(list, 0)
          events.push(...emitted.map(({ type }) => `${type} ${type === "wallet.low" ? n : `${who}/${month}`}`))
        }
        assert.strictEqual(new Set(events).size, events.length)
        assert.isAtMost(paid[0]!, 300)
        assert.deepStrictEqual(sums.slice(0, 2), [
          ["a0", { balance: 300 - paid[0]!, low: 100 }],
          ["a1", { balance: 10_000 - paid[1]!, low: undefined }],
        ])
        for (const [name, micros] of counted) {
          const agent = name[1]
          const isMonth = name.split("/").length === 3
          if (isMonth && agent !== "1") assert.isAtMost(micros, agent === "0" ? 100 : 90)
          if (!isMonth && agent !== "0") assert.isAtMost(micros, agent === "1" ? 150 : 120)
        }
      }),
      { numRuns: 300 },
    )
  })
})
