import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Module from "../../../../adapters/lanes/LaneModule.ts"
import { concurrencyLimit } from "../../../../adapters/runtime/upstream/concurrencyLimit.ts"
import { getJson, toFailure } from "../../../../adapters/runtime/upstream/upstream.ts"
import type { Due } from "../../../../core/feeds/Due.ts"
import { attempting } from "../../../../core/feeds/Feeds.ts"
import { makeJob } from "../../../../core/jobs/Job.ts"
import { hourly } from "../../../../core/jobs/schedule.ts"
import { gauges, Levels, Toy } from "../core/Toy.ts"
import { mock } from "./mock.ts"

const due: Due = { name: "toy_levels", title: "Levels of gauges", due: "Every hour.", absence: "Calls are refused." }
const schedule = hourly(5)

const Reading = Schema.Struct({ cm: Schema.Int })

/** The gauges' service, two requests at a time. */
export const live = (settings: Module.Settings<"toy">) =>
  Layer.effect(
    Levels,
    Effect.map(HttpClient.HttpClient, (client) => {
      const slot = concurrencyLimit("toy", { atOnce: 2, atMost: 16 })
      const upstream = { name: "toy", baseUrl: settings.toy, headers: { "user-agent": settings.userAgent }, slot }
      return {
        freshness: "live",
        at: (gauge) =>
          Effect.mapBoth(getJson(client, upstream, Reading, "/reading", { gauge }), {
            onFailure: toFailure,
            onSuccess: ({ cm }) => cm,
          }),
      }
    }),
  )

/** Every hour: whether every gauge still answers. */
const job = makeJob({
  name: "toy-levels",
  description: "Read every gauge.",
  schedule,
  catchUp: "latest",
  run: Effect.gen(function* () {
    const { at } = yield* Levels
    const read = yield* attempting(due, Effect.forEach(gauges, at))
    return `read ${read.join(" and ")} cm`
  }),
})

/** A lane as a new one is added: one service with one upstream. */
export const toy = Module.define(Toy, {
  upstreams: { toy: "https://gauges.example" },
  mock,
  live,
  shadowed: [{ tag: Levels }],
  jobs: ({ mode }) => (mode === "live" ? Effect.all([job]) : Effect.succeed([])),
  feeds: () => Effect.succeed([{ feed: due, upstreams: ["toy"], schedule }]),
})
