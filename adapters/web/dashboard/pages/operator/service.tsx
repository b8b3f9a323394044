/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { fail } from "../../../../../core/Failure.ts"
import { type JobRun, stateOf } from "../../../../../core/jobs/JobRuns.ts"
import { nextSlot } from "../../../../../core/jobs/schedule.ts"
import { ChangeLog } from "../../../../../core/people/Change.ts"
import { job, ofRun } from "../../../../server/http/condition/ofService.ts"
import { Lanes, Summary } from "../../../StatusPage.tsx"
import { numeric, State, Table } from "../../../view/parts.tsx"
import { Form } from "../../Form.tsx"
import { logged } from "../../logged.ts"
import type { Operation } from "../../Operation.ts"
import type { Action, Page } from "../../Page.ts"
import { Time } from "../../parts.tsx"
import { Parts, root } from "./frame.tsx"
import { readService } from "./serviceOf.ts"

const path = `${root}/service` as const

/** Runs of one job that a page shows. */
const runsShown = 20

const Run = ({ run, now }: { readonly run: JobRun | undefined; readonly now: number }) =>
  run === undefined ? (
    <>never run</>
  ) : (
    <>
      <State is={ofRun(run, now)} /> <Time at={run.startedAt} isExact />
      {run.finished !== undefined && (
        <>
          <br />
          <small>{run.finished.detail}</small>
        </>
      )}
    </>
  )

/** How long a run took; absent: it goes on, or its process ended. */
const durationText = ({ startedAt, finished }: JobRun): string =>
  finished === undefined ? "–" : `${((finished.at - startedAt) / 1_000).toFixed(1)} s`

const Runs = ({
  job,
  runs,
  now,
}: {
  readonly job: Operation["jobs"][number]
  readonly runs: ReadonlyArray<JobRun>
  readonly now: number
}) => (
  <section class="listing">
    <h2>Runs of {job.name}</h2>
    <p>{job.description}</p>
    {runs.length === 0 ? (
      <p>It has never run.</p>
    ) : (
      <Table
        caption={`The newest runs of ${job.name}`}
        columns={["For", "Run", numeric("Attempt"), numeric("Took")]}
        rows={runs.map((run) => [
          <Time key="slot" at={run.slot} isExact />,
          <Run key="run" run={run} now={now} />,
          run.attempt,
          durationText(run),
        ])}
      />
    )}
  </section>
)

/** Lanes with the age of their data, and jobs with their last runs, which an operator can begin. */
export const servicePage = (operation: Operation): Page => {
  const { modes, jobs, runs, start } = operation

  const run: Action = {
    run: (visit, values) =>
      Effect.gen(function* () {
        const job = jobs.find(({ name }) => name === values.get("job"))
        if (job === undefined) return yield* fail("invalid_parameter", { detail: "There is no such job." })
        const [last] = yield* runs(job.name, 1)
        if (last !== undefined && stateOf(last, visit.now) === "running") {
          return yield* fail("invalid_parameter", { detail: `${job.name} is running already.` })
        }
        // The line first: a form that was sent before begins nothing again.
        yield* logged(
          visit,
          { verb: "job_run", subject: job.name },
          Effect.flatMap(ChangeLog, ({ note }) => note),
        )
        yield* start(job.name)
        return { to: `${path}?job=${job.name}` }
      }),
  }

  return {
    path,
    audience: "operator",
    view: (visit) =>
      Effect.gen(function* () {
        const { report, lasts, states, service } = yield* readService(operation, visit.now)
        const asked = jobs.find(({ name }) => name === visit.query.get("job"))
        const all = asked === undefined ? [] : yield* runs(asked.name, runsShown)
        return {
          title: "Lanes and jobs",
          body: (
            <Parts at={path}>
              <Summary of={service} />
              <Lanes report={report} modes={modes} now={visit.now} />
              {asked !== undefined && <Runs job={asked} runs={all} now={visit.now} />}
              <section class="listing">
                <h2>Jobs</h2>
                {jobs.length === 0 ? (
                  <p>This server runs no jobs.</p>
                ) : (
                  <Table
                    caption="Jobs and their last runs"
                    columns={["Job", "State", "Last run", "Next", "Action"]}
                    rows={jobs.map(({ name, schedule }, at) => [
                      <a key="job" href={`${path}?job=${name}`}>
                        {name}
                      </a>,
                      <State key="state" is={job(states[at]!)} />,
                      <Run key="last" run={lasts[at]} now={visit.now} />,
                      <>
                        <Time at={nextSlot(schedule, visit.now)} />
                        <br />
                        <small>{schedule.text}</small>
                      </>,
                      <Form
                        key="run"
                        visit={visit}
                        action="run"
                        button="Run"
                        about={name}
                        given={{ job: name }}
                        isInline
                      />,
                    ])}
                  />
                )}
              </section>
            </Parts>
          ),
        }
      }),
    actions: { run },
  }
}
