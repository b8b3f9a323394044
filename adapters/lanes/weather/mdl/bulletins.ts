import * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { bulletinReader } from "../../../../core/lanes/weather/guidance/bulletin.ts"
import { type GuidanceSource, sourceTitles } from "../../../../core/lanes/weather/guidance/Guidance.ts"
import { GuidanceBulletins } from "../../../../core/lanes/weather/guidance/syncGuidance.ts"
import { byId } from "../../../../core/lanes/weather/stations.ts"
import { iso } from "../../../../core/time.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import * as Breaker from "../../../runtime/upstream/breaker.ts"
import { getFile, misshapen, type RequestPolicy, toFailure, type Upstream } from "../../../runtime/upstream/upstream.ts"

/** Addresses of the blend's archive and of the laboratory's server, and our user agent. */
export interface Settings {
  readonly nbm: string
  readonly mdl: string
  readonly userAgent: string
}

/** NOAA's open data of the National Blend of Models; files of all stations. */
export const nbmUrl = "https://noaa-nbm-grib2-pds.s3.amazonaws.com"
/** The Meteorological Development Laboratory's files of the newest run of each hour. */
export const mdlUrl = "https://www.weather.gov/source/mdl/MOS"

/** The files of all stations are some 30 MB; each is read four times a day. */
const policyOfFiles = { timeoutMs: 120_000, maxBytes: 96 * 1_048_576 } as const satisfies RequestPolicy
/** Bytes that are cut into lines in one turn of the event loop. */
const inOneTurn = 262_144

/** The files of a run: the next three days, and those behind them. */
const filesOf = (source: GuidanceSource, run: number): ReadonlyArray<string> => {
  const [day, hh] = [iso(run).slice(0, 10).replaceAll("-", ""), iso(run).slice(11, 13)]
  return source === "nbm"
    ? ["nbs", "nbe"].map((product) => `/blend.${day}/${hh}/text/blend_${product}tx.t${hh}z`)
    : // The extended product is of two runs a day.
      ["GFSMAV", ...(Number(hh) % 12 === 0 ? ["GFSMEX"] : [])].map((product) => `/${product}.t${hh}z`)
}

/** Bulletins from the public servers. */
export const layer = (
  { nbm, mdl, userAgent }: Settings,
  policy: RequestPolicy = {},
): Layer.Layer<GuidanceBulletins, never, HttpClient.HttpClient> =>
  Layer.effect(
    GuidanceBulletins,
    Effect.map(HttpClient.HttpClient, (client) => {
      const upstreamOf = (source: GuidanceSource, name: string, baseUrl: string): Upstream => ({
        ...Breaker.breakerNamed(name, `The ${sourceTitles[source]}`),
        baseUrl,
        patienceMs: Breaker.patienceMs,
        ...policyOfFiles,
        ...policy,
        headers: { "user-agent": userAgent, ...policy.headers },
      })
      const upstreams = { nbm: upstreamOf("nbm", "nbm", nbm), gfs_mos: upstreamOf("gfs_mos", "mdl", mdl) }
      const read = (source: GuidanceSource, path: string) =>
        Effect.gen(function* () {
          const file = yield* getFile(client, upstreams[source], path)
          const reader = bulletinReader((station) => byId.has(station))
          const decoder = new TextDecoder("latin1")
          for (const chunk of file?.chunks ?? []) {
            for (let from = 0; from < chunk.length; from += inOneTurn) {
              reader.push(decoder.decode(chunk.subarray(from, from + inOneTurn), { stream: true }))
              yield* yieldToEventLoop
            }
          }
          const bulletins = reader.end()
          // A page of a proxy is no run in which our stations are missing.
          return bulletins.length > 0
            ? bulletins
            : yield* misshapen(upstreams[source], `${path} has no bulletin of a station that is served.`)
        })
      return {
        run: (source, run) =>
          Effect.map(
            Effect.forEach(filesOf(source, run), (path) => read(source, path)),
            (all): ReadonlyArray<ReadonlyArray<string>> | undefined => all.flat(),
          ).pipe(
            Effect.catchIf(
              ({ status }) => status === 404,
              () => Effect.succeed(undefined),
            ),
            Effect.mapError(toFailure),
          ),
      }
    }),
  )
