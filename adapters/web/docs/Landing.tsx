/** @jsxRuntime automatic @jsxImportSource preact */
import { demoKey } from "../../../core/account/ApiKey.ts"
import { display } from "../../../core/account/Money.ts"
import * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import * as Release from "../../../core/release.ts"
import { enumeration } from "../../../core/text.ts"
import { docs, docsOf } from "../../describe/describe.ts"
import type { Board } from "../../describe/figures.ts"
import * as Configuration from "../../describe/tools/configuration.ts"
import * as Protocol from "../../describe/tools/protocol.ts"
import type { Site } from "../../server/http/Site.ts"
import { Drawing } from "../pictures/pictures.tsx"
import * as Record from "../record/RecordPage.tsx"
import * as Scoreboard from "../scoreboard/page.tsx"
import { demonstration, verdict } from "../scoreboard/verdict.ts"
import type { Shown, View } from "../subjects/Subject.ts"
import { copyScript } from "../view/assets.ts"
import { page } from "../view/Page.tsx"
import { Code, Facts, numeric, Samples, Table, Tabs } from "../view/parts.tsx"
import { EditorLinks } from "./EditorLinks.tsx"
import { addressOfRun } from "./reference/running.ts"
import { chooseShown, makeSamples } from "./reference/samples.ts"

/** The first answer: what its page shows, and the answer itself. */
export interface Today {
  readonly view: View
  /** As the reference's examples: lists are cut. */
  readonly answer: unknown
}

interface Props {
  readonly catalogue: Catalogue.Any
  readonly site: Site
  readonly baseUrl: string
  /** Absent: the catalogue has no scoreboard, or it could not be read. */
  readonly board: Board | undefined
  /** Absent: there is none, or it could not be read. */
  readonly today: Today | undefined
}

/** The prices of some endpoints in one expression. */
const priceRange = (endpoints: ReadonlyArray<Endpoint.Any>): string => {
  const prices = [...new Set(endpoints.map(Endpoint.charge))].sort((a, b) => a - b)
  const [low, high] = [prices[0], prices.at(-1)]
  if (low === undefined || high === undefined) return "–"
  return low === high ? display(low) : `${display(low)} to ${display(high)}`
}

const Prices = ({ catalogue }: Pick<Props, "catalogue">) => (
  <Table
    caption="Prices of a call by lane"
    columns={["Lane", numeric("Records"), numeric("Forecasts"), { name: "Data and signals", isWide: true }]}
    rows={catalogue.lanes.map(({ name, description }) => {
      const own = Catalogue.live(catalogue).flatMap(({ endpoint, lane }) => (lane.name === name ? [endpoint] : []))
      return [
        <a key={name} class="lane" href={docsOf(name)}>
          {name}
        </a>,
        own.length === 0 ? "in development" : priceRange(own.filter(({ kind }) => kind !== "Signal")),
        priceRange(own.filter(({ kind }) => kind === "Signal")),
        description,
      ]
    })}
  />
)

/** Who is ahead, model or market, with the forest plot. */
const Verdict = ({ board: { results, freshness }, site }: { readonly board: Board; readonly site: Site }) => (
  <div class="columns board">
    <section>
      <h2>Model against market</h2>
      <p class="lead">{verdict(results.overall)}</p>
      {freshness !== "live" && <p class="notice">{demonstration}</p>}
      <p>
        {site.served(Scoreboard.path) && (
          <>
            <a href={Scoreboard.path}>The scoreboard</a> has every settled market, misses included.{" "}
          </>
        )}
        {site.served(Record.path) && (
          <>
            <a href={Record.path}>The record</a> proves that each forecast was written down before its outcome.
          </>
        )}
      </p>
    </section>
    <div class="wide">
      <Scoreboard.Domains {...results} />
    </div>
  </div>
)

/** The first screen: what it is, what to press, and the product at work. */
const Hero = ({ catalogue, site, baseUrl, today }: Omit<Props, "board">) => {
  const shown = chooseShown(catalogue)
  const run = shown === undefined ? docs : addressOfRun(catalogue, shown, shown.example as Shown["params"])
  const [picture] = today?.view.pictures ?? []
  return (
    <div class="columns hero">
      <section>
        <h1>Forecasts and official data for prediction markets, as an API for your agents</h1>
        <p class="lead">
          {enumeration(
            catalogue.lanes.map(({ name }) => name),
            "and",
          ).replace(/^./, (first) => first.toUpperCase())}
          . Most calls cost 0.1 to 1 cent; failed calls are free. Every forecast is written down before the outcome and
          scored in public, misses included.
        </p>
        <p class="actions">
          <a class="button" href={site.served("/dashboard") ? "/dashboard/keys/new" : `${docs}#authentication`}>
            Get a key
          </a>
          <a class="button plain" href={run}>
            Run it
          </a>
        </p>
        {today !== undefined && <Facts of={firstFacts(today.view)} />}
      </section>
      {picture !== undefined && shown !== undefined && (
        <section>
          <Drawing {...picture} title="Today's high in New York, as probabilities" />
          <p class="soft">
            <span class="badge">{display(shown.priceMicros)}</span> Sample data.{" "}
            <a href="/weather/KNYC">The whole page</a>
          </p>
        </section>
      )}
      {shown !== undefined && (
        <section>
          <h2>The call</h2>
          <Samples id={shown.id} samples={makeSamples(shown, baseUrl, demoKey)} />
          <p class="soft">Runs as it stands: the demo key is free and answers sample data.</p>
        </section>
      )}
      {today !== undefined && (
        <section>
          <h2>The answer</h2>
          <Code text={JSON.stringify(today.answer, null, 2)} lang="json" label="Sample answer" />
        </section>
      )}
    </div>
  )
}

const firstFacts = ({ facts }: View): View["facts"] =>
  Object.fromEntries(
    Object.entries(facts).filter(([name]) => ["Official reading so far", "Next final report"].includes(name)),
  )

/** Settings and programs to copy. */
const Begin = ({ site, baseUrl }: Pick<Props, "site" | "baseUrl">) => (
  <section>
    <h2>Three ways to begin</h2>
    <Tabs
      id="begin"
      label="Ways to begin"
      panels={[
        ...(site.served(Protocol.paths.streamable)
          ? [
              [
                "MCP",
                <>
                  <p>
                    Every endpoint as a tool, with its price. <EditorLinks baseUrl={baseUrl} />, or with Claude Code:
                  </p>
                  <Code text={Configuration.claudeCode(baseUrl, "$MARKET_SIGNALS_KEY")} lang="sh" />
                </>,
              ] as const,
            ]
          : []),
        [
          "HTTP",
          <>
            <p>
              One GET with a key in the header. <a href={docs}>The reference</a> runs each endpoint and has it as curl,
              TypeScript, Python and MCP.
            </p>
            <Code
              text={`curl -H "Authorization: Bearer ${demoKey}" "${baseUrl}/v1/crypto/signal?asset=BTC"`}
              lang="sh"
            />
          </>,
        ],
        [
          "Library",
          <>
            <p>The client, the command line and the core itself, for Node, Deno and browsers.</p>
            <Code
              text={`npm install ${Configuration.installable} effect@3\n\nimport { make } from "market-signals/client"`}
              lang="ts"
            />
          </>,
        ],
      ]}
    />
  </section>
)

const readers = [
  ["Agents", "find tools by MCP, see the price first, and keep to their cap."],
  ["Developers", "embed the core, or call HTTP with one typed client."],
  ["Operators", "run one program and a file, or many nodes on PostgreSQL."],
  ["Researchers", "take every settled market, and enter their own models."],
] as const

/** The first page: the product at work, why to trust it, how to begin and what it costs. */
export const landing = ({ catalogue, site, baseUrl, board, today }: Props): string =>
  page(
    {
      title: `${Release.name}: forecasts and official data for prediction markets`,
      description: Release.description,
      path: "/",
      script: copyScript,
    },
    site,
    <div class="front">
      <Hero catalogue={catalogue} site={site} baseUrl={baseUrl} today={today} />
      {board !== undefined && board.results.overall.markets_scored > 0 && <Verdict board={board} site={site} />}
      <Begin site={site} baseUrl={baseUrl} />
      <section class="listing">
        <h2>Prices</h2>
        <Prices catalogue={catalogue} />
        <p class="soft">
          Failed calls, quotes (<code>dry_run=true</code>), HEAD, 304 and repeats under one <code>Idempotency-Key</code>{" "}
          are free.
        </p>
      </section>
      <section>
        <h2>Made for</h2>
        <Facts of={Object.fromEntries(readers)} />
      </section>
    </div>,
  )
