/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { fail } from "../../../../../core/Failure.ts"
import { type JobRun, runState } from "../../../../../core/jobs/JobRuns.ts"
import { nextSlot } from "../../../../../core/jobs/schedule.ts"
import { ChangeLog } from "../../../../../core/people/Change.ts"
import { sourceVerbs } from "../../../../admin/sourceVerbs.ts"
import * as conditions from "../../../condition/ofService.ts"
import { Service } from "../../../StatusPage.tsx"
import { List, numeric, State } from "../../../view/parts.tsx"
import { runLogged, toAction as runsVerb } from "../../actions.ts"
import { Form, VerbForm } from "../../Form.tsx"
import type { Operation } from "../../Operation.ts"
import type { Action, Page, Visit } from "../../Page.ts"
import { Time } from "../../parts.tsx"
import { root } from "./paths.ts"

const path = `${root}/service` as const
const { sourcesVoid } = sourceVerbs

/** Runs of one job that a page shows. */
const runsShown = 20

/** The report of readiness, and the last run of each job. */
export const readService = ({ ready, jobs, runs }: Operation, now: number) =>
  Effect.gen(function* () {
    const { report } = yield* ready
    const lasts = yield* Effect.forEach(jobs, ({ name }) => Effect.map(runs(name, 1), ([last]) => last))
    const reported = new Map(report.jobs?.map((job) => [job.name, job]))
    const states = jobs.map(({ name }, at): conditions.Run => {
      const last = lasts[at]
      const failed = last?.finished?.outcome === "failed" ? last.finished.detail : undefined
      return {
        name,
        state: last === undefined ? "never_run" : runState(last, now),
        overdue: reported.get(name)?.overdue === true,
        ...(failed === undefined ? {} : { detail: failed }),
      }
    })
    return { report, lasts, states }
  })

const showRun = (run: JobRun | undefined, now: number) =>
  run === undefined ? (
    "never run"
  ) : (
    <>
      <State is={conditions.ofRun(run, now)} /> <Time at={run.startedAt} isExact />
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

const listRuns = ({ name, description }: Operation["jobs"][number], runs: ReadonlyArray<JobRun>, now: number) => (
  <section class="listing">
    <h2>Runs of {name}</h2>
    <p>{description}</p>
    <List
      caption={`The newest runs of ${name}`}
      rows={runs}
      empty="It has never run."
      columns={[
        ["For", ({ slot }) => <Time at={slot} isExact />],
        ["Run", (run) => showRun(run, now)],
        [numeric("Attempt"), ({ attempt }) => attempt],
        [numeric("Took"), durationText],
      ]}
    />
  </section>
)

type Read = Effect.Effect.Success<ReturnType<typeof readService>>

const listJobs = (jobs: Operation["jobs"], { lasts, states }: Read, visit: Visit) => (
  <section class="listing">
    <h2>Jobs</h2>
    <List
      caption="Jobs and their last runs"
      rows={jobs}
      empty="This server runs no jobs."
      columns={[
        ["Job", ({ name }) => <a href={`${path}?job=${name}`}>{name}</a>],
        ["State", (_, at) => <State is={conditions.job(states[at]!)} />],
        ["Last run", (_, at) => showRun(lasts[at], visit.now)],
        [
          "Next",
          ({ schedule }) => (
            <>
              <Time at={nextSlot(schedule, visit.now)} />
              <br />
              <small>{schedule.text}</small>
            </>
          ),
        ],
        [
          "Action",
          ({ name }) => <Form visit={visit} action="run" button="Run" about={name} given={{ job: name }} isInline />,
        ],
      ]}
    />
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
        if (last !== undefined && runState(last, visit.now) === "running") {
          return yield* fail("invalid_parameter", { detail: `${job.name} is running already.` })
        }
        // The line first: a form that was sent before begins nothing again.
        yield* runLogged(
          visit,
          { verb: "job_run", subject: job.name },
          Effect.flatMap(ChangeLog, ({ appendCurrent: note }) => note),
        )
        yield* start(job.name)
        return { to: `${path}?job=${job.name}` }
      }),
  }

  return {
    path,
    label: "Lanes and jobs",
    audience: "operator",
    view: (visit) =>
      Effect.gen(function* () {
        const read = yield* readService(operation, visit.now)
        const asked = jobs.find(({ name }) => name === visit.query.get("job"))
        const all = asked === undefined ? [] : yield* runs(asked.name, runsShown)
        return {
          title: "Lanes and jobs",
          body: (
            <>
              <Service report={read.report} modes={modes} now={visit.now} isOperatorView />
              {asked !== undefined && listRuns(asked, all, visit.now)}
              {listJobs(jobs, read, visit)}
              <h2>Void a stored value</h2>
              <VerbForm visit={visit} action="void" button="Void value" verb={sourcesVoid} />
            </>
          ),
        }
      }),
    actions: { run, void: runsVerb(sourcesVoid, () => ({ to: path })) },
  }
}
