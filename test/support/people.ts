import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as changes from "../../adapters/store/engine/changes.ts"
import * as peopleStore from "../../adapters/store/people/PeopleStore.ts"
import { Accounts } from "../../core/account/Accounts.ts"
import { type InvitationRequest, People, signInLinkLifeMs } from "../../core/people/People.ts"
import { anyAccounts } from "./anyStore.ts"

export const people = People.layer.pipe(
  Layer.provideMerge(Layer.merge(peopleStore.layer, changes.layer)),
  Layer.provideMerge(anyAccounts),
)

export const owner: Omit<InvitationRequest, "account"> = {
  name: "ann",
  role: "owner",
  isOperator: false,
  invitedBy: "test",
  lifeMs: signInLinkLifeMs,
}

/** Runs over a store with two accounts, `one` and `two`. */
export const over = <A, E>(work: Effect.Effect<A, E, Layer.Layer.Success<typeof people>>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(1_800_000_000_000)
    const accounts = yield* Accounts
    yield* accounts.create("one")
    yield* accounts.create("two")
    return yield* work
  }).pipe(Effect.provide(people))

/** The token of a guest who came at once. */
export const entered = (guest: InvitationRequest) =>
  Effect.gen(function* () {
    const { invite, acceptInvitation: enter } = yield* People
    const { code } = yield* invite(guest)
    return Redacted.value(yield* enter(Redacted.value(code), { address: "192.0.2.1", browser: "Browser 1" }))
  })

export const makeSession = (token: string) => Effect.flatMap(People, ({ session }) => session(token))
