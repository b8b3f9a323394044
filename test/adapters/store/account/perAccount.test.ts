import { assert, describe, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as peopleStore from "../../../../adapters/store/people/PeopleStore.ts"
import { PerAccount } from "../../../../core/account/AccountStore.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import { Agents } from "../../../../core/account/Agents.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { People, signInLinkLifeMs } from "../../../../core/people/People.ts"
import { callerOf } from "../../../support/accounts.ts"
import { anyAccounts } from "../../../support/anyStore.ts"

const most = 3

const store = People.layer.pipe(
  Layer.provideMerge(peopleStore.layer),
  Layer.provideMerge(anyAccounts),
  Layer.provide(Layer.succeed(PerAccount, most)),
)

/** What a refusal says. */
const refused = <A, R>(effect: Effect.Effect<A, Failure, R>) =>
  Effect.map(Effect.flip(effect), ({ code, hints = [] }) => [code, ...hints.map(({ suggestion }) => suggestion)])

const begun = Effect.gen(function* () {
  yield* TestClock.setTime(1_783_000_000_000)
  const accounts = yield* Accounts
  for (const name of ["one", "two"]) yield* accounts.create(name)
  return { accounts, agents: yield* Agents, people: yield* People }
})

/** Those that were made of several that were asked for at once, and what one more is told. */
const filled = <A, R>(make: (n: number) => Effect.Effect<A, Failure, R>, what: string) =>
  Effect.gen(function* () {
    const all = yield* Effect.all(
      Arr.makeBy(4 * most, (n) => Effect.either(make(n))),
      { concurrency: "unbounded" },
    )
    const made = all.flatMap((each) => (each._tag === "Right" ? [each.right] : []))
    assert.lengthOf(made, most)
    const full = ["invalid_parameter", `An account can have at most 3 ${what}, or ask the operator for more.`]
    assert.deepStrictEqual(yield* refused(make(99)), full)
    return { made, full }
  })

describe("an account", () => {
  it.effect("has at most so many usable keys: of several at once those that fit are made", () =>
    Effect.gen(function* () {
      const { accounts } = yield* begun
      const issue = (account = "one", more: object = {}) => accounts.issueKey({ account, environment: "test", ...more })
      const { made, full } = yield* filled(() => issue(), "usable keys: revoke one, rotate without overlap")
      yield* issue("two")
      // A rotation keeps the old key for a while, unless nobody wants that.
      const [first, second, third] = made.map(({ key }) => key.id)
      assert.deepStrictEqual(yield* refused(accounts.rotateKey(first!)), full)
      assert.isUndefined((yield* accounts.key(first!)).overlapEndsAt)
      assert.isDefined(yield* callerOf(made[0]!))
      const rotated = yield* accounts.rotateKey(first!, 0)
      assert.deepStrictEqual(yield* refused(issue()), full)
      // Room comes back with a key that is revoked, or has ended.
      yield* accounts.revokeKey(second!)
      const short = yield* issue("one", { expiresAt: 1_783_000_000_000 + 60_000 })
      assert.deepStrictEqual(yield* refused(issue()), full)
      yield* TestClock.adjust("1 minute")
      yield* issue()
      assert.deepStrictEqual(yield* refused(issue()), full)
      assert.strictEqual((yield* accounts.keySummary((yield* accounts.get("one")).id)).open.count, most)
      assert.notInclude([rotated.key.id, third], short.key.id)
    }).pipe(Effect.provide(store)),
  )

  it.effect("has at most so many agents that are not revoked", () =>
    Effect.gen(function* () {
      const { agents } = yield* begun
      const create = (n: number, account = "one") => agents.create(account, `bot ${n}`, {})
      const { made, full } = yield* filled(create, "agents: revoke one")
      yield* agents.pause(made[0]!.id)
      assert.deepStrictEqual(yield* refused(create(98)), full)
      yield* create(98, "two")
      yield* agents.revoke(made[0]!.id)
      yield* create(98)
      assert.deepStrictEqual(yield* refused(create(99)), full)
    }).pipe(Effect.provide(store)),
  )

  it.effect("has at most so many open invitations; those of operators without an account are not counted", () =>
    Effect.gen(function* () {
      const { people } = yield* begun
      const guest = { role: "viewer", isOperator: false, invitedBy: "test", lifeMs: signInLinkLifeMs } as const
      const invite = (n: number, account = "one") => people.invite({ ...guest, account, name: `guest ${n}` })
      const { made, full } = yield* filled(invite, "open invitations: wait until one is used or expires")
      yield* invite(99, "two")
      for (let n = 0; n <= most; n++) yield* people.invite({ ...guest, isOperator: true, name: "operator" })
      yield* people.acceptInvitation(Redacted.value(made[0]!.code), {})
      yield* invite(100)
      assert.deepStrictEqual(yield* refused(invite(101)), full)
      yield* TestClock.adjust(signInLinkLifeMs)
      yield* invite(101)
    }).pipe(Effect.provide(store)),
  )
})

describe("the callers of an account", () => {
  it.effect("have the limit of its largest key, as soon as there is one, until it is revoked", () =>
    Effect.gen(function* () {
      const { accounts } = yield* begun
      const small = yield* accounts.issueKey({ account: "one", environment: "test" })
      const seen = Effect.flatMap(TestClock.adjust("1 second"), () =>
        Effect.map(callerOf(small), (caller) => [caller?.perMinute, caller?.accountPerMinute]),
      )
      assert.deepStrictEqual(yield* seen, [60, undefined])
      yield* accounts.issueKey({ account: "two", environment: "test", tier: "pro" })
      const large = yield* accounts.issueKey({ account: "one", environment: "live", tier: "studio" })
      assert.deepStrictEqual(yield* seen, [60, 600])
      assert.strictEqual((yield* callerOf(large))?.perMinute, 600)
      yield* accounts.revokeKey(large.key.id)
      assert.deepStrictEqual(yield* seen, [60, undefined])
    }).pipe(Effect.provide(store)),
  )
})
