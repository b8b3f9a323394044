import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Otlp from "../adapters/runtime/telemetry/otlp.ts"
import * as Spans from "../adapters/runtime/telemetry/spans.ts"
import { type Counting, Meter, nothing } from "../core/telemetry/Meter.ts"
import { Tracing } from "../core/telemetry/Tracing.ts"
import type { Settings } from "./Config.ts"

/** Counts and traces, as far as they are asked for. It goes around everything that is counted and traced. */
export const layer = ({ traces: { endpoint, ratio } }: Settings, counts: Counting = nothing): Layer.Layer<never> =>
  Option.match(endpoint, {
    onNone: () => Layer.succeed(Meter, counts),
    onSome: (url) =>
      Layer.unwrapScoped(
        Effect.map(
          Effect.flatMap(HttpClient.HttpClient, (client) => Otlp.exporter({ endpoint: url, client })),
          (send) =>
            Layer.mergeAll(
              Layer.setTracer(Spans.tracer(ratio, send)),
              Layer.succeed(Tracing, Spans.sampler(ratio, send)),
              Layer.succeed(Meter, Spans.withCommits(counts, ratio, send)),
            ),
        ),
      ).pipe(Layer.provide(FetchHttpClient.layer)),
  })
