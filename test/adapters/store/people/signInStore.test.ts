import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { signInStore } from "../../../../adapters/store/people/signInStore.ts"
import { mostLogged, mostOpen } from "../../../../core/people/Session.ts"
import { day, hour, minute } from "../../../../core/time.ts"
import { anyStore } from "../../../support/anyStore.ts"

const now = Date.UTC(2026, 6, 8, 12)

const ann = { issuer: "https://id.example", subject: "7", name: "Ann", isOperator: false }

const sessionAt = (id: string, createdAt = now) => ({ id, createdAt })

/** A test over a store with two accounts. */
const over = <A, E>(
  work: (store: ReturnType<typeof signInStore>, sql: SqlClient.SqlClient) => Effect.Effect<A, E, SqlClient.SqlClient>,
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const id of ["acct_1", "acct_2"])
      yield* sql`INSERT INTO accounts ${sql.insert({ id, name: id, created_at: 0 })}`
    return yield* work(signInStore(sql), sql)
  }).pipe(Effect.provide(anyStore))

/** An invitation of Ann by its code's hash. */
const invited = (codeHash: string, more: Readonly<Record<string, string | number | null>> = {}) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`INSERT INTO invitations ${sql.insert({
        code_hash: codeHash,
        issuer: ann.issuer,
        subject: ann.subject,
        name: "Ann",
        is_operator: 0,
        account_id: "acct_1",
        role: "viewer",
        invited_by: "test",
        created_at: now,
        expires_at: now + hour,
        ...more,
      })}`,
  )

const rows = (text: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql.unsafe<Record<string, unknown>>(text), (all) => all.map((row) => Object.values(row))),
  )

const changes = rows("SELECT verb, subject, account_id FROM changes ORDER BY seq")
const memberships = rows("SELECT account_id, person_id, role FROM memberships ORDER BY 1, 2")
const persons = rows("SELECT id, name, is_operator FROM persons ORDER BY id")
const open = rows("SELECT id FROM sessions WHERE ended_at IS NULL ORDER BY id")

describe("a code that is used", () => {
  it.effect("lets its person in once, with lines in the log of changes", () =>
    over(({ accept }) =>
      Effect.gen(function* () {
        yield* invited("code 1")
        assert.isTrue(yield* accept("code 1", "prs_1", { ...sessionAt("ses_1"), address: "192.0.2.1" }, "token 1"))
        assert.isFalse(yield* accept("code 1", "prs_2", sessionAt("ses_2"), "token 2"))
        assert.isFalse(yield* accept("code 9", "prs_2", sessionAt("ses_2"), "token 2"))
        assert.deepStrictEqual(yield* persons, [["prs_1", "Ann", 0]])
        assert.deepStrictEqual(yield* memberships, [["acct_1", "prs_1", "viewer"]])
        assert.deepStrictEqual(yield* changes, [
          ["people_join", "prs_1", "acct_1"],
          ["sign_in", "ses_1", "acct_1"],
        ])
        assert.deepStrictEqual(
          yield* rows("SELECT id, token_hash, person_id, account_id, seen_at, address, browser FROM sessions"),
          [["ses_1", "token 1", "prs_1", "acct_1", now, "192.0.2.1", null]],
        )
      }),
    ),
  )

  it.effect("is over at its end", () =>
    over(({ accept }) =>
      Effect.gen(function* () {
        yield* invited("code 1")
        yield* invited("code 2", { subject: "8" })
        assert.isFalse(yield* accept("code 1", "prs_1", sessionAt("ses_1", now + hour), "token 1"))
        assert.deepStrictEqual(yield* persons, [])
        assert.isTrue(yield* accept("code 2", "prs_1", sessionAt("ses_1", now + hour - 1), "token 1"))
      }),
    ),
  )

  it.effect("raises a role and never lowers it; only a new or higher one has a line", () =>
    over(({ accept }) =>
      Effect.gen(function* () {
        for (const [n, role, now] of [
          [1, "viewer", "viewer"],
          [2, "viewer", "viewer"],
          [3, "owner", "owner"],
          [4, "owner", "owner"],
          [5, "viewer", "owner"],
        ] as const) {
          yield* invited(`code ${n}`, { role })
          assert.isTrue(yield* accept(`code ${n}`, `prs_${n}`, sessionAt(`ses_${n}`), `token ${n}`))
          assert.deepStrictEqual(yield* memberships, [["acct_1", "prs_1", now]])
        }
        const joined = (yield* changes).filter(([verb]) => verb === "people_join")
        assert.strictEqual(joined.length, 2)
      }),
    ),
  )

  it.effect("of an operator makes one, who is no member, and stays one", () =>
    over(({ accept }) =>
      Effect.gen(function* () {
        yield* invited("code 1", { is_operator: 1, account_id: null, role: "owner" })
        yield* invited("code 2", { name: "Anna" })
        assert.isTrue(yield* accept("code 1", "prs_1", sessionAt("ses_1"), "token 1"))
        assert.deepStrictEqual(yield* memberships, [])
        assert.deepStrictEqual(yield* changes, [["sign_in", "ses_1", null]])
        assert.isTrue(yield* accept("code 2", "prs_2", sessionAt("ses_2"), "token 2"))
        assert.deepStrictEqual(yield* persons, [["prs_1", "Anna", 1]])
      }),
    ),
  )
})

describe("a departure to the identity provider", () => {
  it.effect("is used once, before its end, and goes with another's when its time is over", () =>
    over(({ depart, comeBack }) =>
      Effect.gen(function* () {
        const sent = { returnTo: "/dashboard", expiresAt: now + 100 }
        yield* depart({ ...sent, codeHash: "code 1" }, "token 1", now)
        yield* depart(sent, "token 2", now)
        assert.deepStrictEqual(yield* comeBack("token 1", now + 99), { ...sent, codeHash: "code 1" })
        assert.isUndefined(yield* comeBack("token 1", now + 99))
        assert.isUndefined(yield* comeBack("token 2", now + 100))
        const left = rows("SELECT token_hash FROM sign_ins")
        yield* depart({ ...sent, expiresAt: now + 200 }, "token 3", now + 99)
        assert.deepStrictEqual(yield* left, [["token 2"], ["token 3"]])
        yield* depart({ ...sent, expiresAt: now + 200 }, "token 4", now + 100)
        assert.deepStrictEqual(yield* left, [["token 3"], ["token 4"]])
      }),
    ),
  )
})

describe("a sign-in", () => {
  it.effect("of a stranger is refused without a trace, or makes an account named by the end of its id", () =>
    over(({ signIn }) =>
      Effect.gen(function* () {
        const refused = yield* Effect.flip(signIn(ann, undefined, "prs_1", undefined, sessionAt("ses_1"), "token 1"))
        assert.match(String(refused.detail), /^You are not a member of an account here\./)
        assert.deepStrictEqual(yield* persons, [])
        yield* signIn(ann, undefined, "prs_1", "acct_0123456789ABCDEF", sessionAt("ses_1"), "token 1")
        assert.deepStrictEqual(yield* memberships, [["acct_0123456789ABCDEF", "prs_1", "owner"]])
        assert.deepStrictEqual(yield* changes, [
          ["accounts_create", "account-456789abcdef", "acct_0123456789ABCDEF"],
          ["people_join", "prs_1", "acct_0123456789ABCDEF"],
          ["sign_in", "ses_1", "acct_0123456789ABCDEF"],
        ])
        assert.deepStrictEqual(yield* rows("SELECT account_id, balance_micros FROM wallets"), [
          ["acct_0123456789ABCDEF", 0],
        ])
      }),
    ),
  )

  it.effect("with a code joins its account, which it then shows; a code that is of no use is refused", () =>
    over(({ signIn }) =>
      Effect.gen(function* () {
        yield* invited("code 2", { account_id: "acct_2", role: "owner" })
        yield* invited("code 1")
        yield* invited("operators", { is_operator: 1 })
        yield* invited("over", { expires_at: now })
        yield* invited("used", { used_at: now })
        const come = (code: string | undefined, n: number) =>
          signIn(ann, code, `prs_${n}`, "acct_9", sessionAt(`ses_${n}`), `token ${n}`)
        for (const code of ["operators", "over", "used", "unknown"]) {
          const refused = yield* Effect.flip(come(code, 1))
          assert.match(JSON.stringify(refused), /This link has expired or was already used/, code)
        }
        assert.deepStrictEqual(yield* persons, [])
        yield* come("code 2", 2)
        yield* come("code 1", 3)
        yield* come(undefined, 4)
        assert.deepStrictEqual(yield* memberships, [
          ["acct_1", "prs_2", "viewer"],
          ["acct_2", "prs_2", "owner"],
        ])
        assert.deepStrictEqual(yield* rows("SELECT id, account_id FROM sessions ORDER BY id"), [
          ["ses_2", "acct_2"],
          ["ses_3", "acct_1"],
          ["ses_4", "acct_1"],
        ])
      }),
    ),
  )

  it.effect("of an operator needs no account; that one begins or ceases to be one ends the other sessions", () =>
    over(({ signIn }) =>
      Effect.gen(function* () {
        const operator = { ...ann, isOperator: true }
        const come = (identity: typeof ann, n: number) =>
          signIn(identity, undefined, "prs_1", undefined, sessionAt(`ses_${n}`), `token ${n}`)
        yield* come(operator, 1)
        yield* come(operator, 2)
        assert.deepStrictEqual(yield* open, [["ses_1"], ["ses_2"]])
        yield* invited("code 1", { invited_by: "prs_1", subject: "8" })
        // Refused as a member of nothing, and no operator any more.
        yield* Effect.flip(come(ann, 3))
        assert.deepStrictEqual(yield* persons, [["prs_1", "Ann", 0]])
        assert.deepStrictEqual(yield* open, [])
        assert.deepStrictEqual(yield* rows("SELECT used_at FROM invitations"), [[now]])
        yield* invited("code 2", { invited_by: "prs_1", subject: "8" })
        yield* come(operator, 4)
        assert.deepStrictEqual(yield* rows("SELECT used_at FROM invitations WHERE code_hash = 'code 2'"), [[null]])
        assert.deepStrictEqual(
          (yield* changes).map(([verb]) => verb),
          ["sign_in", "sign_in", "operator_end", "operator_begin", "sign_in"],
        )
      }),
    ),
  )
})

describe("the sessions of a person", () => {
  it.effect("are 20 that are open: one more ends the oldest; those that are over by themselves do not count", () =>
    over(({ signIn }) =>
      Effect.gen(function* () {
        yield* invited("code")
        const come = (n: number, at = now + n) =>
          signIn(ann, n === 1 ? "code" : undefined, "prs_1", undefined, sessionAt(`ses_${n}`, at), `token ${n}`)
        for (let n = 1; n <= mostOpen; n++) yield* come(n)
        assert.strictEqual((yield* open).length, mostOpen)
        yield* come(21)
        assert.strictEqual((yield* open).length, mostOpen)
        assert.deepStrictEqual(yield* rows("SELECT id, ended_at FROM sessions WHERE ended_at IS NOT NULL"), [
          ["ses_1", now + 21],
        ])
        yield* come(22, now + mostOpen + 1 + 12 * hour)
        assert.strictEqual((yield* open).length, mostOpen + 1)
      }),
    ),
  )

  it.effect("of an operator are over after half an hour without a request", () =>
    over(({ signIn }) =>
      Effect.gen(function* () {
        const come = (n: number, at = now) =>
          signIn({ ...ann, isOperator: true }, undefined, "prs_1", undefined, sessionAt(`ses_${n}`, at), `token ${n}`)
        for (let n = 1; n <= mostOpen; n++) yield* come(n)
        yield* come(21, now + 30 * minute)
        assert.strictEqual((yield* open).length, mostOpen + 1)
        yield* come(22, now + 30 * minute - 1)
        assert.strictEqual((yield* open).length, mostOpen)
      }),
    ),
  )

  it.effect("have a line each in the log, 50 a day; those that ended are kept, the newest 100", () =>
    over(({ signIn }, sql) =>
      Effect.gen(function* () {
        yield* invited("code")
        const come = (n: number, at = now) =>
          signIn(ann, n === 1 ? "code" : undefined, "prs_1", undefined, sessionAt(`ses_${n}`, at), `token ${n}`)
        const lines = Effect.map(changes, (all) => all.filter(([verb]) => verb === "sign_in").length)
        for (let n = 1; n <= mostLogged + 1; n++) yield* come(n)
        assert.strictEqual(yield* lines, mostLogged)
        yield* come(52, now - (now % day) + day)
        assert.strictEqual(yield* lines, mostLogged + 1)
        const session = { person_id: "prs_1", created_at: 0, seen_at: 0, ended_at: 1 }
        for (let n = 0; n < 100; n++) {
          yield* sql`INSERT INTO sessions ${sql.insert({ ...session, id: `old ${n}`, token_hash: `old ${n}` })}`
        }
        yield* come(53, now + 2 * day)
        assert.deepStrictEqual(yield* rows("SELECT count(*) FROM sessions WHERE id LIKE 'ses_%'"), [[53]])
        assert.deepStrictEqual(yield* rows("SELECT count(*) FROM sessions WHERE ended_at IS NOT NULL"), [
          [2 * mostLogged],
        ])
      }),
    ),
  )
})
