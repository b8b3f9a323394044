import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Iem from "../../adapters/lanes/weather/iem/api.ts"
import * as climateDays from "../../adapters/lanes/weather/iem/climateDays.ts"
import { backfill, type Step } from "../../core/lanes/weather/reports/backfill.ts"
import type { Ingested } from "../../core/lanes/weather/reports/ingest.ts"
import type { Station } from "../../core/lanes/weather/stations.ts"
import { advance } from "../../core/Progress.ts"
import { config as environment } from "../Config.ts"
import { print, readable } from "./shared.ts"

const count = (outcomes: ReadonlyArray<Ingested>, tag: Ingested["_tag"]): number =>
  outcomes.filter(({ _tag }) => _tag === tag).length

const lineOf = ({ station, year, result }: Step): string => {
  if (result === undefined) return `${station} ${year}: complete`
  if (Either.isLeft(result)) return `${station} ${year}: ${result.left.message}`
  const { outcomes, without } = result.right
  return `${station} ${year}: ${count(outcomes, "Stored")} stored, ${count(outcomes, "Known")} already stored, ${count(outcomes, "Refused")} rejected, ${without.length} days without a report`
}

/** Fills the store from the archive of daily reports, year by year, and tells how far it is. */
export const backfillWeather = (
  wanted: { readonly stations: ReadonlyArray<Station>; readonly since: number; readonly again: boolean },
  asJson: boolean,
) =>
  Effect.gen(function* () {
    const sums = { years: 0, complete: 0, stored: 0, known: 0, refused: 0, without: 0 }
    const refused: Array<{ readonly what: string; readonly reason: string }> = []
    const failures: Array<string> = []
    const onStep = (step: Step): Effect.Effect<void> => {
      sums.years++
      if (step.result === undefined) sums.complete++
      else if (Either.isLeft(step.result)) failures.push(lineOf(step))
      else {
        const { outcomes, without } = step.result.right
        sums.stored += count(outcomes, "Stored")
        sums.known += count(outcomes, "Known")
        sums.refused += count(outcomes, "Refused")
        sums.without += without.length
        for (const outcome of outcomes) {
          if (outcome._tag === "Refused") refused.push({ what: outcome.what, reason: outcome.reason })
        }
      }
      return advance(lineOf(step), step.at, step.of)
    }
    const ended = yield* Effect.either(readable(backfill(wanted, onStep)))
    const text = [
      ...refused.map(({ what, reason }) => `rejected ${what}: ${reason}`),
      `${sums.years} station years, ${sums.complete} already complete: ${sums.stored} stored, ${sums.known} already stored, ${sums.refused} rejected, ${sums.without} days without a report`,
    ].join("\n")
    yield* print(asJson, { ...sums, not_stored: refused, failures }, text)
    if (Either.isLeft(ended)) return yield* Effect.fail(new Error(`${ended.left.message} Run it again to continue.`))
    if (failures.length > 0) return yield* Effect.fail(new Error([...failures, "Run it again to continue."].join("\n")))
  }).pipe(
    Effect.provide(
      climateDays.layer
        .pipe(Layer.provide(Layer.unwrapEffect(Effect.map(environment, ({ upstreams }) => Iem.layer(upstreams)))))
        .pipe(Layer.provide(FetchHttpClient.layer)),
    ),
  )
