import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Accounts } from "../../core/account/Accounts.ts"
import type { Agents } from "../../core/account/Agents.ts"
import type { AuditTrail } from "../../core/account/AuditTrail.ts"
import type { Alerts } from "../../core/alerts/Alerts.ts"
import * as decode from "../../core/endpoint/decode.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { Webhooks } from "../../core/events/Webhooks.ts"
import { type Failure, fail } from "../../core/Failure.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import type { Voids } from "../../core/lanes/weather/ports.ts"
import type { Payments } from "../../core/payment/Payments.ts"
import { type Change, type ChangeLog, CurrentChange } from "../../core/people/Change.ts"
import type { People } from "../../core/people/People.ts"
import type { Role } from "../../core/people/Person.ts"
import * as Rights from "../../core/rights/Rights.ts"
import { findAccountBy } from "./inputs.ts"

export type Services = Accounts | Agents | Alerts | AuditTrail | ChangeLog | Payments | People | Voids | Webhooks

/** Who runs a verb. */
export interface Actor extends Pick<Change, "who" | "sessionId" | "address" | "formId"> {
  /** A member of an account, who may name only what belongs to it. Absent: an operator. */
  readonly member?: { readonly accountId: string; readonly role: Role; readonly email?: string }
}

export const commandLine: Actor = { who: "command line" }

/**
 * An operation on accounts and what they own, with its implementation. The command line, the admin API, its OpenAPI
 * document and the forms of the dashboard are derived from these values.
 *
 * Parameters and results are plain JSON: their schemas must not transform.
 */
export interface AdminOperation<Params extends Endpoint.AnyStruct, Results extends Schema.Schema.AnyNoContext>
  extends Endpoint.Operation<string, Params, Results, "operator"> {
  readonly path: `/admin/v1/${string}`
  /** The lowest role that may run it on its own account; absent: only operators may. */
  readonly leastRole?: Role
  /** Parameters that only operators may set. */
  readonly operatorOnly?: ReadonlyArray<string>
  readonly run: (
    params: Schema.Schema.Type<Params>,
    actor: Actor,
  ) => Effect.Effect<Schema.Schema.Encoded<Results>, Failure, Services>
}

// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type Any = AdminOperation<any, any>

/** Method and path below `/admin/v1/` of a verb, such as `POST accounts/:account/agents`. */
type RouteText = `${"GET" | "POST" | "PATCH"} ${string}`

export const make = <Params extends Endpoint.AnyStruct, Results extends Schema.Schema.AnyNoContext>(
  id: string,
  route: RouteText,
  verb: Omit<AdminOperation<Params, Results>, "auth" | "id" | "method" | "path">,
): AdminOperation<Params, Results> => {
  const [method, path] = route.split(" ") as ["GET" | "POST" | "PATCH", string]
  return { ...verb, id, method, path: `/admin/v1/${path}`, auth: "operator" }
}

/** Error code for bad parameters. */
export const code = (verb: Any): "invalid_parameter" | "invalid_request_body" =>
  Endpoint.methodOf(verb) === "GET" ? "invalid_parameter" : "invalid_request_body"

/** Whether an actor may run a verb at all. */
export const isAllowed = ({ leastRole }: Pick<Any, "leastRole">, { member }: Pick<Actor, "member">): boolean =>
  Rights.ofPerson(member).run(leastRole)

/** The parameter in the path that names the subject of a verb: the last one. */
const subjectParam = (verb: Any): string | undefined => [...Endpoint.pathParamNames(verb)].at(-1)

const remove = (verb: Any, fields: ReadonlyArray<string>, suggestion: string): Failure =>
  fail(code(verb), { hints: fields.map((field) => ({ field, action: "remove", suggestion }) as const) })

/** Adds a member's account to the parameters; fails if they set what only operators may. */
const memberParams = (
  verb: Any,
  raw: decode.Raw,
  { accountId }: NonNullable<Actor["member"]>,
): Effect.Effect<decode.Raw, Failure> => {
  const given = raw._tag === "Json" ? { ...raw.value } : Object.fromEntries(raw.entries)
  const refused = [...(verb.operatorOnly ?? []), "account"].filter((name) => name in given)
  if (refused.length > 0) return remove(verb, refused, "An operator chooses it.")
  const completed = Endpoint.pathParamNames(verb).has("account") ? { ...given, account: accountId } : given
  return Effect.succeed(
    raw._tag === "Json"
      ? { _tag: "Json", value: completed }
      : { _tag: "Text", entries: Object.entries(completed as Readonly<Record<string, string>>) },
  )
}

/** The parameter from which the account is known: `account` if the path has it, otherwise the subject. */
const ownerOf = (verb: Any): string | undefined =>
  Endpoint.pathParamNames(verb).has("account")
    ? "account"
    : (subjectParam(verb) ?? ("account" in verb.params.fields ? "account" : undefined))

/** Finds the account of the subject. For a member it must be the member's account, and only ids are accepted, not names. */
const findScope = (owner: string | undefined, params: Readonly<Record<string, string>>, { member }: Actor) => {
  const name = owner === undefined ? undefined : params[owner]
  const find = owner === undefined ? undefined : findAccountBy[owner]
  if (name === undefined || find === undefined) return Effect.succeed(member?.accountId)
  const gone = fail("not_found", { detail: `There is no such ${owner}.` })
  return member === undefined
    ? // The verb itself says what is wrong with a name that nothing has.
      find(name).pipe(
        Effect.map(({ accountId }) => accountId),
        Effect.catchIf(
          ({ code }) => code === "not_found",
          () => Effect.succeed(undefined),
        ),
      )
    : Effect.flatMap(find(name), ({ id, accountId }) =>
        Rights.ofPerson(member).see(accountId) && id === name ? Effect.succeed(accountId) : gone,
      )
}

/**
 * Compiles a verb once. The result decodes the parameters, confines members to their account and runs the verb. A verb that
 * changes something writes a line to the log of changes in the same transaction.
 *
 * @throws if members may run it, but the account of its subject cannot be found
 */
export const compile = <Params extends Endpoint.AnyStruct, Results extends Schema.Schema.AnyNoContext>(
  verb: AdminOperation<Params, Results>,
): ((raw: decode.Raw, actor: Actor) => Effect.Effect<Schema.Schema.Encoded<Results>, Failure, Services>) => {
  const decoded = decode.compile(verb)
  const [subject, owner] = [subjectParam(verb), ownerOf(verb)]
  if (verb.leastRole !== undefined && (owner === undefined || findAccountBy[owner] === undefined)) {
    throw new Error(`${verb.id}: members may run it, and nobody knows the account of its ${owner}`)
  }
  const isChange = Endpoint.methodOf(verb) !== "GET"
  return (raw, actor) =>
    Effect.gen(function* () {
      if (!isAllowed(verb, actor)) return yield* fail("not_found")
      const now = yield* Clock.currentTimeMillis
      const whole = actor.member === undefined ? raw : yield* memberParams(verb, raw, actor.member)
      const { params } = yield* decoded(whole, now)
      const named = params as Readonly<Record<string, string>>
      const run = verb.run(params as Schema.Schema.Type<Params>, actor)
      if (!isChange && actor.member === undefined) return yield* run
      const accountId = yield* findScope(owner, named, actor)
      if (!isChange) return yield* run
      const { member: _, ...who } = actor
      const change: Change = {
        ...who,
        at: now,
        verb: verb.id,
        // A new account has no id yet, so its name is logged.
        subject:
          (subject === "account" ? named["name"] : undefined) ?? named[subject ?? "name"] ?? named["account"] ?? "",
        ...ifDefined("accountId", accountId),
      }
      return yield* Effect.provideService(run, CurrentChange, change)
    }).pipe(
      // A parameter that the core rejects, by a rule beyond its schema, is an invalid parameter too.
      Effect.mapError((failure) =>
        failure.code === "invalid_parameter" ? fail(code(verb), { hints: failure.hints ?? [] }) : failure,
      ),
    )
}

/** Runs a verb with JSON parameters. */
export const perform = <Params extends Endpoint.AnyStruct, Results extends Schema.Schema.AnyNoContext>(
  verb: AdminOperation<Params, Results>,
  value: Schema.Schema.Encoded<Params>,
  actor: Actor = commandLine,
): Effect.Effect<Schema.Schema.Encoded<Results>, Failure, Services> =>
  compile(verb)({ _tag: "Json", value: value as Readonly<Record<string, unknown>> }, actor)
