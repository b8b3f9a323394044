import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as names from "../../../../adapters/store/account/Names.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import { Names } from "../../../../core/account/Names.ts"
import { anyAccounts } from "../../../support/anyStore.ts"

describe("names", () => {
  it.effect("are the newest ones or those of given ids, and never another account's", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const agents = yield* Agents
      const { agents: agentNames, keys: keyNames } = yield* Names
      const issue = (account: string, name?: string) =>
        Effect.map(
          accounts.issueKey({ account, environment: "test", tier: "pro", ...(name === undefined ? {} : { name }) }),
          ({ key }) => key,
        )
      const { id: accountId } = yield* accounts.create("one")
      const { id: otherId } = yield* accounts.create("other")
      const own = yield* Effect.forEach(["first", undefined, "third"], (name) => issue("one", name))
      const foreign = yield* issue("other", "foreign")
      const bots = yield* Effect.forEach(["bot 1", "bot 2"], (name) => agents.create("one", name, {}))
      const known = [...own]
        .sort((one, other) => (one.id < other.id ? 1 : -1))
        .map(({ id, environment, lastFour, name }) => ({
          id,
          environment,
          lastFour,
          ...(name === undefined ? {} : { name }),
        }))
      assert.deepStrictEqual(yield* keyNames(accountId, { newest: 50 }), known)
      assert.deepStrictEqual(yield* keyNames(accountId, { newest: 2 }), known.slice(0, 2))
      const ids = [known[2]!.id, foreign.id, "key_unknown"]
      assert.deepStrictEqual(yield* keyNames(accountId, { ids }), [known[2]!])
      assert.deepStrictEqual(yield* keyNames(accountId, { ids: [] }), [])
      assert.deepStrictEqual(yield* agentNames(accountId, { ids: [bots[0]!.id] }), [{ id: bots[0]!.id, name: "bot 1" }])
      assert.deepStrictEqual(yield* agentNames(otherId, { ids: bots.map(({ id }) => id) }), [])
      assert.lengthOf(yield* agentNames(accountId, { newest: 50 }), 2)
    }).pipe(Effect.provide(names.layer), Effect.provide(anyAccounts)),
  )
})
