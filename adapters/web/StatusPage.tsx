/** @jsxRuntime automatic @jsxImportSource preact */

import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import type { Freshness } from "../../core/endpoint/Answer.ts"
import { count } from "../../core/text.ts"
import * as describe from "../describe/describe.ts"
import type { Ready, Report } from "../server/http/health.ts"
import type { Route } from "../server/http/route.ts"
import { Site } from "../server/http/Site.ts"
import * as Wire from "../server/http/wire.ts"
import * as conditions from "./condition/ofService.ts"
import { pageHeaders } from "./view/assets.ts"
import { documentAt, types } from "./view/document.ts"
import { page } from "./view/Page.tsx"
import { Facts, State, Table } from "./view/parts.tsx"

const Time = ({ at }: { readonly at: string | null }) =>
  at === null ? <>–</> : <time datetime={at}>{at.replace("T", " ").slice(0, 19)}</time>

export const age = (seconds: number | null): string => {
  if (seconds === null) return "–"
  const units = [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
  ] as const
  const [unit, size] = units.find(([, each]) => seconds >= 2 * each) ?? ["s", 1]
  return `${Math.floor(seconds / size)} ${unit}`
}

type Modes = Readonly<Record<string, Freshness>>

/** What all that is known of the service comes to. */
export const Summary = ({ of: { condition, summary } }: { readonly of: conditions.Service }) => (
  <p class="lead">
    <State is={condition} /> {summary}
  </p>
)

export const Lanes = ({
  report,
  modes,
  now,
}: {
  readonly report: Report
  readonly modes: Modes
  readonly now: number
}) => (
  <section class="listing">
    <h2>Lanes</h2>
    <p class="soft">
      What live keys get. <code>live</code>: data from the source; <code>shadow</code>: generated data, compared with
      the source; <code>mock</code>: generated data.
    </p>
    <Table
      caption="Lanes"
      columns={["Lane", "Data", "State", "Last good", "Age"]}
      rows={Object.entries(modes).map(([name, mode]) => {
        const lane = report.lanes?.find((each) => each.lane === name)
        return [
          name,
          mode,
          <State key={name} is={conditions.lane(lane, mode, now)} />,
          <Time key={name} at={lane?.last_good_at ?? null} />,
          age(lane?.age_seconds ?? null),
        ]
      })}
    />
  </section>
)

/** What the sources of live lanes owe. */
export const Feeds = ({ feeds }: { readonly feeds: NonNullable<Report["feeds"]> }) =>
  feeds.length === 0 ? null : (
    <section class="listing">
      <h2>Feeds</h2>
      <p class="soft">What the sources of live lanes must have brought by now, and what is there.</p>
      <Table
        caption="Feeds"
        columns={["Feed", "State", "Newest", "Due", "Last read", "Next attempt"]}
        rows={feeds.map((feed) => [
          feed.title,
          <State key={feed.feed} is={conditions.feed(feed)} />,
          feed.newest ?? "–",
          feed.expected ?? "–",
          <Time key={feed.feed} at={feed.last_good_at} />,
          feed.next_attempt_at === null ? "with the next call" : <Time key={feed.feed} at={feed.next_attempt_at} />,
        ])}
      />
    </section>
  )

const Jobs = ({ jobs }: { readonly jobs: NonNullable<Report["jobs"]> }) => (
  <section class="listing">
    <h2>Jobs</h2>
    <Table
      caption="Jobs"
      columns={["Job", "State", "Last success"]}
      rows={jobs.map((job) => [
        job.name,
        <State key={job.name} is={conditions.job(job)} />,
        <Time key={job.name} at={job.last_ok_at} />,
      ])}
    />
  </section>
)

const Log = ({ record }: { readonly record: NonNullable<Report["record"]> }) => {
  const { leaves, last_checkpoint: last } = record
  return (
    <section>
      <h2>Record</h2>
      <Facts
        of={{
          State: <State is={conditions.record(record)} />,
          Leaves: count(leaves),
          "Last checkpoint":
            last === null ? (
              "none yet"
            ) : (
              <>
                <Time at={last.at} />, {count(last.size)} leaves
              </>
            ),
        }}
      />
    </section>
  )
}

/** The report of `/readyz` as a page to read. */
const statusPage = (report: Report, modes: Modes, site: Site): string => {
  const { at, jobs, record } = report
  const now = Date.parse(at ?? "")
  return page(
    {
      title: "Status",
      description: "Lanes and the age of their data, last runs of jobs, and the record.",
      path: describe.statusPath,
    },
    site,
    <>
      <h1>Status</h1>
      <Summary of={conditions.service(report, modes, now)} />
      {at !== undefined && (
        <p class="soft">
          Checked <Time at={at} />
          {site.served("/readyz") && (
            <>
              {" "}
              from the same report as <a href="/readyz">/readyz</a>
            </>
          )}
          .
        </p>
      )}
      <Lanes report={report} modes={modes} now={now} />
      <Feeds feeds={report.feeds ?? []} />
      {jobs !== undefined && jobs.length > 0 && <Jobs jobs={jobs} />}
      {record !== undefined && <Log record={record} />}
    </>,
  )
}

/**
 * The status page: for people, always 200 when it could be made; probes ask `/readyz`.
 *
 * @param modes each lane's data source for live keys, by lane name
 */
export const make = (ready: Ready, modes: Modes): Route =>
  documentAt(
    describe.statusPath,
    "Lanes, jobs and the record, as a page to read",
    types.html,
    Effect.zipWith(ready, Site, ({ report }, site) =>
      HttpServerResponse.text(statusPage(report, modes, site), {
        headers: { ...Wire.common, ...pageHeaders, "cache-control": "no-store" },
        contentType: types.html,
      }),
    ),
  )
