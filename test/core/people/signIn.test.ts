import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { Accounts } from "../../../core/account/Accounts.ts"
import { ChangeLog } from "../../../core/people/Change.ts"
import { People, pendingSignInMs, signInLinkLifeMs } from "../../../core/people/People.ts"
import { entered, makeSession, over, owner } from "../../support/people.ts"

/** What a sign-in keeps of an invitation's code. */
const hashOf = (code: Redacted.Redacted) =>
  Effect.gen(function* () {
    const { takeSignIn, startSignIn } = yield* People
    const token = yield* startSignIn("/dashboard", Redacted.value(code))
    return (yield* takeSignIn(Redacted.value(token))).codeHash
  })

const identity = { issuer: "https://id.example", subject: "7", name: "Ann", isOperator: false }

describe("a sign-in at the identity provider", () => {
  it.effect("comes back once, within ten minutes", () =>
    over(
      Effect.gen(function* () {
        const { startSignIn, takeSignIn } = yield* People
        const [first, second] = [yield* startSignIn("/dashboard/keys", "ABCD"), yield* startSignIn("/dashboard")]
        const all = yield* Effect.all(
          [first, first, first].map((token) => Effect.either(takeSignIn(Redacted.value(token)))),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(all.map(({ _tag }) => _tag).toSorted(), ["Left", "Left", "Right"])
        const found = all.flatMap((each) => (each._tag === "Right" ? [each.right] : []))
        assert.strictEqual(found[0]!.returnTo, "/dashboard/keys")
        assert.match(found[0]!.codeHash!, /^[0-9a-f]{64}$/)
        yield* TestClock.adjust(pendingSignInMs)
        assert.strictEqual((yield* Effect.either(takeSignIn(Redacted.value(second))))._tag, "Left")
        assert.strictEqual((yield* Effect.either(takeSignIn("guessed")))._tag, "Left")
      }),
    ),
  )

  it.effect("of a stranger leaves no trace, of a guest joins once, of a member enters", () =>
    over(
      Effect.gen(function* () {
        const { accountsOf, takeSignIn, startSignIn, invite, members, signIn } = yield* People
        const sql = yield* SqlClient.SqlClient
        const { code } = yield* invite({ account: "one", ...owner })
        const { codeHash } = yield* Effect.flatMap(startSignIn("/dashboard", Redacted.value(code)), (token) =>
          takeSignIn(Redacted.value(token)),
        )
        for (const hash of [undefined, "0".repeat(64)]) {
          assert.strictEqual((yield* Effect.either(signIn(identity, hash, false, {})))._tag, "Left")
        }
        assert.deepStrictEqual(yield* sql`SELECT id FROM persons`, [])
        assert.deepStrictEqual(yield* sql`SELECT id FROM sessions`, [])
        const joined = yield* makeSession(Redacted.value(yield* signIn(identity, codeHash, false, {})))
        assert.deepInclude(joined, { role: "owner" })
        // The same name and subject at another provider is somebody else.
        const other = { ...identity, issuer: "https://other.example" }
        assert.strictEqual((yield* Effect.either(signIn(other, codeHash, false, {})))._tag, "Left")
        const again = yield* makeSession(
          Redacted.value(yield* signIn({ ...identity, name: "Anna" }, undefined, false, {})),
        )
        assert.strictEqual(again?.person.id, joined?.person.id)
        assert.strictEqual(again?.person.name, "Anna")
        assert.strictEqual((yield* members("one", { limit: 10 })).length, 1)
        const own = yield* makeSession(Redacted.value(yield* signIn(other, undefined, true, {})))
        assert.strictEqual(own?.role, "owner")
        assert.notStrictEqual(own?.accountId, joined?.accountId)
        assert.strictEqual((yield* (yield* Accounts).balance(own!.accountId!)).balance, 0)
        assert.strictEqual((yield* accountsOf(own!.person.id)).length, 1)
      }),
    ),
  )

  it.effect("makes an operator of whom the provider calls one, as long as it does, and no link does", () =>
    over(
      Effect.gen(function* () {
        const { takeSignIn, startSignIn, invite, signIn } = yield* People
        const { code } = yield* invite({
          name: "op",
          role: "owner",
          isOperator: true,
          invitedBy: "test",
          lifeMs: signInLinkLifeMs,
        })
        const { codeHash } = yield* Effect.flatMap(startSignIn("/dashboard", Redacted.value(code)), (token) =>
          takeSignIn(Redacted.value(token)),
        )
        assert.strictEqual((yield* Effect.either(signIn(identity, codeHash, false, {})))._tag, "Left")
        const token = Redacted.value(yield* signIn({ ...identity, isOperator: true }, undefined, false, {}))
        assert.isTrue((yield* makeSession(token))?.person.isOperator)
        yield* signIn(identity, undefined, true, {})
        assert.isUndefined(yield* makeSession(token))
      }),
    ),
  )

  it.effect("of an operator who is none any more ends the other sessions and invitations, although it is refused", () =>
    over(
      Effect.gen(function* () {
        const { acceptInvitation: enter, invite, signIn } = yield* People
        const sql = yield* SqlClient.SqlClient
        const tokens: Array<string> = []
        for (let n = 0; n < 2; n++) {
          tokens.push(Redacted.value(yield* signIn({ ...identity, isOperator: true }, undefined, false, {})))
        }
        const before = yield* makeSession(tokens[0]!)
        assert.isTrue(before?.person.isOperator)
        const { code } = yield* invite({ account: "one", ...owner, name: "bob", invitedBy: before!.person.id })
        const refused = yield* Effect.flip(signIn({ ...identity, name: "Renamed" }, undefined, false, {}))
        assert.include(refused.detail, "not a member")
        for (const token of tokens) assert.isUndefined(yield* makeSession(token))
        assert.strictEqual((yield* Effect.either(enter(Redacted.value(code), {})))._tag, "Left")
        assert.deepStrictEqual(yield* sql`SELECT is_operator, name FROM persons`, [
          { is_operator: 0, name: identity.name },
        ])
        const open = yield* sql`SELECT id FROM sessions WHERE ended_at IS NULL`
        assert.deepStrictEqual(open, [])
        // Once more an operator: a session that was open before does not become one.
        const { code: guest } = yield* invite({ account: "one", ...owner, name: "x" })
        const member = Redacted.value(yield* signIn(identity, yield* hashOf(guest), false, {}))
        assert.isFalse((yield* makeSession(member))?.person.isOperator)
        const again = Redacted.value(yield* signIn({ ...identity, isOperator: true }, undefined, false, {}))
        assert.isUndefined(yield* makeSession(member))
        assert.isTrue((yield* makeSession(again))?.person.isOperator)
      }),
    ),
  )
})

describe("the log of changes of those who come", () => {
  const lines = Effect.flatMap(ChangeLog, ({ page }) =>
    Effect.map(page({ limit: 50 }), (all) => all.map(({ verb, name }) => `${verb} ${name}`).toReversed()),
  )

  it.effect(
    "names who joined by an invitation and who signed in, in the account's log, and nobody who was refused",
    () =>
      over(
        Effect.gen(function* () {
          const { acceptInvitation: enter } = yield* People
          const token = yield* entered({ account: "one", ...owner })
          yield* entered({ account: "one", ...owner })
          yield* Effect.flip(enter("AAAA-AAAA-AAAA-AAAA", {}))
          assert.deepStrictEqual(yield* lines, ["people_join ann", "sign_in ann", "sign_in ann"])
          const session = yield* makeSession(token)
          const { page } = yield* ChangeLog
          const [second, first, joined] = yield* page({ accountId: session!.accountId!, limit: 10 })
          assert.deepInclude(first, {
            subject: session!.id,
            sessionId: session!.id,
            who: session!.person.id,
            address: "192.0.2.1",
          })
          assert.deepInclude(joined, { subject: session!.person.id })
          assert.notStrictEqual(second!.subject, session!.id)
        }),
      ),
  )

  it.effect("names who came from the provider, and who became an operator or ceased to be one", () =>
    over(
      Effect.gen(function* () {
        const { invite, signIn } = yield* People
        const { code } = yield* invite({ account: "one", ...owner })
        const hash = yield* hashOf(code)
        yield* Effect.flip(signIn(identity, undefined, false, {}))
        yield* signIn(identity, hash, false, {})
        yield* signIn({ ...identity, isOperator: true }, undefined, false, {})
        yield* signIn(identity, undefined, false, {})
        const { name } = identity
        const expected = ["people_join", "sign_in", "operator_begin", "sign_in", "operator_end", "sign_in"]
        assert.deepStrictEqual(
          yield* lines,
          expected.map((verb) => `${verb} ${name}`),
        )
      }),
    ),
  )

  it.effect("leaves twenty sessions open, the newest, a bounded number of rows, and fifty lines of a day", () =>
    over(
      Effect.gen(function* () {
        const { invite, sessions, signIn } = yield* People
        const sql = yield* SqlClient.SqlClient
        const { code } = yield* invite({ account: "one", ...owner })
        let codeHash: string | undefined = yield* hashOf(code)
        const tokens: Array<string> = []
        for (let times = 0; times < 130; times++) {
          tokens.push(Redacted.value(yield* signIn(identity, codeHash, false, {})))
          codeHash = undefined
          yield* TestClock.adjust("1 second")
        }
        const open = yield* Effect.forEach(tokens, makeSession)
        assert.deepStrictEqual(
          open.map((session) => session !== undefined),
          tokens.map((_, at) => at >= 110),
        )
        const person = open.at(-1)!.person.id
        assert.lengthOf(yield* sessions(person), 20)
        const [rows] = yield* sql<{ n: number }>`SELECT count(*) AS n FROM sessions`
        assert.isAtMost(Number(rows!.n), 120)
        const lines = Effect.map(
          sql<{ n: number }>`SELECT count(*) AS n FROM changes WHERE verb = 'sign_in'`,
          ([row]) => Number(row!.n),
        )
        assert.strictEqual(yield* lines, 50)
        // The next day has its own, and an idle session is no open one that would be ended in place of another.
        yield* TestClock.adjust("1 day")
        yield* signIn(identity, undefined, false, {})
        assert.strictEqual(yield* lines, 51)
        assert.lengthOf(yield* sessions(person), 1)
      }),
    ),
  )
})
