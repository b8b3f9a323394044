/** @jsxRuntime automatic @jsxImportSource preact */
import type { VNode } from "preact"
import { demoKey } from "../../../core/account/ApiKey.ts"
import { display } from "../../../core/account/Money.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import type { Failure } from "../../../core/Failure.ts"
import type { Site } from "../../server/http/Site.ts"
import { addressOfRun } from "../docs/reference/running.ts"
import { makeSamples } from "../docs/reference/samples.ts"
import { insteadPage } from "../NotFound.tsx"
import { Drawing } from "../pictures/pictures.tsx"
import { playgroundOf } from "../view/addresses.ts"
import { copyScript } from "../view/assets.ts"
import { page } from "../view/Page.tsx"
import { Facts, Samples } from "../view/parts.tsx"
import { Scored, type Settled } from "./Scored.tsx"
import { addressOf, type Item, type Shown, type Subject, type View } from "./Subject.ts"

/** The list of all subjects. */
export const listPath = "/forecasts"

const sample = "Sample data: generated, free, and not a forecast of the real world."

const priceOf = ({ endpoint, isFree }: Shown): string => (isFree === true ? "free" : display(endpoint.priceMicros))

const Call = ({
  call,
  call: { endpoint, params },
  catalogue,
  baseUrl,
}: {
  readonly call: Shown
  readonly catalogue: Catalogue.Any
  readonly baseUrl: string
}) => (
  <section>
    <h3>
      <a href={addressOfRun(catalogue, endpoint, params)}>{endpoint.summary}</a>{" "}
      <span class="badge">{priceOf(call)}</span>
    </h3>
    <Samples id={endpoint.id} samples={makeSamples({ ...endpoint, example: params }, baseUrl, demoKey)} />
  </section>
)

/** The parts of a page that are the same for all. */
export interface Shell {
  readonly site: Site
  readonly catalogue: Catalogue.Any
  readonly baseUrl: string
}

/** A subject's page. */
export const viewPage = (
  { site, catalogue, baseUrl }: Shell,
  subject: Subject,
  id: string,
  { title, lead, pictures, facts, note, calls, scored }: View,
  settled: Settled | undefined,
): string => {
  const [signal] = calls
  return page(
    { title, description: lead, path: addressOf(subject, id), script: copyScript },
    site,
    <>
      <p class="soft">
        <a href={listPath}>Forecasts</a> · <a href={`${listPath}#${subject.kind}`}>{subject.title}</a>
      </p>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      <p class="notice">
        {sample}
        {site.served("/dashboard") && (
          <>
            {signal.isFree === true ? " It has settled, so its live figures are free: " : " "}
            <a href={playgroundOf(signal.endpoint.id, signal.params)}>
              {signal.isFree === true ? "show them" : `Run it live for ${priceOf(signal)}`}
            </a>
            .
          </>
        )}
      </p>
      <div class="columns">{pictures.map((picture) => picture && <Drawing key={picture.title} {...picture} />)}</div>
      <Facts of={facts} />
      {note !== undefined && <p class="soft">{note}</p>}
      {scored !== undefined && (
        <section>
          <h2>How good it has been here</h2>
          {settled === undefined ? (
            <p>The settled markets cannot be read just now.</p>
          ) : (
            <Scored of={scored} settled={settled} />
          )}
        </section>
      )}
      <section>
        <h2>The calls behind this page</h2>
        {calls.map((call) => (
          <Call key={call.endpoint.id} call={call} catalogue={catalogue} baseUrl={baseUrl} />
        ))}
      </section>
    </>,
  )
}

const listing = (subject: Subject, items: ReadonlyArray<Item> | undefined): VNode => (
  <section key={subject.kind}>
    <h2 id={subject.kind}>{subject.title}</h2>
    {items === undefined ? (
      <p>Not available just now. Reload the page in some seconds.</p>
    ) : items.length === 0 ? (
      <p>{subject.empty}</p>
    ) : (
      <ul class="subjects">
        {items.map(({ id, name }) => (
          <li key={id}>
            <a href={addressOf(subject, id)}>{name}</a>
          </li>
        ))}
      </ul>
    )}
  </section>
)

/** The page with all subjects. */
export const listPage = (
  { site }: Shell,
  lists: ReadonlyArray<readonly [Subject, ReadonlyArray<Item> | undefined]>,
): string =>
  page(
    { title: "Forecasts", description: "Every subject with its forecast as a picture.", path: listPath },
    site,
    <>
      <h1>Forecasts</h1>
      <p class="lead">
        Each page shows a forecast as a picture, the official record next to it, and the calls behind it.
      </p>
      <p class="notice">{sample}</p>
      {lists.map(([subject, items]) => listing(subject, items))}
    </>,
  )

/** The page of a subject that does not exist, or of one that cannot be answered now, with those that there are. */
export const failedPage = (
  { site }: Shell,
  subject: Subject,
  id: string,
  failure: Failure,
  items: ReadonlyArray<Item> | undefined,
): string => {
  const isMissing = failure.status < 429
  const title = isMissing ? "Page not found" : failure.status === 429 ? "Too many requests" : "Not available now"
  return insteadPage(
    site,
    { title, description: failure.message, path: addressOf(subject, id) },
    <>
      <p>
        {failure.message}
        {!isMissing &&
          ` Reload the page in ${Math.max(1, Math.ceil((failure.retryAfterMs ?? 10_000) / 1_000))} seconds.`}
      </p>
      {items !== undefined && listing(subject, items)}
    </>,
  )
}
