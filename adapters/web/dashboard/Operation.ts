import * as Effect from "effect/Effect"
import type { Freshness } from "../../../core/endpoint/Answer.ts"
import type { Failure } from "../../../core/Failure.ts"
import type { Job } from "../../../core/jobs/Job.ts"
import type { JobRun } from "../../../core/jobs/JobRuns.ts"
import { type Ready, ready } from "../../server/http/health.ts"

/** Jobs, modes and readiness of a running server, for the operator's pages. */
export interface Operation {
  readonly ready: Ready
  /** Each lane's data source for live keys, by lane name. */
  readonly modes: Readonly<Record<string, Freshness>>
  readonly jobs: ReadonlyArray<Pick<Job, "name" | "description" | "schedule">>
  /** The newest runs of a job, newest first. */
  readonly runs: (job: string, limit: number) => Effect.Effect<ReadonlyArray<JobRun>, Failure>
  /** Begins a run by hand, which ends with the server. */
  readonly start: (job: string) => Effect.Effect<void>
}

/** A server that answers, and nothing else. */
export const idle: Operation = {
  ready,
  modes: {},
  jobs: [],
  runs: () => Effect.succeed([]),
  start: () => Effect.void,
}
