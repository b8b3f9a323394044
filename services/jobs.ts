import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { modules } from "../adapters/lanes/all.ts"
import * as Worlds from "../adapters/lanes/world.ts"
import { runOnce } from "../adapters/runtime/scheduler/runOnce.ts"
import type { Ready } from "../adapters/server/http/health.ts"
import * as auditTrail from "../adapters/store/audit/AuditTrail.ts"
import * as usage from "../adapters/store/audit/Usage.ts"
import * as peopleStore from "../adapters/store/people/PeopleStore.ts"
import * as captures from "../adapters/store/record/Captures.ts"
import * as outcomes from "../adapters/store/record/Outcomes.ts"
import * as jobRuns from "../adapters/store/upkeep/JobRuns.ts"
import {
  moveUsage,
  pruneRuns,
  reconcileOrders,
  recordCheckpoint,
  retention,
} from "../adapters/store/upkeep/storeJobs.ts"
import type { Operation } from "../adapters/web/dashboard/Operation.ts"
import type { Job } from "../core/jobs/Job.ts"
import { JobRuns } from "../core/jobs/JobRuns.ts"
import type { Tables, World } from "./app.ts"
import { laneModes, type Settings, worldConfig } from "./Config.ts"
import { laneChecks } from "./laneStates.ts"
import { type PaymentSettingsError, payments } from "./payments.ts"
import { record, signer } from "./record.ts"

export class Jobs extends Context.Tag("market-signals/services/Jobs")<Jobs, ReadonlyArray<Job>>() {}

export const layer = (config: Settings): Layer.Layer<Jobs | JobRuns, PaymentSettingsError, Tables | World> =>
  Layer.effect(
    Jobs,
    Effect.map(
      Effect.all([
        Effect.all([pruneRuns, retention(config.auditMonths), recordCheckpoint, moveUsage, reconcileOrders]),
        Worlds.jobs(modules, worldConfig(config)),
        laneChecks(laneModes(config), config.unaccepted),
      ]),
      (jobs) => jobs.flat(),
    ),
  ).pipe(
    Layer.provide([
      FetchHttpClient.layer,
      auditTrail.layer,
      peopleStore.layer,
      usage.layer,
      payments(config),
      Layer.merge(captures.layer, outcomes.layer).pipe(Layer.provideMerge(record)),
      signer(config),
    ]),
    Layer.provideMerge(jobRuns.layer),
  )

/** Jobs and readiness for operators; runs that an operator starts end with the scope. */
export const operation = (
  ready: Ready,
  modes: Operation["modes"],
): Effect.Effect<Operation, never, JobRuns | Jobs | Scope.Scope> =>
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const runs = yield* JobRuns
    const scope = yield* Effect.scope
    return {
      ready,
      modes,
      jobs,
      runs: runs.recent,
      start: (name) =>
        Effect.asVoid(
          Effect.forEach(
            jobs.filter((job) => job.name === name),
            (job) =>
              runOnce(job).pipe(
                Effect.catchAll((failure) => Effect.logError(`Job ${name} could not begin`, failure)),
                Effect.provideService(JobRuns, runs),
                Effect.forkIn(scope),
              ),
          ),
        ),
    }
  })
