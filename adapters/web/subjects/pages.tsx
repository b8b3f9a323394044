/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact"
import { demoKey } from "../../../core/account/ApiKey.ts"
import type { Failure } from "../../../core/Failure.ts"
import { count } from "../../../core/text.ts"
import { addressOfRun } from "../docs/reference/running.ts"
import { makeSamples } from "../docs/reference/samples.ts"
import { insteadPage } from "../NotFound.tsx"
import { entryPath } from "../view/addresses.ts"
import { pageScript } from "../view/assets.ts"
import { timeText } from "../view/dates.ts"
import { gainInCents, percent, points } from "../view/numbers.ts"
import { page } from "../view/Page.tsx"
import { List, numeric, Sample, Samples, wide } from "../view/parts.tsx"
import { plot } from "../view/plot.tsx"
import { askCell, Card, type Place, priceOf, Scale, Tile } from "./Card.tsx"
import { Happened, happened, leastOfCurve, Scored, type Settled } from "./Scored.tsx"
import type { Item, Line, Subject, View } from "./Subject.ts"
import { addReliability, binsOf, duration, isOver, saidAndHappened, stateOf } from "./words.ts"

/** The list of all subjects. */
export const listPath = "/forecasts"

/** The parts of a page that are the same for all. */
export interface Shell extends Place {
  readonly baseUrl: string
}

/** The first call as programs make it, and where the others run. */
const Calls = ({ calls, shell }: { readonly calls: View["calls"]; readonly shell: Shell }) => {
  const [{ endpoint, params }] = calls
  return (
    <section>
      <h2>Get it by API</h2>
      <Samples id={endpoint.id} samples={makeSamples({ ...endpoint, example: params }, shell.baseUrl, demoKey)} />
      <ul class="calls">
        {calls.map((call) => (
          <li key={call.endpoint.id}>
            <a href={addressOfRun(shell.catalogue, call.endpoint, call.params)}>{call.endpoint.summary}</a>{" "}
            <span class="badge">{priceOf(call)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How good we have been on a subject, in one sentence. */
const summarizeRecord = (rows: Settled["rows"]): ComponentChildren | undefined => {
  const words = saidAndHappened(binsOf(addReliability(rows, "model_prob")))
  if (rows.length === 0) return undefined
  return (
    <>
      <a href="#record">{count(rows.length)} settled contracts</a>
      {words !== undefined && `; when we said ${words.said}, it happened ${words.happened} of the time`}
    </>
  )
}

export const viewPage = (
  shell: Shell,
  subject: Subject,
  { card, last, lead, picture, facts, note, calls, scored, entries = [] }: View,
  settled: Settled | undefined,
): string => {
  const subjectRows = settled?.rows.filter((row) => scored?.isOwn(row.instrument)) ?? []
  // The card says it of the whole page.
  const isMarked = settled?.isGenerated === true && !card.isSample
  const recent = happened(subjectRows, 5)
  const programs = <Calls calls={calls} shell={shell} />
  const hasLeft = picture !== undefined || subjectRows.length >= leastOfCurve
  return page(
    { title: card.title, description: lead, path: card.path, script: pageScript },
    shell.site,
    <>
      <p class="soft">
        <a href={listPath}>Forecasts</a> · <a href={`${listPath}#${subject.kind}`}>{subject.title}</a>
      </p>
      <Card card={card} place={shell} record={summarizeRecord(subjectRows)} facts={facts} isPage />
      {last !== undefined && (
        <section>
          <h2>The last one that settled</h2>
          <Card card={last} place={shell} />
        </section>
      )}
      <div class="columns">
        <div>
          {picture !== undefined && plot(picture)}
          {scored !== undefined && (
            <section>
              <h2 id="record">
                Track record for {scored.name} {isMarked && <small>(sample data)</small>}
              </h2>
              {settled === undefined ? (
                <p>The settled markets cannot be read just now.</p>
              ) : (
                <Scored of={scored} rows={subjectRows} />
              )}
            </section>
          )}
          {!hasLeft && programs}
        </div>
        <div>
          {recent.length > 0 && (
            <section>
              <h2>What happened, and what we said</h2>
              <Happened rows={recent} />
            </section>
          )}
          {hasLeft && programs}
          {note !== undefined && (
            <details>
              <summary>How it settles</summary>
              <p class="soft">{note}</p>
            </details>
          )}
        </div>
      </div>
      {entries.length > 0 && shell.site.served("/record") && (
        <section>
          <h2>In the record</h2>
          <details>
            <summary>{entries.length === 1 ? "1 entry" : `${count(entries.length)} entries`}</summary>
            <ul>
              {entries.map(({ at, id, name }) => (
                <li key={id}>
                  <a href={entryPath(id)}>{timeText(at)}</a> {name}
                </li>
              ))}
            </ul>
          </details>
        </section>
      )}
    </>,
  )
}

/** The subjects of a kind, and whether they are generated; no items: they cannot be read now. */
export interface Listed {
  readonly subject: Subject
  readonly items: ReadonlyArray<Item> | undefined
  readonly isSample: boolean
}

/** Items of a list that are not folded. */
const firstItems = 8

const Gain = ({ gain }: Pick<Line, "gain">) =>
  gain !== undefined && gain > 0 ? <b class="up">{gainInCents(gain)}</b> : <span class="soft">{gainInCents(gain)}</span>

/** Open contracts by the part of their terms that differs, each with its price. */
const Differences = ({ items, now }: Pick<Place, "now"> & { readonly items: ReadonlyArray<Item> }) => {
  const gains = items.flatMap(({ lines: [line] }) => line?.gain ?? [])
  const worth = gains.filter((gain) => gain > 0).length
  return (
    <>
      {gains.length > 0 && (
        <p class="worth">{`${worth === 0 ? "None" : worth} of ${gains.length} ${worth > 1 ? "are" : "is"} worth its ask after fees, by the pool of our probability and the market's.`}</p>
      )}
      <List
        caption="Contracts on which we and the market differ most, and what their asks are worth"
        isCards={false}
        rows={items.flatMap(({ lines: [line], says: [says], ...item }) =>
          line === undefined || says?.chances === undefined
            ? []
            : [{ ...item, ...line, ...says, chances: says.chances }],
        )}
        columns={[
          [
            "Contract · 0 to 100 %",
            ({ title, path, gain = 0, chances: [model, market] }) => (
              <span class="scaled">
                <span>
                  <a href={path}>{title}</a> {gain > 0 && <span class="badge good">Worth its ask</span>}
                </span>
                <Scale model={model} market={market} />
              </span>
            ),
          ],
          [numeric("We"), ({ we }) => <strong class="model">{we}</strong>],
          [numeric("Market"), ({ chances: [, market] }) => percent(market)],
          [
            numeric("Points"),
            ({ chances, gain }) => (
              <>
                <b>{points(...chances)}</b>
                <small class="slim">
                  <Gain gain={gain} />
                </small>
              </>
            ),
          ],
          [wide("Pool"), ({ pool }) => (pool === undefined ? "–" : percent(pool))],
          [wide("Ask"), askCell],
          [wide("Gain after fees"), ({ gain }) => <Gain gain={gain} />],
          [
            wide("Closes in"),
            ({ closesAt }) => (closesAt === undefined ? "–" : closesAt <= now ? "closed" : duration(closesAt - now)),
          ],
        ]}
      />
    </>
  )
}

const Tiles = ({ items, now }: Pick<Place, "now"> & { readonly items: ReadonlyArray<Item> }) => (
  <ul class="tiles">
    {items.map((item) => (
      <Tile key={item.path} {...item} now={now} />
    ))}
  </ul>
)

/** More of a list, folded; nothing without items. */
const Folded = ({ name, items, now }: Parameters<typeof Tiles>[0] & { readonly name: string }) =>
  items.length === 0 ? null : (
    <details>
      <summary>{name}</summary>
      <Tiles items={items} now={now} />
    </details>
  )

const renderList = ({ subject, items, isSample }: Listed, now: number, isMarked = isSample): VNode => {
  const over = items?.filter((item) => isOver(item, now)) ?? []
  // Games that have begun come after open ones.
  const open = (items?.filter((item) => !isOver(item, now)) ?? []).toSorted(
    (a, b) => Number(stateOf(a, now) !== undefined) - Number(stateOf(b, now) !== undefined),
  )
  const isEmpty = items !== undefined && open.length === 0
  return (
    <section key={subject.kind} class={isEmpty ? "empty" : undefined}>
      <h2 id={subject.kind}>
        {subject.title} {isMarked && <small class="soft">(sample data)</small>}
      </h2>
      {items === undefined ? (
        <p class="notice" data-reload="true">
          Computing today's forecasts. They appear here in a few seconds.
        </p>
      ) : isEmpty ? (
        <p>{isSample ? subject.empty : "Nothing is open now."}</p>
      ) : subject.kind === "markets" ? (
        <Differences items={open} now={now} />
      ) : (
        <Tiles items={open.slice(0, firstItems)} now={now} />
      )}
      <Folded name={`${open.length - firstItems} more`} items={open.slice(firstItems)} now={now} />
      <Folded name={`Settled (${over.length})`} items={over} now={now} />
    </section>
  )
}

/** The contracts on which model and market differ most come first. */
const rank = ({ subject: { kind } }: Listed): number => (kind === "markets" ? 0 : 1)

/** The page with all subjects. */
export const listPage = ({ site, now }: Shell, lists: ReadonlyArray<Listed>): string => {
  const isAllSample = lists.every(({ isSample }) => isSample)
  return page(
    {
      title: "Forecasts",
      description: "Today's forecasts beside the market's prices.",
      path: listPath,
      script: pageScript,
    },
    site,
    <>
      <h1>Forecasts</h1>
      <div class="opening">
        <p class="lead">What we say today, beside the market's price.</p>
        <p class="keys">
          <span class="key of-dot model">We</span>
          <span class="key of-bar market stroke">Market</span>
          <Sample isSample={isAllSample} />
        </p>
        <nav class="chips" aria-label="Lanes">
          {lists.map(({ subject: { kind, title } }) =>
            kind === "markets" ? null : (
              <a key={kind} class="chip" href={`#${kind}`}>
                {title}
              </a>
            ),
          )}
        </nav>
      </div>
      {lists.toSorted((a, b) => rank(a) - rank(b)).map((list) => renderList(list, now, list.isSample && !isAllSample))}
    </>,
  )
}

/** The page of a subject that does not exist, or of one that cannot be answered now, with those that there are. */
export const failedPage = ({ site, now }: Shell, path: string, failure: Failure, list: Listed | undefined): string => {
  const isMissing = failure.status < 429
  const title = isMissing ? "Page not found" : failure.status === 429 ? "Too many requests" : "Not available now"
  return insteadPage(
    site,
    { title, description: failure.message, path },
    <>
      <p>
        {failure.message}
        {!isMissing &&
          ` Reload the page in ${Math.max(1, Math.ceil((failure.retryAfterMs ?? 10_000) / 1_000))} seconds.`}
      </p>
      {list?.items !== undefined && renderList(list, now)}
    </>,
  )
}
