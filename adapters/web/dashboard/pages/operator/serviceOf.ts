import * as Effect from "effect/Effect"
import { stateOf } from "../../../../../core/jobs/JobRuns.ts"
import * as conditions from "../../../../server/http/condition/ofService.ts"
import type { Operation } from "../../Operation.ts"

/** The report of readiness, the last run of each job, and what both come to. */
export const readService = ({ ready, modes, jobs, runs }: Operation, now: number) =>
  Effect.gen(function* () {
    const { report } = yield* ready
    const lasts = yield* Effect.forEach(jobs, ({ name }) => Effect.map(runs(name, 1), ([last]) => last))
    const reported = new Map(report.jobs?.map((job) => [job.name, job]))
    const states = jobs.map(({ name }, at): conditions.Run => {
      const last = lasts[at]
      const failed = last?.finished?.outcome === "failed" ? last.finished.detail : undefined
      return {
        name,
        state: last === undefined ? "never_run" : stateOf(last, now),
        overdue: reported.get(name)?.overdue === true,
        ...(failed === undefined ? {} : { detail: failed }),
      }
    })
    return { report, lasts, states, service: conditions.service(report, modes, now, states) }
  })
