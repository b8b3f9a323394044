/** @jsxRuntime automatic @jsxImportSource preact */
import { usd } from "../../../../core/account/Money.ts"
import * as Endpoint from "../../../../core/endpoint/Endpoint.ts"
import type { Served } from "../../../../core/gateway/Served.ts"
import { makeSamples } from "../../docs/reference/samples.ts"
import { Drawing, pictureOfCall } from "../../pictures/pictures.tsx"
import { Code, Samples as Forms } from "../../view/parts.tsx"
import { fieldsOf, read } from "../fields.ts"

/** A call that was made. */
export interface Made {
  readonly served: Served
  readonly values: URLSearchParams
}

export const isPosted = (endpoint: Endpoint.Any): boolean => Endpoint.methodOf(endpoint) === "POST"

/** The answer of a call: its charge, a picture where the endpoint has one, and the body. */
export const Answer = ({
  endpoint,
  made: { served, values },
}: {
  readonly endpoint: Endpoint.Any
  readonly made: Made
}) => {
  const body = served.body.toValue() as {
    readonly _meta?: { readonly price?: { readonly charged_micros: number }; readonly record?: string }
  }
  const picture = pictureOfCall(endpoint.id, Object.fromEntries(values), served)
  const record = body._meta?.record
  return (
    <section class="answer" aria-label="Answer">
      <h2>Answer</h2>
      <p role="status">
        <strong>{served.status}</strong>
        {served.status < 400 && !served.replayed && <>, charged {usd(body._meta?.price?.charged_micros ?? 0)}</>}
        {served.replayed && <>, the answer of this form, which was charged once</>}
        {served.status >= 400 && served.status !== 409 && <>, nothing charged</>} · request{" "}
        <code>{served.requestId}</code>
        {record !== undefined && (
          <>
            {" "}
            · <a href={record}>Verify its entry on the record</a>
          </>
        )}
      </p>
      {picture !== undefined && <Drawing {...picture} />}
      <Code text={JSON.stringify(body, null, 2)} lang="json" label="JSON" />
    </section>
  )
}

/** The call as programs make it, with the parameters that were sent. */
export const Samples = ({
  endpoint,
  values,
  origin,
}: {
  readonly endpoint: Endpoint.Any
  readonly values: URLSearchParams | undefined
  readonly origin: string
}) => {
  const example = values === undefined || isPosted(endpoint) ? endpoint.example : read(fieldsOf(endpoint), values)
  return (
    <section>
      <h2>The same call from a program</h2>
      <Forms id={endpoint.id} samples={makeSamples({ ...endpoint, example }, origin)} />
    </section>
  )
}
