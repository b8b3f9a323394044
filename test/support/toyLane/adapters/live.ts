import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Module from "../../../../adapters/lanes/LaneModule.ts"
import * as Upstream from "../../../../adapters/runtime/upstream/Definition.ts"
import { toFailure } from "../../../../adapters/runtime/upstream/upstream.ts"
import type { Due } from "../../../../core/feeds/Due.ts"
import * as Job from "../../../../core/jobs/Job.ts"
import { hourly } from "../../../../core/jobs/schedule.ts"
import { makeIdentityCheck } from "../../../../core/sources/identity.ts"
import { gauges, Levels, Toy } from "../core/Toy.ts"
import { mock } from "./mock.ts"

const due: Due = { name: "toy_levels", title: "Levels of gauges", due: "Every hour.", absence: "Calls are refused." }
const schedule = hourly(5)

/** A level, which says at which gauge it was read. */
const reading = Upstream.question(Upstream.readJson(Schema.Struct({ gauge: Schema.String, cm: Schema.Int })), {
  path: () => "/reading",
  query: (gauge: string) => ({ gauge }),
  identity: makeIdentityCheck({
    name: (gauge) => `The level of ${gauge}`,
    says: { gauge: (read, gauge) => [read.gauge, gauge] },
  }),
})

/** The gauges' service, two requests at a time. */
const source = Upstream.define({
  ...{ name: "toy", title: "The gauges' service", url: "https://gauges.example", atOnce: 2, redirects: false },
  questions: { reading },
  probe: ({ ask }) => ask(reading, gauges[0]),
})

export const live = (settings: Module.Settings<"toy">) =>
  Layer.effect(
    Levels,
    Effect.map(Upstream.open(source, settings), ({ ask }) => ({
      freshness: "live",
      at: (gauge) => Effect.mapBoth(ask(reading, gauge), { onFailure: toFailure, onSuccess: ({ cm }) => cm }),
    })),
  )

const job = Job.sync(
  { name: "toy-levels", description: "Read every gauge, to see whether it answers.", schedule },
  Effect.map(Levels, ({ at }) => [
    { due, read: Effect.map(Effect.forEach(gauges, at), (read) => ({ counts: { gauges: read.length } })) },
  ]),
)

/** A lane as a new one is added: one service with one upstream. */
export const toy = Module.define(Toy, {
  upstreams: { toy: source },
  mock,
  live,
  shadowed: [Levels],
  jobs: ({ mode }) => (mode === "live" ? Effect.all([job]) : Effect.succeed([])),
  feeds: () => Effect.succeed([{ feed: due, upstreams: ["toy"], schedule }]),
})
