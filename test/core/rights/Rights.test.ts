import { assert, describe, it } from "@effect/vitest"
import type { Funds, Price } from "../../../core/account/decide.ts"
import type { Caller } from "../../../core/account/Keyring.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import * as Rights from "../../../core/rights/Rights.ts"
import { unpayable } from "../../../core/rights/Rights.ts"

const weather = catalogue.lanes.find(({ name }) => name === "weather")!
const account = { name: "account", about: "caller" } as const
const key: Caller = { accountId: "a", keyId: "k", livemode: true, perMinute: 60 }
const agent = { id: "g", paused: false }

/** Who asks; and what follows for a call of weather, one about the caller, the stream, and answers of account, agent, sibling. */
const keys: ReadonlyArray<readonly [string, Caller, string]> = [
  ["live", key, "ok ok ok read read read"],
  ["test", { ...key, livemode: false }, "ok ok insufficient_scope - - -"],
  ["an agent's", { ...key, agent }, "ok ok ok - read -"],
  ["a sibling's", { ...key, agent: { id: "h", paused: false } }, "ok ok ok - - read"],
  ["a paused agent's", { ...key, agent: { ...agent, paused: true } }, "agent_paused agent_paused agent_paused - - -"],
  [
    "of a suspended account",
    { ...key, suspended: true },
    "account_suspended account_suspended account_suspended - - -",
  ],
  ["of the lane", { ...key, scopes: ["crypto", "weather"] }, "ok ok ok read read read"],
  ["of another lane", { ...key, scopes: ["crypto"] }, "insufficient_scope ok ok - - -"],
  ["of no lane", { ...key, scopes: [] }, "insufficient_scope ok ok - - -"],
  ["of another account", { ...key, accountId: "b" }, "ok ok ok - - -"],
]

const price = (list: number, micros = list): Price => ({ list: MicroUsd(list), micros: MicroUsd(micros) })
const wallet = (balance: number, agent?: Funds["agent"]): Funds => ({ balance: MicroUsd(balance), agent })
const spent = (monthlyCap: number | undefined, budgetCap: number | undefined, month: number, total: number) =>
  ({
    monthlyCap: monthlyCap === undefined ? undefined : MicroUsd(monthlyCap),
    budgetCap: budgetCap === undefined ? undefined : MicroUsd(budgetCap),
    monthSpent: MicroUsd(month),
    totalSpent: MicroUsd(total),
  }) as NonNullable<Funds["agent"]>

const answers = [{ accountId: "a" }, { accountId: "a", agentId: "g" }, { accountId: "a", agentId: "h" }]

const shown = ({ call, follow, read }: Rights.Rights): string =>
  [
    ...[call(weather), call(account), follow].map((failure) => failure?.code ?? "ok"),
    ...answers.map((buyer) => (read(buyer, "weather") ? "read" : "-")),
  ].join(" ")

describe("the rights of", () => {
  it.each(keys)("a key: %s", (_, caller, expected) => {
    const rights = Rights.ofKey(caller)
    assert.strictEqual(shown(rights), expected)
    assert.deepStrictEqual(
      [rights.read(undefined, "weather"), rights.see("a"), rights.run("viewer")],
      [false, false, false],
    )
  })

  it("nobody: what is public", () => {
    assert.strictEqual(shown(Rights.nobody), "ok ok missing_authorization - - -")
    assert.deepStrictEqual([Rights.nobody.see("a"), Rights.nobody.run("viewer")], [false, false])
  })

  it("a person: the own account, by role; an operator: all, and nothing that was sold", () => {
    const verbs = [undefined, "owner", "viewer"] as const
    const seen = (rights: Rights.Rights) => [
      ["a", "b", undefined].map((id) => rights.see(id)),
      verbs.map(rights.run),
      rights.read({ accountId: "a" }, "weather"),
    ]
    const of = (role: "viewer" | "owner") => Rights.ofPerson({ accountId: "a", role })
    assert.deepStrictEqual(seen(of("viewer")), [[true, false, false], [false, false, true], false])
    assert.deepStrictEqual(seen(of("owner")), [[true, false, false], [false, true, true], false])
    assert.deepStrictEqual(seen(Rights.ofPerson(undefined)), [[true, true, false], [true, true, true], false])
  })

  it("a key without scopes reads an answer of a lane that is sold no longer, one with scopes does not", () => {
    assert.isTrue(Rights.ofKey(key).read({ accountId: "a" }, undefined))
    assert.isFalse(Rights.ofKey({ ...key, scopes: ["weather"] }).read({ accountId: "a" }, undefined))
  })
})

describe("a call that cannot be paid", () => {
  it("exceeds the wallet by a millionth, calls that come first included", () => {
    assert.isUndefined(unpayable(wallet(1_000), price(1_000)))
    assert.strictEqual(unpayable(wallet(999), price(1_000)), "insufficient_funds")
    assert.isUndefined(unpayable(wallet(1_500), price(1_000), price(500)))
    assert.strictEqual(unpayable(wallet(1_500), price(1_000), price(501)), "insufficient_funds")
  })

  it("exceeds the month's cap or the whole budget, calls that come first included", () => {
    for (const agent of [spent(2_000, undefined, 500, 9_000), spent(undefined, 2_000, 0, 500)]) {
      assert.isUndefined(unpayable(wallet(9_000, agent), price(1_000), price(500)))
      assert.strictEqual(unpayable(wallet(9_000, agent), price(1_000), price(501)), "agent_budget_exceeded")
    }
  })

  it("is named after the budget where both are exceeded", () => {
    assert.strictEqual(unpayable(wallet(0, spent(10, undefined, 10, 10)), price(1)), "agent_budget_exceeded")
  })

  it("counts a test key's calls against caps by the list price, and against no wallet", () => {
    assert.isUndefined(unpayable(wallet(0), price(1_000, 0), price(1_000, 0)))
    assert.strictEqual(
      unpayable(wallet(0, spent(1_500, undefined, 0, 0)), price(1_000, 0), price(501, 0)),
      "agent_budget_exceeded",
    )
  })
})
