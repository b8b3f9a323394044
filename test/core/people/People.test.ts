import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import { Accounts } from "../../../core/account/Accounts.ts"
import { ChangeLog, CurrentChange } from "../../../core/people/Change.ts"
import { People, signInLinkLifeMs } from "../../../core/people/People.ts"
import { PeopleStore } from "../../../core/people/PeopleStore.ts"
import { sessionLimits } from "../../../core/people/Session.ts"
import { day, hour, minute } from "../../../core/time.ts"
import { entered, makeSession, over, owner } from "../../support/people.ts"

describe("a code", () => {
  it.effect("lets one person in once, however it is typed", () =>
    over(
      Effect.gen(function* () {
        const { invite, acceptInvitation: enter } = yield* People
        const { code, expiresAt } = yield* invite({ account: "one", ...owner })
        const text = Redacted.value(code)
        assert.match(text, /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
        assert.strictEqual(expiresAt, 1_800_000_000_000 + signInLinkLifeMs)
        const typed = ` ${text.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")}`
        const all = yield* Effect.all(
          [typed, text, text].map((each) => Effect.either(enter(each, {}))),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(all.map(({ _tag }) => _tag).toSorted(), ["Left", "Left", "Right"])
      }),
    ),
  )

  it.effect.each([
    ["that was never made", 0, "AAAA-AAAA-AAAA-AAAA"],
    ["that is nothing like one", 0, "'; DROP TABLE persons; --"],
    ["that is empty", 0, ""],
    ["after its ten minutes", signInLinkLifeMs, undefined],
  ] as const)("%s lets nobody in", ([_, after, given]) =>
    over(
      Effect.gen(function* () {
        const { invite, acceptInvitation: enter } = yield* People
        const { code } = yield* invite({ account: "one", ...owner })
        yield* TestClock.adjust(after)
        const failure = yield* Effect.flip(enter(given ?? Redacted.value(code), {}))
        assert.deepStrictEqual([failure.code, failure.hints?.[0]?.field], ["invalid_parameter", "code"])
      }),
    ),
  )

  it.effect("of the same name in the same account is for the same person, who keeps the higher role", () =>
    over(
      Effect.gen(function* () {
        const first = yield* makeSession(yield* entered({ account: "one", ...owner }))
        const again = yield* makeSession(yield* entered({ account: "one", ...owner, role: "viewer" }))
        const other = yield* makeSession(yield* entered({ account: "two", ...owner }))
        assert.strictEqual(again!.person.id, first!.person.id)
        assert.notStrictEqual(other!.person.id, first!.person.id)
        assert.deepStrictEqual([again!.role, other!.role], ["owner", "owner"])
      }),
    ),
  )

  it.effect.each([
    ["a name with a tag", { account: "one", ...owner, name: "<b>x</b>" }, "name"],
    ["an empty name", { account: "one", ...owner, name: "" }, "name"],
    ["no account and no operator", owner, "account"],
    ["an unknown account", { account: "three", ...owner }, "account"],
  ] as const)("is not made for %s", ([_, guest, field]) =>
    over(
      Effect.gen(function* () {
        const { invite } = yield* People
        assert.strictEqual((yield* Effect.flip(invite(guest))).hints?.[0]?.field, field)
      }),
    ),
  )
})

describe("a session", () => {
  it.effect.each([
    ["a member", false],
    ["an operator", true],
  ] as const)("of %s ends when it is idle for too long, and after its total time", ([_, isOperator]) =>
    over(
      Effect.gen(function* () {
        const { idle, total } = sessionLimits[isOperator ? "operator" : "member"]
        const [used, idling] = yield* Effect.replicateEffect(entered({ account: "one", ...owner, isOperator }), 2)
        const step = idle - minute
        for (let passed = step; passed < total; passed += step) {
          yield* TestClock.adjust(step)
          assert.isDefined(yield* makeSession(used!))
          if (passed === step) {
            yield* TestClock.adjust(minute)
            passed += minute
            assert.isDefined(yield* makeSession(used!))
          }
          assert.isUndefined(yield* makeSession(idling!))
        }
        yield* TestClock.adjust(step)
        assert.isUndefined(yield* makeSession(used!))
      }),
    ),
  )

  it.effect("is not kept by a peekSession, and a peekSession sees its end", () =>
    over(
      Effect.gen(function* () {
        const { endSession: end, peekSession } = yield* People
        const token = yield* entered({ account: "one", ...owner })
        const begun = (yield* peekSession(token))!
        for (let passed = hour; passed < sessionLimits.member.idle; passed += hour) {
          yield* TestClock.adjust(hour)
          assert.deepStrictEqual(yield* peekSession(token), begun)
        }
        yield* TestClock.adjust(hour)
        assert.isUndefined(yield* peekSession(token))
        const other = yield* entered({ account: "one", ...owner })
        const { id, person } = (yield* peekSession(other))!
        yield* end(person.id, id)
        assert.isUndefined(yield* peekSession(other))
        assert.isUndefined(yield* peekSession("unknown"))
      }),
    ),
  )

  it.effect("ends by sign-out, with the others, and with the last role", () =>
    over(
      Effect.gen(function* () {
        const { endSession: end, endOthers, sessions, setRole } = yield* People
        const tokens = yield* Effect.replicateEffect(entered({ account: "one", ...owner }), 3)
        const [one] = yield* Effect.forEach(tokens, makeSession)
        const { person } = one!
        assert.lengthOf(yield* sessions(person.id), 3)
        yield* end(person.id, one!.id)
        assert.isUndefined(yield* makeSession(tokens[0]!))
        assert.strictEqual((yield* Effect.flip(end(person.id, one!.id))).code, "not_found")
        assert.strictEqual((yield* Effect.flip(end("psn_other", one!.id))).code, "not_found")
        const kept = yield* makeSession(tokens[1]!)
        yield* endOthers(person.id, kept!.id)
        assert.deepStrictEqual(
          (yield* sessions(person.id)).map(({ id }) => id),
          [kept!.id],
        )
        yield* entered({ account: "one", ...owner, name: "bob" })
        yield* setRole("one", person.id, undefined)
        assert.isUndefined(yield* makeSession(tokens[1]!))
      }),
    ),
  )

  it.effect("ends with the webhooks of that account to the person's address", () =>
    over(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { setRole } = yield* People
        const { person } = (yield* makeSession(yield* entered({ account: "one", ...owner })))!
        yield* entered({ account: "one", ...owner, name: "bob" })
        yield* sql`UPDATE persons SET email = 'ann@example.com' WHERE id = ${person.id}`
        const accounts = yield* Accounts
        for (const [id, account, url] of [
          ["whk_1", "one", "mailto:ann@example.com"],
          ["whk_2", "one", "mailto:bob@example.com"],
          ["whk_3", "two", "mailto:ann@example.com"],
        ] as const) {
          const row = {
            id,
            account_id: (yield* accounts.get(account)).id,
            url,
            status: "active",
            secret: "s",
            created_at: 1,
          }
          yield* sql`INSERT INTO webhooks ${sql.insert(row)}`
        }
        const states = sql<{ status: string }>`SELECT status FROM webhooks ORDER BY id`
        yield* setRole("one", person.id, "viewer")
        assert.deepStrictEqual(
          (yield* states).map(({ status }) => status),
          ["active", "active", "active"],
        )
        yield* setRole("one", person.id, undefined)
        assert.deepStrictEqual(
          (yield* states).map(({ status }) => status),
          ["deleted", "active", "active"],
        )
      }),
    ),
  )

  it.effect("shows another account to its members and to operators alone", () =>
    over(
      Effect.gen(function* () {
        const { showAccount: show } = yield* People
        const { id: two } = yield* (yield* Accounts).get("two")
        const token = yield* entered({ account: "one", ...owner })
        const member = (yield* makeSession(token))!
        assert.strictEqual((yield* Effect.flip(show(member, two))).code, "not_found")
        const operating = yield* entered({
          name: "op",
          role: "owner",
          isOperator: true,
          invitedBy: "test",
          lifeMs: signInLinkLifeMs,
        })
        yield* show((yield* makeSession(operating))!, "two")
        assert.strictEqual((yield* makeSession(operating))!.accountId, two)
        assert.notStrictEqual((yield* makeSession(token))!.accountId, two)
      }),
    ),
  )
})

describe("an account's people", () => {
  it.effect("always have an owner", () =>
    over(
      Effect.gen(function* () {
        const { members, setRole } = yield* People
        const { person } = (yield* makeSession(yield* entered({ account: "one", ...owner })))!
        yield* entered({ account: "one", ...owner, name: "bob", role: "viewer" })
        for (const role of ["viewer", undefined] as const) {
          assert.strictEqual((yield* Effect.flip(setRole("one", person.id, role))).code, "invalid_parameter")
        }
        assert.strictEqual((yield* Effect.flip(setRole("two", person.id, "viewer"))).code, "not_found")
        const bob = (yield* members("one", { limit: 10 })).find(({ person: { name } }) => name === "bob")!
        yield* setRole("one", bob.person.id, "owner")
        yield* setRole("one", person.id, "viewer")
        assert.sameDeepMembers(
          (yield* members("one", { limit: 10 })).map(({ person: { name }, role }) => [name, role]),
          [
            ["ann", "viewer"],
            ["bob", "owner"],
          ],
        )
      }),
    ),
  )

  it.effect("do not come back by an invitation of their own, nor by one that they made", () =>
    over(
      Effect.gen(function* () {
        const { acceptInvitation: enter, invite, setRole } = yield* People
        yield* entered({ account: "one", ...owner, name: "bob" })
        const token = yield* entered({ account: "one", ...owner })
        const { person } = (yield* makeSession(token))!
        const codes = yield* Effect.all([
          invite({ account: "one", ...owner }),
          invite({ account: "one", ...owner, name: "friend", invitedBy: person.id }),
        ])
        yield* setRole("one", person.id, "viewer")
        assert.isUndefined(yield* makeSession(token))
        for (const { code } of codes) {
          assert.strictEqual((yield* Effect.flip(enter(Redacted.value(code), {}))).code, "invalid_parameter")
        }
      }),
    ),
  )

  it.effect("keep an owner when two owners leave at once", () =>
    over(
      Effect.gen(function* () {
        const { members, setRole } = yield* People
        for (const name of ["ann", "bob", "cid"]) yield* entered({ account: "one", ...owner, name })
        const ids = (yield* members("one", { limit: 10 })).map(({ person: { id } }) => id)
        yield* Effect.all(
          ids.map((id) => Effect.either(setRole("one", id, undefined))),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(
          (yield* members("one", { limit: 10 })).map(({ role }) => role),
          ["owner"],
        )
      }),
    ),
  )
})

describe("the log of changes", () => {
  it.effect("has a line in the transaction of a change, and none of what changed nothing", () =>
    over(
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const log = yield* ChangeLog
        const change = (formId: string) => ({ at: 1, who: "psn_1", verb: "v", subject: "s", formId })
        const as = (formId: string) => Effect.provideService(CurrentChange, change(formId))
        yield* accounts.create("three").pipe(as("A"))
        yield* Effect.flip(accounts.create("three").pipe(as("B")))
        const again = yield* Effect.flip(accounts.create("four").pipe(as("A")))
        assert.strictEqual(again.code, "invalid_request_body")
        assert.strictEqual((yield* Effect.flip(accounts.get("four"))).code, "not_found")
        assert.deepStrictEqual(
          (yield* log.page({ limit: 10 })).map(({ formId }) => formId),
          ["A"],
        )
        assert.strictEqual((yield* log.findByForm("A"))?.who, "psn_1")
        assert.isUndefined(yield* log.findByForm("B"))
      }),
    ),
  )
})

describe("old sessions and invitations", () => {
  it.effect("go with their time", () =>
    over(
      Effect.gen(function* () {
        const store = yield* PeopleStore
        yield* entered({ account: "one", ...owner })
        yield* TestClock.adjust(sessionLimits.member.total + day)
        assert.strictEqual(yield* store.sweep(1_800_000_000_000 + sessionLimits.member.total), 2)
        assert.strictEqual(yield* store.sweep(1_800_000_000_000 + sessionLimits.member.total), 0)
      }),
    ),
  )
})
