import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Accounts } from "../../core/account/Accounts.ts"
import type { Agents } from "../../core/account/Agents.ts"
import type { AuditTrail } from "../../core/account/AuditTrail.ts"
import * as decode from "../../core/endpoint/decode.ts"
import * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { Webhooks } from "../../core/events/Webhooks.ts"
import { type Failure, fail } from "../../core/Failure.ts"

export type Services = Accounts | Agents | AuditTrail | Webhooks

export interface Actor {
  readonly _tag: "operator"
}

export const operator: Actor = { _tag: "operator" }

/**
 * An operator's operation and its implementation. The command line, the admin API and its OpenAPI document are derived
 * from these values.
 *
 * Parameters and results are plain JSON: their schemas must not transform.
 */
export interface AdminOperation<Params extends Endpoint.AnyStruct, Results extends Schema.Schema.AnyNoContext>
  extends Endpoint.Operation<string, Params, Results, "operator"> {
  readonly path: `/admin/v1/${string}`
  readonly run: (
    params: Schema.Schema.Type<Params>,
    actor: Actor,
  ) => Effect.Effect<Schema.Schema.Encoded<Results>, Failure, Services>
}

// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type Any = AdminOperation<any, any>

export const make = <Params extends Endpoint.AnyStruct, Results extends Schema.Schema.AnyNoContext>(
  verb: Omit<AdminOperation<Params, Results>, "auth">,
): AdminOperation<Params, Results> => ({ ...verb, auth: "operator" })

/** Error code for bad parameters. */
export const code = (verb: Any): "invalid_parameter" | "invalid_request_body" =>
  Endpoint.methodOf(verb) === "GET" ? "invalid_parameter" : "invalid_request_body"

/** Compiles a verb once: decodes the parameters and runs it. */
export const compile = <Params extends Endpoint.AnyStruct, Results extends Schema.Schema.AnyNoContext>(
  verb: AdminOperation<Params, Results>,
): ((raw: decode.Raw, actor: Actor) => Effect.Effect<Schema.Schema.Encoded<Results>, Failure, Services>) => {
  const decoded = decode.compile(verb)
  return (raw, actor) =>
    Clock.currentTimeMillis.pipe(
      Effect.flatMap((now) => decoded(raw, now)),
      Effect.flatMap(({ params }) => verb.run(params as Schema.Schema.Type<Params>, actor)),
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
  actor: Actor = operator,
): Effect.Effect<Schema.Schema.Encoded<Results>, Failure, Services> =>
  compile(verb)({ _tag: "Json", value: value as Readonly<Record<string, unknown>> }, actor)
