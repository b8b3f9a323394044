import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as namesStore from "../../../../adapters/store/account/Names.ts"
import { agentFields, keyName, namesIn, readNames } from "../../../../adapters/web/dashboard/names.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { anyAccounts } from "../../../support/anyStore.ts"

describe("the name of a key", () => {
  it("is the ends of its text, after its own name if it has one", () => {
    const key = { environment: "live", lastFour: "rWca" } as const
    assert.strictEqual(keyName({ ...key, name: "nightly" }), "nightly (svk_live_…rWca)")
    assert.strictEqual(keyName({ ...key, environment: "test" }), "svk_test_…rWca")
  })
})

const filled = Effect.gen(function* () {
  const accounts = yield* Accounts
  const agents = yield* Agents
  const { id } = yield* accounts.create("own")
  yield* accounts.create("other")
  const first = yield* agents.create("own", "first", {})
  yield* TestClock.adjust("1 second")
  const second = yield* agents.create("own", "second", {})
  const foreign = yield* agents.create("other", "foreign", {})
  const { key } = yield* accounts.issueKey({ account: id, environment: "test", tier: "indie", name: "nightly" })
  return { id, first, second, foreign, key }
})

it.effect("a form asks for an agent only where there is one, and lists a few", () =>
  Effect.gen(function* () {
    const { id } = yield* filled
    assert.deepStrictEqual(
      (yield* agentFields(id)).map(({ kind }) => kind),
      [{ _tag: "Choice", values: ["second", "first"], none: "None" }],
    )
    assert.deepStrictEqual(yield* agentFields((yield* (yield* Accounts).create("idle")).id), [])
    yield* Effect.forEach(Array.from({ length: 99 }), (_, n) =>
      Effect.flatMap(Agents, ({ create }) => create("own", `n${n}`, {})),
    )
    assert.deepStrictEqual(
      (yield* agentFields(id)).map(({ kind }) => kind._tag),
      ["Text"],
    )
  }).pipe(Effect.provide(Layer.provideMerge(namesStore.layer, anyAccounts))),
)

describe("the names that rows refer to", () => {
  it.effect("are read by their ids, once each, and only of the own account", () =>
    Effect.gen(function* () {
      const { id, first, second, foreign, key } = yield* filled
      const { agents, keys } = yield* namesIn(id, [
        { agentId: first.id, keyId: key.id },
        { agentId: first.id },
        { agentId: second.id },
        { agentId: foreign.id, keyId: undefined },
      ])
      assert.deepStrictEqual(
        new Map(agents),
        new Map([
          [first.id, "first"],
          [second.id, "second"],
        ]),
      )
      assert.deepStrictEqual([...keys], [[key.id, keyName(key)]])
    }).pipe(Effect.provide(Layer.provideMerge(namesStore.layer, anyAccounts))),
  )

  it.effect("are those that are known already where the rows have no others", () =>
    Effect.gen(function* () {
      const { id, first } = yield* filled
      const known = { agents: new Map([[first.id, "as it was"]]), keys: new Map() }
      assert.strictEqual(yield* namesIn(id, [{ agentId: first.id }, {}], known), known)
    }).pipe(Effect.provide(Layer.provideMerge(namesStore.layer, anyAccounts))),
  )

  it.effect("are added to those that are known", () =>
    Effect.gen(function* () {
      const { id, first, second } = yield* filled
      const known = { agents: new Map([[first.id, "as it was"]]), keys: new Map([["key_old", "old"]]) }
      const { agents, keys } = yield* namesIn(id, [{ agentId: first.id }, { agentId: second.id }], known)
      assert.deepStrictEqual(
        [...agents],
        [
          [first.id, "as it was"],
          [second.id, "second"],
        ],
      )
      assert.deepStrictEqual([...keys], [["key_old", "old"]])
    }).pipe(Effect.provide(Layer.provideMerge(namesStore.layer, anyAccounts))),
  )

  it.effect("may be the newest ones", () =>
    Effect.gen(function* () {
      const { id, second } = yield* filled
      const { agents } = yield* readNames(id, { agents: { newest: 1 }, keys: { ids: [] } })
      assert.deepStrictEqual([...agents], [[second.id, "second"]])
    }).pipe(Effect.provide(Layer.provideMerge(namesStore.layer, anyAccounts))),
  )
})
