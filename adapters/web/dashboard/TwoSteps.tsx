/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type { ComponentChildren } from "preact"
import * as decode from "../../../core/endpoint/decode.ts"
import type { AnyStruct } from "../../../core/endpoint/Endpoint.ts"
import type { Failure } from "../../../core/Failure.ts"
import type * as AdminOperation from "../../admin/AdminOperation.ts"
import { fieldsOf, read } from "../../admin/fields.ts"
import { addressWith } from "../view/addresses.ts"
import { Fields, Form } from "./Form.tsx"
import type { Visit } from "./Page.ts"

/** The name of a form in the page's address. */
const step = "do"

/** The address of a page with its second step. */
export const stepTo = (path: string, action: string, values: Readonly<Record<string, string>> = {}): string =>
  addressWith(path, { [step]: action, ...values })

/** What the first step of an action gave: the verb's parameters, or why they are refused. */
export type Given<A> = Either.Either<A, Failure>

/**
 * The first step of an action, which is a form in the page's address: it changes nothing, so that the second one can say what
 * will happen. Undefined: the address has no such form.
 *
 * @param given parameters that the page gives
 */
export const givenBy = <Params extends AnyStruct, Results extends Schema.Schema.AnyNoContext>(
  visit: Visit,
  action: string,
  verb: AdminOperation.AdminOperation<Params, Results>,
  given: Readonly<Record<string, unknown>>,
): Effect.Effect<Given<Schema.Schema.Type<Params>> | undefined> =>
  visit.query.get(step) !== action
    ? Effect.succeed(undefined)
    : decode
        .compile(verb)({ _tag: "Json", value: { ...read(fieldsOf(verb), visit.query), ...given } }, visit.now)
        .pipe(
          Effect.map(({ params }) => params as Schema.Schema.Type<Params>),
          Effect.either,
        )

/** The form of the first step, with errors at its fields. */
export const FirstStep = ({
  visit,
  action,
  verb,
  given,
  values = {},
}: {
  readonly visit: Visit
  readonly action: string
  readonly verb: AdminOperation.Any
  readonly given: Given<unknown> | undefined
  readonly values?: Readonly<Record<string, string | undefined>>
}) => (
  <form method="get" class="stacked">
    <input type="hidden" name={step} value={action} />
    <Fields
      visit={
        given !== undefined && Either.isLeft(given)
          ? { ...visit, sent: { action, values: visit.query, failure: given.left } }
          : visit
      }
      action={action}
      verb={verb}
      values={values}
    />
    <button type="submit">Continue</button>
  </form>
)

/** The second step: says what will happen, and does it. It sends the values of the first step again. */
export const SecondStep = ({
  visit,
  action,
  button,
  isDanger = false,
  path,
  children,
}: {
  readonly visit: Visit
  readonly action: string
  readonly button: string
  readonly isDanger?: boolean
  /** Of the page without a step. */
  readonly path: string
  readonly children: ComponentChildren
}) => (
  <section class="notice" aria-label="Confirm">
    <p>
      <strong>{children}</strong>
    </p>
    <Form
      visit={visit}
      action={action}
      button={button}
      isDanger={isDanger}
      given={Object.fromEntries([...visit.query].filter(([name]) => name !== step))}
    />
    <p>
      <a href={path}>Cancel</a>
    </p>
  </section>
)
