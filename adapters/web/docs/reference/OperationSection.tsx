/** @jsxRuntime automatic @jsxImportSource preact */
import { demoKey } from "../../../../core/account/ApiKey.ts"
import { display } from "../../../../core/account/Money.ts"
import { manageScope } from "../../../../core/rights/Rights.ts"
import { type Field, read } from "../../../admin/fields.ts"
import { groupDocsPath } from "../../../describe/paths.ts"
import type { Site } from "../../../server/http/Site.ts"
import { playgroundOf } from "../../view/addresses.ts"
import { Code, Inline, Samples } from "../../view/parts.tsx"
import { type Common, Errors, Fields, Parameters, type Schemas, Type } from "./Fields.tsx"
import type { Answer, Operation } from "./operations.ts"
import { makeSamples } from "./samples.ts"
import { Answered, Form, type Run } from "./Try.tsx"

/** An example as it is sent; longer ones scroll by themselves. */
export const Example = ({ of, answer: { type, example } }: { readonly of: string; readonly answer: Answer }) =>
  example === undefined ? null : (
    <>
      <h3>
        Answer <small>{type}, sample data; long lists are cut</small>
      </h3>
      <Code
        {...(typeof example === "string"
          ? { text: example }
          : { text: JSON.stringify(example, null, 2), lang: "json" })}
        label={`Sample answer of ${of}`}
      />
    </>
  )

export const Price = ({ micros }: Pick<Operation, "micros">) =>
  micros === undefined ? null : <span class="badge">{display(micros)}</span>

export const Marks = ({ operation: { isInDevelopment, isDeprecated, auth } }: { readonly operation: Operation }) => (
  <>
    {auth === "none" && <span class="badge">no key</span>}{" "}
    {isInDevelopment && <span class="badge bad">in development</span>}{" "}
    {isDeprecated && <span class="badge bad">deprecated</span>}
  </>
)

const head = (operation: Operation, playground: string | undefined) => (
  <>
    <h2>
      <a href={`#${operation.id}`}>{operation.summary}</a> <Price {...operation} />
    </h2>
    <p>
      <code>
        {operation.method} {operation.path}
      </code>{" "}
      <Marks operation={operation} />
      {playground !== undefined && (
        <>
          {" "}
          <a href={playground}>Run it with your key</a>
        </>
      )}
    </p>
  </>
)

const answerType = ({ type, schema }: Answer) => (
  <p key={type} class="soft">
    Answers <code>{type}</code>: <Type schema={schema} />
    {typeof schema["description"] === "string" && (
      <>
        {". "}
        <Inline text={schema["description"]} />
      </>
    )}
  </p>
)

/** The dashboard's page that makes the call; none for what is not sold there. */
const playgroundFor = (operation: Operation, run: Run | undefined): string | undefined => {
  const { id, method, curl, auth, isDeprecated, isInDevelopment, micros, example } = operation
  return curl === undefined || micros === undefined || auth !== "key" || isDeprecated || isInDevelopment
    ? undefined
    : playgroundOf(id, run?.values ?? (method === "GET" ? example : {}))
}

/** The call of samples: the one that was run, or the example. */
const toCall = (operation: Operation, fields: ReadonlyArray<Field> | undefined, run: Run | undefined): Operation => ({
  ...operation,
  path: operation.path.replace(/\{(\w+)\}/g, ":$1"),
  ...(run === undefined || fields === undefined ? {} : { example: read(fields, new URLSearchParams(run.values)) }),
})

/** One operation: purpose, price, call, parameters, answer, errors. */
export const OperationSection = ({
  operation,
  schemas,
  common,
  baseUrl,
  site,
  group,
  fields,
  run,
}: {
  readonly operation: Operation
  readonly site: Site
  readonly group: string
  /** Of its form; absent: a reader may not run it here. */
  readonly fields: ReadonlyArray<Field> | undefined
  /** The call of it that was run. */
  readonly run: Run | undefined
  readonly schemas: Schemas
  readonly common: Common
  readonly baseUrl: string
}) => {
  const { id, own, shared, body, answers, errors, curl } = operation
  const call = toCall(operation, fields, run)
  // The demo key has no account whose alerts it could keep.
  const key = group === manageScope ? undefined : demoKey
  const [first] = answers
  const playground = site.served("/dashboard") ? playgroundFor(operation, run) : undefined
  const ownErrors = errors.filter((code) => !common.errors.has(code))
  return (
    <section id={id} class="operation">
      {head(operation, fields === undefined ? playground : undefined)}
      <div class="columns">
        <div>
          {fields !== undefined && <Form {...{ operation, fields, group, run, playground }} />}
          {run !== undefined && <Answered run={run} />}
          {fields === undefined && own.length > 0 && <Parameters caption={`Parameters of ${id}`} all={own} />}
          {body !== undefined && (
            <p>
              Body: <Type schema={body} />
            </p>
          )}
          {answers.map(answerType)}
          {first !== undefined && (
            <Fields caption={`Fields of ${id}`} schema={first.schema} schemas={schemas} common={common} />
          )}
          {ownErrors.length > 0 && (
            <details>
              <summary>{ownErrors.length} error codes of its own</summary>
              <Errors codes={ownErrors} />
            </details>
          )}
          {shared.length > 0 && (
            <p class="soft">
              With the <a href={groupDocsPath("common")}>common parameters, fields and errors</a>.
            </p>
          )}
        </div>
        <div>
          {curl !== undefined && <Samples id={id} samples={makeSamples(call, baseUrl, key)} />}
          {run === undefined && first !== undefined && (
            <Example of={`${operation.method} ${operation.path}`} answer={first} />
          )}
        </div>
      </div>
    </section>
  )
}
