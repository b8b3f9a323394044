/**
 * A runner of alerts that a test kills: `<file or URL>`. Says `ready`, waits for a line, then looks at the alerts of the store
 * again and again, each time at a temperature that has moved by a degree for each five milliseconds, and writes a line
 * for each look.
 */
import { once } from "node:events"
import { writeSync } from "node:fs"
import * as Effect from "effect/Effect"
import { turning } from "../../core/alerts/runner.ts"
import { catalogue, watches } from "../../core/lanes/all.ts"
import { gatewayOver } from "./alertGateway.ts"
import { storeAt } from "./place.ts"

const [place] = process.argv.slice(2) as [place: string]

writeSync(1, "ready\n")
await once(process.stdin, "data")

const working = Effect.flatMap(turning(catalogue, watches, { takenOverMs: 50 }), ({ turn }) =>
  Effect.forever(
    Effect.zipRight(
      turn,
      Effect.sync(() => writeSync(1, "looked\n")),
    ),
  ),
)
await Effect.runPromise(
  Effect.provide(
    Effect.scoped(working),
    gatewayOver(storeAt(place), () => Effect.sync(() => Math.floor(Date.now() / 5))),
  ),
)
