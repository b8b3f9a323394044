import { assert, describe, it } from "@effect/vitest"
import { type KeyRow, make } from "../../../../adapters/store/account/keyCache.ts"

const row = (id: string, changes: Partial<KeyRow> = {}): KeyRow => ({
  ...{
    id,
    account_id: "acct",
    environment: "live",
    per_minute: 60,
    account_per_minute: 60,
    scopes: null,
    ends_at: null,
  },
  ...{ agent_id: null, status: null, suspended_at: null },
  ...changes,
})

/** A cache that has seen version 5, with these keys of it by their ids. */
const holding = (...rows: ReadonlyArray<KeyRow>) => {
  const cache = make()
  cache.note([{ version: 5, id: null }], 5)
  for (const each of rows) cache.put(each.id, each, 5, 0)
  const held = (now = 0) => rows.map(({ id }) => id).filter((id) => cache.get(id, now) !== undefined)
  return { cache, held }
}

describe("a cached key", () => {
  it("has what its row says", () => {
    const { cache } = holding(
      row("plain"),
      row("test", { environment: "test", scopes: "a,b", suspended_at: 9, agent_id: "ag", status: "paused" }),
      row("agent", { agent_id: "ag", status: "active" }),
    )
    const plain = { accountId: "acct", keyId: "plain", livemode: true, perMinute: 60 }
    assert.deepStrictEqual(cache.get("plain", 0), plain)
    assert.deepStrictEqual(cache.get("test", 0), {
      ...{ ...plain, keyId: "test", livemode: false },
      ...{ suspended: true, scopes: ["a", "b"], agent: { id: "ag", paused: true } },
    })
    assert.deepStrictEqual(cache.get("agent", 0)!.agent, { id: "ag", paused: false })
  })

  it("counts until its end, and is none from then on", () => {
    const { cache, held } = holding(row("a", { ends_at: 100 }), row("b"))
    assert.deepStrictEqual([held(99), held(100)], [["a", "b"], ["b"]])
    assert.isUndefined(cache.put("c", row("c", { ends_at: 100 }), 5, 100))
    assert.strictEqual(cache.put("c", row("c", { ends_at: 101 }), 5, 100)?.keyId, "c")
  })

  it("is forgotten with a change of itself, its account or its agent", () => {
    const rows = [row("a"), row("b", { account_id: "other" }), row("c", { agent_id: "ag", status: "active" })]
    for (const [changed, left] of [
      ["a", ["b", "c"]],
      ["acct", ["b"]],
      ["ag", ["a", "b"]],
      ["else", ["a", "b", "c"]],
    ] as const) {
      const { cache, held } = holding(...rows)
      cache.note([{ version: 6, id: changed }], 5)
      assert.deepStrictEqual(held(), [...left], changed)
    }
  })

  it("stays where it was read after the change", () => {
    const { cache } = holding(row("a"))
    cache.put("a", row("a"), 6, 0)
    // Not used before its version was seen.
    assert.isUndefined(cache.get("a", 0))
    cache.note([{ version: 6, id: "a" }], 5)
    assert.isDefined(cache.get("a", 0))
  })

  it("is not kept where it was read before a change that was seen already", () => {
    const { cache } = holding()
    cache.note([{ version: 6, id: "a" }], 5)
    assert.strictEqual(cache.put("a", row("a"), 5, 0)?.keyId, "a")
    assert.isUndefined(cache.get("a", 0))
  })

  it("is forgotten with all others where changes are missing", () => {
    const { cache, held } = holding(row("a"), row("b"))
    cache.note([{ version: 8, id: "a" }], 5)
    assert.deepStrictEqual([held(), cache.seen()], [[], 8])
    const restored = holding(row("a"))
    restored.cache.note([{ version: 3, id: null }], 5)
    assert.deepStrictEqual(restored.held(), [])
  })

  it("that is unknown now is none, also where it was known", () => {
    const { cache, held } = holding(row("a"))
    assert.isUndefined(cache.put("a", undefined, 5, 0))
    assert.deepStrictEqual(held(), [])
    assert.strictEqual(make().seen(), -1)
  })
})
