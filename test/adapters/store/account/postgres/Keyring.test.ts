import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as keyring from "../../../../../adapters/store/account/postgres/Keyring.ts"
import * as Client from "../../../../../adapters/store/engine/postgres/client.ts"
import { Accounts } from "../../../../../core/account/Accounts.ts"
import { Agents } from "../../../../../core/account/Agents.ts"
import { Keyring } from "../../../../../core/account/Keyring.ts"
import { PlatformCrypto } from "../../../../../core/account/PlatformCrypto.ts"
import { database } from "../../../../support/postgres.ts"
import { node } from "../../../../support/postgresNode.ts"

/** Longer than a change takes to arrive, shorter than the other key is asked for anew by age. */
const arrived = "700 millis"

describe("the keys that a node has read", () => {
  it.scopedLive("are read again after a change of any key, agent or account", () =>
    Effect.gen(function* () {
      const operator = yield* Effect.flatMap(database, node)
      const postgres = Context.get(operator, Client.Postgres)
      let [looks, polls] = [0, 0]
      const counting: Client.Postgres["Type"] = {
        ...postgres,
        rows: (name, ...rest) =>
          Effect.suspend(() => {
            if (name === "key") looks++
            if (name === "version") polls++
            return postgres.rows(name, ...rest)
          }),
      }
      const { find } = Context.get(
        yield* Layer.build(Layer.provide(keyring.layer, Layer.succeed(Client.Postgres, counting))),
        Keyring,
      )
      yield* Effect.gen(function* () {
        const [accounts, agents, { sha256 }] = [yield* Accounts, yield* Agents, yield* PlatformCrypto]
        const customer = (name: string) =>
          Effect.gen(function* () {
            const { id: account } = yield* accounts.create(name)
            const { id: agent } = yield* agents.create(account, `bot of ${name}`, {})
            const { key, plaintext } = yield* accounts.issueKey({
              ...({ account, environment: "live", tier: "pro", agent: `bot of ${name}` } as const),
            })
            return { account, agent, key: key.id, hash: yield* sha256(Redacted.value(plaintext)) }
          })
        const [mine, other] = [yield* customer("mine"), yield* customer("other")]
        const reads = (hash: string) =>
          Effect.gen(function* () {
            const before = looks
            const caller = yield* find(hash)
            return [looks - before, caller?.agent?.paused, caller?.suspended] as const
          })
        yield* Effect.sleep(arrived)
        assert.deepStrictEqual(yield* reads(mine.hash), [1, false, undefined])
        assert.deepStrictEqual(yield* reads(other.hash), [1, false, undefined])
        assert.deepStrictEqual(yield* reads(mine.hash), [0, false, undefined])

        yield* agents.pause(mine.agent)
        yield* Effect.sleep(arrived)
        assert.deepStrictEqual(yield* reads(mine.hash), [1, true, undefined])
        assert.deepStrictEqual(yield* reads(other.hash), [1, false, undefined])

        yield* accounts.suspend(mine.account)
        yield* Effect.sleep(arrived)
        assert.deepStrictEqual(yield* reads(mine.hash), [1, true, true])

        yield* accounts.revokeKey(mine.key)
        yield* Effect.sleep(arrived)
        assert.deepStrictEqual(yield* reads(mine.hash), [1, undefined, undefined])
        assert.deepStrictEqual(yield* reads(mine.hash), [1, undefined, undefined])

        // Nobody calls: nothing is asked, and the next call goes by the store.
        yield* Effect.sleep("3 seconds")
        const before = polls
        yield* Effect.sleep("2 seconds")
        assert.strictEqual(polls, before)
        yield* accounts.suspend(other.account)
        assert.deepStrictEqual(yield* reads(other.hash), [1, false, true])
        yield* Effect.sleep(arrived)
        assert.isAbove(polls, before)
        // A key that was read at a newer count is not cached.
        yield* reads(other.hash)
        assert.deepStrictEqual(yield* reads(other.hash), [0, false, true])
      }).pipe(Effect.provide(operator))
    }),
  )
})
