/** @jsxRuntime automatic @jsxImportSource preact */
import { display } from "../../../../core/account/Money.ts"
import type { Site } from "../../../server/http/Site.ts"
import { Code, Inline } from "../../view/parts.tsx"
import { type Common, Errors, Fields, Parameters, type Schemas, Type } from "./Fields.tsx"
import type { Answer, Operation } from "./operations.ts"
import { makeSamples } from "./samples.ts"

/** An example as it is sent; longer ones scroll by themselves. */
const Example = ({ answer: { type, example } }: { readonly answer: Answer }) =>
  example === undefined ? null : (
    <>
      <h4>
        Answer <small>{type}, sample data; long lists are cut</small>
      </h4>
      <Code text={typeof example === "string" ? example : JSON.stringify(example, null, 2)} isLong />
    </>
  )

export const Price = ({ micros }: Pick<Operation, "micros">) =>
  micros === undefined ? null : <span class="badge">{display(micros)}</span>

export const Marks = ({
  operation: { isInDevelopment, isDeprecated, needsKey },
}: {
  readonly operation: Operation
}) => (
  <>
    {!needsKey && <span class="badge">no key</span>} {isInDevelopment && <span class="badge bad">in development</span>}{" "}
    {isDeprecated && <span class="badge bad">deprecated</span>}
  </>
)

/** The forms of a sold endpoint's example; none for documents. */
const samplesIn = (operation: Operation, baseUrl: string): Partial<ReturnType<typeof makeSamples>> => {
  const { curl, own, body } = operation
  const inQuery = own.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example] as const]))
  const example = (body?.example as Readonly<Record<string, unknown>> | undefined) ?? Object.fromEntries(inQuery)
  return curl === undefined ? {} : makeSamples({ ...operation, curl, example }, baseUrl)
}

/** The dashboard's page that makes a call, with the parameters of the example; none for what is not sold there. */
const playgroundOf = (operation: Operation): string | undefined => {
  const { id, curl, own, needsKey, isDeprecated, isInDevelopment, micros } = operation
  if (curl === undefined || micros === undefined || !needsKey || isDeprecated || isInDevelopment) return undefined
  const given = own.flatMap(({ name, example }) => (example === undefined ? [] : [[name, String(example)]]))
  const query = new URLSearchParams(given).toString()
  return `/dashboard/playground/${id}${query === "" ? "" : `?${query}`}`
}

/** One operation: purpose, price, call, parameters, answer, errors. */
export const OperationSection = ({
  operation,
  schemas,
  common,
  baseUrl,
  site,
}: {
  readonly operation: Operation
  readonly site: Site
  readonly schemas: Schemas
  readonly common: Common
  readonly baseUrl: string
}) => {
  const { id, method, path, summary, own, shared, body, answers, errors } = operation
  const { curl: call, ...others } = samplesIn(operation, baseUrl)
  const [first] = answers
  const playground = site.served("/dashboard") ? playgroundOf(operation) : undefined
  const ownErrors = errors.filter((code) => !common.errors.has(code))
  return (
    <section id={id} class="operation">
      <h2>
        <a href={`#${id}`}>{summary}</a>
      </h2>
      <p>
        <code>
          {method} {path}
        </code>{" "}
        <Price {...operation} /> <Marks operation={operation} />
        {playground !== undefined && (
          <>
            {" "}
            <a href={playground}>Try it</a>
          </>
        )}
      </p>
      <div class="columns">
        <div>
          {own.length > 0 && <Parameters caption={`Parameters of ${id}`} all={own} />}
          {body !== undefined && (
            <p>
              Body: <Type schema={body.schema} />
            </p>
          )}
          {shared.length > 0 && (
            <p class="soft">
              And the <a href="/docs#common">common parameters</a>: {shared.join(", ")}.
            </p>
          )}
          {answers.map(({ type, schema }) => (
            <p key={type} class="soft">
              Answers <code>{type}</code>: <Type schema={schema} />
              {typeof schema["description"] === "string" && (
                <>
                  {". "}
                  <Inline text={schema["description"]} />
                </>
              )}
            </p>
          ))}
          {first !== undefined && (
            <Fields caption={`Fields of ${id}`} schema={first.schema} schemas={schemas} common={common} />
          )}
          {ownErrors.length > 0 && (
            <details>
              <summary>{ownErrors.length} error codes of its own</summary>
              <Errors codes={ownErrors} />
            </details>
          )}
          {ownErrors.length < errors.length && (
            <p class="soft">
              And {errors.length - ownErrors.length} <a href="/docs#errors">common errors</a>.
            </p>
          )}
        </div>
        <div>
          {call !== undefined && <Code text={call} />}
          {Object.entries(others).map(([label, text]) => (
            <details key={label}>
              <summary>{label}</summary>
              <Code text={text} />
            </details>
          ))}
          {first !== undefined && <Example answer={first} />}
        </div>
      </div>
    </section>
  )
}
