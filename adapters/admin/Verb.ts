import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import type { Accounts } from "../../core/account/Accounts.ts"
import type { Agents } from "../../core/account/Agents.ts"
import type { AuditTrail } from "../../core/account/AuditTrail.ts"
import { type Form, remedy } from "../../core/endpoint/rule.ts"
import type { Webhooks } from "../../core/events/Webhooks.ts"
import { type Failure, fail, type Hint } from "../../core/Failure.ts"

/** What verbs are done with. */
export type Services = Accounts | Agents | AuditTrail | Webhooks

/**
 * Something an operator does. The command line, the admin surface and its document are folds over these values.
 *
 * Input and answer are JSON as it stands on the wire: their schemas transform nothing.
 */
export interface Verb<Input, Answer> {
  /** Name of the operation. */
  readonly id: string
  readonly method: "GET" | "POST" | "PATCH"
  /** `:name` is a field of the input; the other fields are the query of a GET or the body. */
  readonly path: `/admin/v1/${string}`
  readonly summary: string
  /** 201 for what makes something. */
  readonly status: 200 | 201
  readonly input: Schema.Schema<Input>
  readonly answer: Schema.Schema<Answer>
  readonly run: (input: Input) => Effect.Effect<Answer, Failure, Services>
}

// biome-ignore lint/suspicious/noExplicitAny: variance, never a value
export type Any = Verb<any, any>

export const make = <Input, Answer>(
  verb: Omit<Verb<Input, Answer>, "status"> & { readonly status?: 201 },
): Verb<Input, Answer> => ({ status: 200, ...verb })

/** The fields of an input, by name. */
export const fieldsOf = ({ input }: Any): ReadonlyMap<string, AST.PropertySignature> =>
  new Map(AST.getPropertySignatures(input.ast).map((field) => [String(field.name), field]))

/** The fields that stand in the path. */
export const inPath = ({ path }: Any): ReadonlySet<string> =>
  new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!))

const hintOf = (verb: Any, input: unknown, issue: ParseResult.ArrayFormatterIssue): Hint => {
  const field = String(issue.path[0] ?? "body")
  const ast = fieldsOf(verb).get(field)?.type
  if (issue._tag === "Unexpected") return { field, action: "remove", suggestion: `There is no field ${field}.` }
  if (ast === undefined) return { field, action: "change", suggestion: issue.message }
  const form: Form = verb.method === "GET" ? "text" : "json"
  return remedy(field, ast, issue, form, (input as Readonly<Record<string, unknown>>)[field])
}

/** What a bad input answers. */
export const code = ({ method }: Any): "invalid_parameter" | "invalid_request_body" =>
  method === "GET" ? "invalid_parameter" : "invalid_request_body"

/** A field that the core refuses, for reasons that no schema knows, is a bad input too. */
const renamed =
  (verb: Any) =>
  (failure: Failure): Failure =>
    failure.code === "invalid_parameter" ? fail(code(verb), { hints: failure.hints ?? [] }) : failure

/** Decodes an input and runs the verb. Every bad field is named in one failure. */
export const perform = <Input, Answer>(
  verb: Verb<Input, Answer>,
  input: unknown,
): Effect.Effect<Answer, Failure, Services> => {
  const decoded = ParseResult.decodeUnknownEither(verb.input, { errors: "all", onExcessProperty: "error" })(input)
  if (Either.isRight(decoded)) return Effect.mapError(verb.run(decoded.right), renamed(verb))
  const byField = new Map<string, Hint>()
  for (const issue of ParseResult.ArrayFormatter.formatIssueSync(decoded.left)) {
    const hint = hintOf(verb, input, issue)
    if (!byField.has(hint.field)) byField.set(hint.field, hint)
  }
  return Effect.fail(fail(code(verb), { hints: [...byField.values()] }))
}
