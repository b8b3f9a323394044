import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as mock from "../../adapters/lanes/weather/mock/reports.ts"
import * as shadow from "../../adapters/runtime/shadow/shadow.ts"
import { fail } from "../../core/Failure.ts"
import { ClimateReports } from "../../core/lanes/weather/ports.ts"
import { ShadowLog } from "../../core/shadow/ShadowLog.ts"
import { climateReportsContract } from "./climateReports.ts"

/** A live provider on its worst day. */
const broken = Layer.succeed(ClimateReports, {
  freshness: "live",
  versions: () => Effect.die(new Error("malformed")),
  latestFinalDay: () => Effect.never,
  range: () => Effect.die("malformed"),
  coverage: () => Effect.fail(fail("upstream_unavailable")),
})

climateReportsContract(
  "the mock offices with a broken provider in their shadow",
  shadow.ports({ mock: mock.layer, live: broken }, [ClimateReports]).pipe(Layer.provide(ShadowLog.layerMemory())),
  { now: Date.UTC(2026, 6, 9, 18), covered: ["2026-06-28", "2026-07-08"], before: "2000-12-31" },
)
