import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Endpoint from "../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../core/Failure.ts"
import * as AdminOperation from "./AdminOperation.ts"

/**
 * Makes verbs that change the state of one resource and answer with the resource, such as `agents_pause`.
 *
 * @param params the one parameter that names the resource
 */
export const makeStateVerb =
  <Fields extends Schema.Struct.Fields, Results extends Schema.Schema.AnyNoContext, Row>({
    params,
    show,
    ...verb
  }: Pick<AdminOperation.Any, "leastRole"> & {
    readonly params: Fields
    readonly results: Results
    readonly show: (row: Row) => Schema.Schema.Encoded<Results>
  }) =>
  (name: string, summary: string, run: (id: string) => Effect.Effect<Row, Failure, AdminOperation.Services>) => {
    const subject = Object.keys(params)[0]!
    return AdminOperation.make(`${subject}s_${name}`, `POST ${subject}s/:${subject}/${name}`, {
      ...verb,
      summary,
      params: Schema.Struct(params) as unknown as Extract<Schema.Struct<Fields>, Endpoint.AnyStruct>,
      run: (given) => Effect.map(run((given as Readonly<Record<string, string>>)[subject]!), show),
    })
  }
