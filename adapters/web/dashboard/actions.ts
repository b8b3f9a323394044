import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { type AnyStruct, pathParamNames } from "../../../core/endpoint/Endpoint.ts"
import { type Failure, fail } from "../../../core/Failure.ts"
import { type Change, CurrentChange } from "../../../core/people/Change.ts"
import * as AdminOperation from "../../admin/AdminOperation.ts"
import { fieldsOf, read } from "../../admin/fields.ts"
import type { Action, Done, Services, Visit } from "./Page.ts"

/** Adds the account that the pages show, for an operator; for a member `AdminOperation.compile` adds it. */
const withShownAccount = (
  verb: AdminOperation.Any,
  visit: Visit,
  params: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> =>
  visit.actor.member === undefined && pathParamNames(verb).has("account") && visit.account !== undefined
    ? { account: visit.account.id, ...params }
    : params

/** Runs a verb as the person of a visit; the account need not be named. */
export const performAs = <Params extends AnyStruct, Results extends Schema.Schema.AnyNoContext>(
  visit: Visit,
  verb: AdminOperation.AdminOperation<Params, Results>,
  params: Omit<Schema.Schema.Encoded<Params>, "account">,
) =>
  AdminOperation.compile(verb)(
    { _tag: "Json", value: withShownAccount(verb, visit, params as Readonly<Record<string, unknown>>) },
    visit.actor,
  )

/** Values of a verb's path parameters: from the page's path, else from the form, but never the account from a form. */
const readPathValues = (names: ReadonlyArray<string>, { params }: Visit, values: URLSearchParams) =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = params[name] ?? (name === "account" ? null : values.get(name))
      return value === null ? [] : [[name, value] as const]
    }),
  )

/**
 * A form's action that runs a verb with the form's values.
 *
 * @param done the redirect, or a page that is shown once
 * @param given parameters that the page gives; one that is undefined is left out, whatever the form has. Path
 *   parameters need not be given
 */
export const toAction = <Params extends AnyStruct, Results extends Schema.Schema.AnyNoContext>(
  verb: AdminOperation.AdminOperation<Params, Results>,
  done: (result: Schema.Schema.Encoded<Results>, visit: Visit) => Done,
  given: (visit: Visit, values: URLSearchParams) => Readonly<Record<string, unknown>> = () => ({}),
): Action => {
  const fields = fieldsOf(verb)
  const named = [...pathParamNames(verb)]
  const run = AdminOperation.compile(verb)
  return {
    verb,
    run: (visit, values) => {
      const params = Object.entries({
        ...read(fields, values),
        ...readPathValues(named, visit, values),
        ...given(visit, values),
      })
      return Effect.map(
        run(
          {
            _tag: "Json",
            value: withShownAccount(verb, visit, Object.fromEntries(params.filter(([, value]) => value !== undefined))),
          },
          visit.actor,
        ),
        (result) => done(result, visit),
      )
    },
  }
}

/** An action that destroys something: the expected text has to be typed into the field `confirm`. */
export const requireConfirmation = (
  expected: (visit: Visit) => Effect.Effect<string, Failure, Services>,
  { run, ...action }: Action,
): Action => ({
  ...action,
  run: (visit, values) =>
    Effect.flatMap(expected(visit), (text) =>
      (values.get("confirm") ?? "").trim() === text
        ? run(visit, values)
        : fail("invalid_parameter", { detail: "The confirmation text does not match. Nothing was changed." }),
    ),
})

/** Runs work that has no verb as the person of a visit, with `CurrentChange` set, so that the store logs it. */
export const runLogged = <A, E, R>(
  { actor, now }: Visit,
  change: Pick<Change, "verb" | "subject" | "accountId">,
  work: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => {
  const { member: _, ...who } = actor
  return Effect.provideService(work, CurrentChange, { ...who, at: now, ...change })
}
