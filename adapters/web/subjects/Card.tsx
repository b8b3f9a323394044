/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { display } from "../../../core/account/Money.ts"
import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import { iso } from "../../../core/time.ts"
import type { Site } from "../../server/http/Site.ts"
import { addressOfRun } from "../docs/reference/running.ts"
import { teamColour } from "../pictures/teams.ts"
import { addressWith, entryPath, marketPath, playgroundOf } from "../view/addresses.ts"
import { gainInCents, percent } from "../view/numbers.ts"
import { Facts, List, numeric, Sample, wide } from "../view/parts.tsx"
import { plot } from "../view/plot.tsx"
import { round } from "../view/scale.ts"
import type { Card as CardOf, Item, Line, Says, Shown, Track } from "./Subject.ts"
import { closeText, duration, saysOf, stateOf } from "./words.ts"

/** What a card links to. */
export interface Place {
  readonly site: Site
  readonly catalogue: Catalogue.Any
  readonly now: number
}

export const priceOf = ({ endpoint, isFree }: Shown): string =>
  isFree === true ? "free" : display(endpoint.priceMicros)

/** The time to the close, or the state after it. */
const Closes = ({ card, now }: { readonly card: CardOf; readonly now: number }) => {
  const state = stateOf(card, now)
  return state !== undefined ? (
    <span class="badge ok">{state}</span>
  ) : card.closesAt === undefined ? null : (
    <time datetime={iso(card.closesAt)} data-closes="true">
      {closeText(card.closesAt, now)}
    </time>
  )
}

/** The colour of the team that a page names. */
const Chip = ({ name, path }: { readonly name: string; readonly path: string }) => {
  const fill = teamColour(name.replace(/ win$/, ""), path)
  return fill === undefined ? null : (
    <svg class="team" width="10" height="10" aria-hidden="true">
      <circle cx="5" cy="5" r="4.5" fill={fill} />
    </svg>
  )
}

/** Our number as a dot, the market's as a stroke, and the span between them or our range. */
export const Scale = ({ model, market, range = [model, market ?? model], ends }: Track) => {
  const [low, high] = range.toSorted((a, b) => a - b) as [number, number]
  return (
    <svg class="scale" width="100%" height={ends === undefined ? 14 : 32} aria-hidden="true">
      <rect class="rail" y="6" width="100%" height="2" />
      <rect class="model" x={`${round(100 * low)}%`} y="6" width={`${round(100 * (high - low))}%`} height="2" />
      {market !== undefined && <rect class="market" x={`${round(100 * market)}%`} width="2" height="14" />}
      <circle class="model" cx={`${round(100 * model)}%`} cy="7" r="4" />
      {ends?.map((end, n) => (
        <text key={end} x={n === 0 ? "0" : "100%"} y="29" text-anchor={n === 0 ? undefined : "end"}>
          {end}
        </text>
      ))}
    </svg>
  )
}

interface Shows {
  readonly says: Says
  readonly card: CardOf
  readonly place: Place
  readonly isPage: boolean
}

const Said = ({ says, card, place, isPage }: Shows) => {
  const { of, href, we, range, market, marketName = "Market", difference, track } = says
  const price = priceOf(card.call)
  // Of a game's two sides, one without a price shows no market figure.
  const isPriced = market !== undefined || card.says.length < 2
  return (
    <div class="says">
      {of !== undefined && (
        <p class="of">
          <Chip name={of} path={card.path} />
          {href === undefined ? of : <a href={href}>{of}</a>}
        </p>
      )}
      <p class="we">
        <span>{stateOf(card, place.now) === undefined ? "We say" : "We said"}</span>
        {we === undefined ? (
          <small>
            Sealed until it closes, or{" "}
            {place.site.served("/dashboard") ? (
              <a href={playgroundOf(card.call.endpoint.id, card.call.params)}>buy it for {price}</a>
            ) : (
              `sold for ${price}`
            )}
            .
          </small>
        ) : (
          <strong>{we}</strong>
        )}
      </p>
      {isPriced && (
        <p class="they">
          <span>{marketName}</span>
          {market === undefined ? <small>no price</small> : <strong>{market}</strong>}
        </p>
      )}
      {difference !== undefined && (
        <p class="gap">
          <span>Difference</span>
          <strong>{difference}</strong>
        </p>
      )}
      {track !== undefined && <Scale {...track} ends={isPage ? track.ends : undefined} />}
      {range !== undefined && <small class="range">80 % within {range}</small>}
    </div>
  )
}

/** The ask with the best gain by the pool; where none is worth its price, that of the largest difference. */
const Worth = ({ lines }: Pick<CardOf, "lines">) => {
  const asks = lines.flatMap(({ ask, gain, model = 0, market = model, ...line }) =>
    ask === undefined || gain === undefined ? [] : [{ ...line, ask, gain, gap: Math.abs(model - market) }],
  )
  const isWorth = asks.some(({ gain }) => gain > 0)
  const [best] = asks.sort((a, b) => (isWorth ? b.gain - a.gain : b.gap - a.gap))
  if (best === undefined) return null
  const cents = gainInCents(Math.abs(best.gain))
  return (
    <p class="worth">
      <span class={isWorth ? "badge good" : "badge"}>{isWorth ? "Worth its ask" : "No trade"}</span>{" "}
      {isWorth ? "Buy" : "At the largest difference,"} {best.ask.side} on{" "}
      <a href={marketPath(best.ticker)}>{best.name.replace(/ win$/, "")}</a> at <b>{best.ask.price}</b>
      {isWorth ? ", " : " loses "}
      <b class={isWorth ? "up" : ""}>{isWorth ? cents : cents.slice(1)}</b> {isWorth && "expected "}after fees, by the
      pool of our probability and the market's.
    </p>
  )
}

export const askCell = ({ ask }: Pick<Line, "ask">) => (ask === undefined ? "–" : `${ask.side} ${ask.price}`)

const Actions = ({ card, place: { site, catalogue, now } }: { readonly card: CardOf; readonly place: Place }) => {
  const { alert, call } = card
  return (
    <p class="actions">
      {alert !== undefined && stateOf(card, now) === undefined && site.served("/dashboard") && (
        <a class="button" href={addressWith("/dashboard/alerts/new", { ...alert })}>
          Alert me
        </a>
      )}
      <a class="button plain" href={addressOfRun(catalogue, call.endpoint, call.params)}>
        Get it by API
      </a>
    </p>
  )
}

const Lines = ({ card: { lines, happened, path } }: { readonly card: CardOf }) => {
  const isOpen = lines.some(({ model }) => model !== undefined)
  const isPriced = lines.some(({ ask }) => ask !== undefined)
  const share = (p: number | undefined) => (p === undefined ? "–" : percent(p))
  return (
    <List
      caption="All contracts of this event"
      isCards={false}
      rows={lines}
      columns={[
        [
          "Contract",
          ({ name, ticker }) => (
            <>
              <Chip name={name} path={ticker} />
              <a href={marketPath(ticker)} aria-current={marketPath(ticker) === path ? "page" : undefined}>
                {name.replace(/ USD$/, "")}
              </a>
            </>
          ),
        ],
        isOpen && [numeric("We"), ({ model }) => share(model)],
        [numeric("Market"), ({ market }) => share(market)],
        isOpen && [wide("Pool"), ({ pool }) => share(pool)],
        isPriced && [wide("Ask"), askCell],
        isPriced && isOpen && [numeric("Expected gain"), ({ gain }) => gainInCents(gain)],
        happened !== undefined && [
          numeric("Result"),
          ({ result = "–" }) => (result === "yes" ? <strong class="won">yes</strong> : result),
        ],
      ]}
    />
  )
}

/** The contract on which we and the market differ most, where the card says a value. */
const widest = ({ lines, says }: CardOf): Says | undefined =>
  says.length > 1 || says[0]?.chances !== undefined
    ? undefined
    : lines
        .flatMap(({ name: of, ticker, model, market }) =>
          model === undefined || market === undefined
            ? []
            : [{ ...saysOf(model, market), of, href: marketPath(ticker), gap: model - market }],
        )
        .toSorted((a, b) => Math.abs(b.gap) - Math.abs(a.gap))[0]

/** A subject in full. */
export const Card = ({
  card,
  place,
  record,
  isPage = false,
  isShort = false,
  facts = {},
}: {
  readonly card: CardOf
  readonly place: Place
  /** How good we have been here. */
  readonly record?: ComponentChildren
  /** Whether its title is the page's. */
  readonly isPage?: boolean
  /** Without its contracts and actions. */
  readonly isShort?: boolean
  readonly facts?: Readonly<Record<string, ComponentChildren>>
}) => {
  const { title, path, picture, isSample, lines, settles, venue, happened, line, leaf, writtenAt, closesAt } = card
  const { site, now } = place
  const bold = isShort ? widest(card) : undefined
  const says = bold === undefined ? card.says : [bold]
  return (
    <article class="subject">
      <header>
        {isPage ? (
          <h1>{title}</h1>
        ) : (
          <h2>
            <a href={path}>{title}</a>
          </h2>
        )}
        <Sample isSample={isSample} />
        <Closes card={card} now={now} />
      </header>
      <div class="figures">
        {[...says, ...(line === undefined ? [] : [line])].map((each) => (
          <Said key={each.of} says={each} card={{ ...card, says }} place={place} isPage={isPage} />
        ))}
        {!isShort && <Worth lines={lines} />}
        {!isShort && <Actions card={card} place={place} />}
      </div>
      {happened !== undefined && (
        <p class="happened">
          Happened: <strong>{happened}</strong>
        </p>
      )}
      {picture !== undefined && plot(picture)}
      {lines.length > 0 && !isShort && <Lines card={card} />}
      <Facts
        of={{
          "Settles by": settles !== undefined && (
            <>
              {settles}
              {venue !== undefined && (
                <>
                  {" · "}
                  <a href={venue.href} rel="external">
                    rules at {venue.name}
                  </a>
                </>
              )}
            </>
          ),
          "Our record here": record ?? false,
          "Written down": writtenAt !== undefined && closesAt !== undefined && (
            <>
              {duration(closesAt - writtenAt)} before the close
              {leaf !== undefined && site.served("/record") && (
                <>
                  , <a href={entryPath(leaf)}>its entry in the record</a>
                </>
              )}
            </>
          ),
          ...facts,
        }}
      />
    </article>
  )
}

/** A subject in a list: of two sides each has its line, which name it. */
export const Tile = ({ title, path, says, closesAt, state, happened, line, now }: Item & { readonly now: number }) => {
  const [, name, day] = /^(.*), (\d+ \w+ \d{4})$/.exec(title) ?? [undefined, title, undefined]
  const when = [
    day?.replace(` ${new Date(now).getUTCFullYear()}`, ""),
    state ?? (closesAt === undefined ? undefined : closeText(closesAt, now)),
    happened,
    state === undefined && line !== undefined && `posted line ${line.market}`,
  ].filter((each) => each !== undefined && each !== false)
  return (
    <li>
      <a class="tile" href={path}>
        {says.length < 2 && <strong class="name">{name}</strong>}
        {says.map(({ of, we, market, track }, at) => (
          <span class="pair" key={of}>
            {of !== undefined && (
              <span>
                <Chip name={of} path={path} />
                {of}
              </span>
            )}
            {we === undefined ? <small>sealed</small> : <strong>{we}</strong>}
            {market !== undefined && (
              <small>
                {of === undefined ? "market " : <span class="unseen">market </span>}
                {market}
              </small>
            )}
            {at === 0 && track !== undefined && <Scale {...track} ends={undefined} />}
          </span>
        ))}
        {when.length > 0 && <small class="soft">{when.join(" · ")}</small>}
      </a>
    </li>
  )
}
