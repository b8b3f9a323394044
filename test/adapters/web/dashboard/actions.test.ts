import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AdminOperation from "../../../../adapters/admin/AdminOperation.ts"
import { accountParam } from "../../../../adapters/admin/inputs.ts"
import { performAs, requireConfirmation, runLogged, toAction } from "../../../../adapters/web/dashboard/actions.ts"
import type { Action, Visit } from "../../../../adapters/web/dashboard/Page.ts"
import { Accounts } from "../../../../core/account/Accounts.ts"
import * as Field from "../../../../core/endpoint/Field.ts"
import * as Param from "../../../../core/endpoint/Param.ts"
import { CurrentChange } from "../../../../core/people/Change.ts"
import { visit } from "./visit.ts"

/** A verb of owners that gives back with what it was run. */
const verb = AdminOperation.make("test_note", "POST accounts/:account/notes", {
  summary: "Notes a sum",
  leastRole: "owner",
  params: Schema.Struct({
    ...accountParam,
    micros: Param.integer(1, 9_000_000, "A sum."),
    text: Param.text(9, "A text."),
  }),
  results: Schema.Struct({ said: Field.text() }),
  run: ({ account: of, micros, text }) => Effect.succeed({ said: `${of} ${micros} ${text}` }),
})

const accounts = { get: (id: string) => Effect.succeed({ id }) } as unknown as Accounts["Type"]
const given = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.provideService(work, Accounts, accounts) as Effect.Effect<A, E>

const member = (role: "owner" | "viewer"): Visit =>
  visit({ actor: { who: "per_1", member: { accountId: "acc_1", role } } })

describe("a verb that a page runs", () => {
  it.effect("is of the account that is shown, for operators and members", () =>
    Effect.gen(function* () {
      for (const who of [visit(), member("owner")]) {
        const { said } = yield* given(performAs(who, verb, { micros: 5, text: "a" }))
        assert.strictEqual(said, "acc_1 5 a")
      }
      const refused = yield* Effect.flip(given(performAs(member("viewer"), verb, { micros: 5, text: "a" })))
      assert.strictEqual(refused.code, "not_found")
    }),
  )

  it.effect("has the values of its form, amounts in dollars, and what the page gives in place of them", () =>
    Effect.gen(function* () {
      const action = toAction(
        verb,
        ({ said }, { now }) => ({ said, now }) as never,
        ({ query }) => ({ text: query.get("text") }),
      )
      const sent = new URLSearchParams({ micros: "1.5", text: "forged" })
      const who = visit({ query: new URLSearchParams("text=page") })
      assert.deepStrictEqual(yield* given(action.run(who, sent)), { said: "acc_1 1500000 page", now: who.now } as never)
    }),
  )
})

/** A verb whose path names a thing of an account. */
const moved = AdminOperation.make("test_move", "POST accounts/:account/things/:thing/move", {
  summary: "Moves a thing",
  params: Schema.Struct({ ...accountParam, thing: Param.text(9, "A thing.") }),
  results: Schema.Struct({ said: Field.text() }),
  run: ({ account: of, thing }) => Effect.succeed({ said: `${of} ${thing}` }),
})

describe("what the path of a verb names", () => {
  it.effect("is what the page's path names, or else a value of the form; an account is never the form's", () =>
    Effect.gen(function* () {
      const { run } = toAction(moved, (result) => result as never)
      const sent = new URLSearchParams({ thing: "form", account: "acc_2" })
      const said = (params: Visit["params"]) => given(run(visit({ params }), sent)) as Effect.Effect<unknown>
      assert.deepStrictEqual(yield* said({}), { said: "acc_1 form" })
      assert.deepStrictEqual(yield* said({ thing: "page" }), { said: "acc_1 page" })
      assert.deepStrictEqual(yield* said({ account: "acc_3" }), { said: "acc_3 form" })
    }),
  )
})

describe("an action that destroys something", () => {
  it.effect("runs only with the text that it is about", () =>
    Effect.gen(function* () {
      const ran: Array<string> = []
      const action = { run: () => Effect.sync(() => ran.push("ran")) } as unknown as Action
      const { run } = requireConfirmation(() => Effect.succeed("api.test"), action)
      const send = (confirm?: string) =>
        given(run(visit(), new URLSearchParams(confirm === undefined ? {} : { confirm })))
      for (const wrong of [undefined, "", "api.tes", "API.TEST"]) {
        assert.strictEqual((yield* Effect.flip(send(wrong))).code, "invalid_parameter")
      }
      assert.deepStrictEqual(ran, [])
      yield* send(" api.test ")
      assert.deepStrictEqual(ran, ["ran"])
    }),
  )
})

describe("a change that is no verb's", () => {
  it.effect("is the person's, at the time of the visit, without a membership", () =>
    Effect.gen(function* () {
      const who = member("owner")
      const line = { verb: "sessions_end", subject: "ses_1", accountId: "acc_1" }
      assert.deepStrictEqual(yield* runLogged(who, line, CurrentChange), { who: "per_1", at: who.now, ...line })
    }),
  )
})
