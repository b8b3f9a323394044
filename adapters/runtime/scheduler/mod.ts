/**
 * The scheduler: runs jobs at their slots, each slot once across all processes.
 *
 * @module
 */

export { type Job, type JobError, Slot } from "../../../core/jobs/Job.ts"
export { type Claim, type ClaimedRun, type JobRun, JobRuns } from "../../../core/jobs/JobRuns.ts"
export * as Schedule from "../../../core/jobs/schedule.ts"
export { runOnce } from "./runOnce.ts"
export { layer as layerScheduler } from "./Scheduler.ts"
