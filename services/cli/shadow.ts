import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as shadowLog from "../../adapters/store/record/ShadowLog.ts"
import { ifDefined } from "../../core/ifDefined.ts"
import { type Agreement, type Comparison, ShadowLog } from "../../core/shadow/ShadowLog.ts"
import { iso } from "../../core/time.ts"
import * as App from "../app.ts"
import { config as environment } from "../Config.ts"
import { integer, withDefault } from "./parameters.ts"
import { family, make } from "./parser.ts"
import { json, print, readable } from "./shared.ts"

const grouped = ({ meanMs, maxMs, ...counts }: Agreement) => ({ ...counts, mean_ms: meanMs, max_ms: maxMs })

const listed = ({ at, port, method, args, difference, liveMs, failure }: Comparison) => ({
  at: iso(at),
  port,
  method,
  args,
  difference: difference ?? "",
  live_ms: liveMs,
  ...ifDefined("failure", failure),
})

const text = (
  agreement: ReadonlyArray<ReturnType<typeof grouped>>,
  differences: ReadonlyArray<ReturnType<typeof listed>>,
): string =>
  agreement.length === 0
    ? "No comparisons yet. Set DATA_FRESHNESS_WEATHER=shadow."
    : [
        ...agreement.map(
          ({ port, method, compared, agreed, failed, dropped, mean_ms, max_ms }) =>
            `${port}.${method}: live and mock agreed, on an answer or on none, in ${agreed} of ${compared} calls; live failed ${failed} times and took ${mean_ms} ms on average, ${max_ms} ms at most; ${dropped} not compared`,
        ),
        ...differences.map(
          ({ at, port, method, args, difference }) => `${at}  ${port}.${method}${args}  ${difference}`,
        ),
      ].join("\n")

const report = make(
  "report",
  "Show how often live answered where the mock did, and the latest calls that only one of them answered.",
  { last: withDefault(integer("last", "Number of those calls (default 10)."), 10), json },
  (options) =>
    Effect.gen(function* () {
      const log = yield* ShadowLog
      const agreement = (yield* readable(log.agreement)).map(grouped)
      const differences = (yield* readable(log.differences(Math.max(0, options.last)))).map(listed)
      yield* print(options.json, { agreement, differences }, text(agreement, differences))
    }).pipe(
      Effect.provide(
        shadowLog.layer().pipe(Layer.provide(Layer.unwrapEffect(Effect.map(environment, App.readOnlyStore)))),
      ),
    ),
)

export const shadow = family(
  "shadow",
  "Shadow mode: the mock answers, and live is asked the same to see whether it answers too.",
  [report],
)
