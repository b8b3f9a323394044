import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as hasher from "../../adapters/runtime/node/hasher.ts"
import { runOnce } from "../../adapters/runtime/scheduler/runOnce.ts"
import * as Breaker from "../../adapters/runtime/upstream/breaker.ts"
import type { Settings } from "../../services/Config.ts"
import * as Jobs from "../../services/jobs.ts"
import { signer } from "../../services/record.ts"
import type { SetClock } from "./clock.ts"
import { type Route, replay } from "./replay.ts"
import { settings, start } from "./running.ts"

export type Upstream = Exclude<keyof Settings["upstreams"], "userAgent">

/** A server whose live lanes ask upstreams of this machine; its jobs run when they are told to, at the time of its clock. */
export const liveServer = async (
  changes: Partial<Settings>,
  upstreams: Readonly<Partial<Record<Upstream, ReadonlyArray<Route>>>>,
  clock: SetClock,
  name = "tester",
) => {
  const scope = Effect.runSync(Scope.make())
  const stands = await Promise.all(
    Object.entries(upstreams).map(async ([upstream, routes]) => {
      const { url } = await Effect.runPromise(Scope.extend(replay(routes), scope))
      return [upstream, url] as const
    }),
  )
  const urls = { ...settings(changes).upstreams, ...Object.fromEntries(stands) }
  const config = { recordKeyNew: true, secretsKeyNew: true, ...changes, upstreams: urls }
  const server = await start(config, {
    name,
    balance: 1_000_000_000,
    clock,
    log: [],
    sources: Breaker.makeSourceList(),
  })
  const parts = Layer.mergeAll(Jobs.layer(settings(config)), signer(settings(config)), hasher.layer)
  const context = await server.run(Effect.withClock(Scope.extend(Layer.build(parts), scope), clock))
  return {
    ...{ server, context, config: settings(config) },
    /** Runs jobs in this order; returns those that failed, with their details. */
    jobs: (names: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
      Effect.gen(function* () {
        const jobs = yield* Jobs.Jobs
        const failed: Array<string> = []
        for (const wanted of names) {
          const ended = yield* runOnce(jobs.find((job) => job.name === wanted)!)
          if (ended._tag !== "Finished") failed.push(`${wanted}: ${ended._tag}`)
          else if (ended.outcome !== "ok") failed.push(`${wanted}: ${ended.detail}`)
        }
        return failed
      }).pipe(Effect.provide(context), Effect.withClock(clock), server.run),
    stop: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await server.stop()
    },
  }
}

export type LiveServer = Awaited<ReturnType<typeof liveServer>>
