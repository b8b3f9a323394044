import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeBulletinReader, parseHeading } from "../../../../core/lanes/weather/guidance/bulletin.ts"
import {
  GuidanceBulletins,
  type GuidanceSource,
  runsDue,
  sourceTitles,
} from "../../../../core/lanes/weather/guidance/Guidance.ts"
import { byId } from "../../../../core/lanes/weather/stations.ts"
import { makeIdentityCheck, sharedValue } from "../../../../core/sources/identity.ts"
import { iso } from "../../../../core/time.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { patienceMs } from "../../../runtime/upstream/breaker.ts"
import * as Upstream from "../../../runtime/upstream/Definition.ts"
import { type Download, type RequestPolicy, toFailure } from "../../../runtime/upstream/upstream.ts"

/** Bytes that are cut into lines in one turn of the event loop. */
const bytesPerTurn = 262_144

interface Asked {
  readonly path: string
  /** Epoch milliseconds. */
  readonly run: number
}

/** Files of the blend: `nbs` has the next three days, `nbe` later ones, `nbp` percentiles. */
const nbmFiles = { nbm: ["nbs", "nbe"], nbp: ["nbp"] } as const

const listFiles = (source: GuidanceSource, run: number): ReadonlyArray<string> => {
  const [day, hh] = [iso(run).slice(0, 10).replaceAll("-", ""), iso(run).slice(11, 13)]
  return source !== "gfs_mos"
    ? nbmFiles[source].map((product) => `/blend.${day}/${hh}/text/blend_${product}tx.t${hh}z`)
    : // The extended product is of two runs a day.
      ["GFSMAV", ...(Number(hh) % 12 === 0 ? ["GFSMEX"] : [])].map((product) => `/${product}.t${hh}z`)
}

const readBulletins = (isWanted: (station: string) => boolean) => (download: Download | undefined, _: Asked) =>
  Effect.gen(function* () {
    const reader = makeBulletinReader(isWanted)
    const decoder = new TextDecoder("latin1")
    for (const chunk of download?.chunks ?? []) {
      for (let from = 0; from < chunk.length; from += bytesPerTurn) {
        reader.push(decoder.decode(chunk.subarray(from, from + bytesPerTurn), { stream: true }))
        yield* yieldToEventLoop
      }
    }
    return reader.end()
  })

/** Refuses a file without a bulletin of the run, such as a proxy's page; `syncGuidance` refuses bulletins of other runs. */
const checkIdentity = makeIdentityCheck<Asked, ReadonlyArray<ReadonlyArray<string>>>({
  name: ({ path }) => path,
  says: {
    run: (bulletins, { run }) => {
      const runs = bulletins.flatMap(([heading = ""]) => parseHeading(heading)?.issuedAt ?? [])
      return [runs.includes(run) ? iso(run) : sharedValue(runs.map(iso)), iso(run)]
    },
  },
})

/** The files of all stations are some 30 MB; each is read four times a day. */
const wholeFile = Upstream.question(Upstream.readFile(readBulletins((station) => byId.has(station))), {
  path: ({ path }: Asked) => path,
  identity: checkIdentity,
})

/** The beginning of a file, with bulletins of any station. */
const firstBytes = Upstream.question(Upstream.readFile(readBulletins(() => true)), {
  path: ({ path }: Asked) => path,
  policy: { headers: { range: "bytes=0-65535" } },
  identity: checkIdentity,
})

const defineSource = <const Name extends string>(name: Name, source: GuidanceSource, url: string) =>
  Upstream.define({
    name,
    title: `The ${sourceTitles[source]}`,
    url,
    redirects: false,
    timeoutMs: 120_000,
    maxBytes: 96 * 1_048_576,
    patienceMs,
    questions: { wholeFile, firstBytes },
    probe: ({ ask }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const run = runsDue(source, now)[1]! // The newest may not be out yet.
        return ask(firstBytes, { run, path: listFiles(source, run)[0]! })
      }),
  })

/** NOAA's open data of the National Blend of Models; files of all stations. */
export const nbm = defineSource("nbm", "nbm", "https://noaa-nbm-grib2-pds.s3.amazonaws.com")
/** The Meteorological Development Laboratory's files, one per run hour; the path has no date, so each overwrites yesterday's. */
export const mdl = defineSource("mdl", "gfs_mos", "https://www.weather.gov/source/mdl/MOS")

export const layer = (
  settings: Upstream.Settings<"nbm" | "mdl">,
  policy: RequestPolicy = {},
): Layer.Layer<GuidanceBulletins, never, HttpClient.HttpClient> =>
  Layer.effect(
    GuidanceBulletins,
    Effect.gen(function* () {
      const blend = yield* Upstream.open(nbm, settings, policy)
      const sources = { nbm: blend, nbp: blend, gfs_mos: yield* Upstream.open(mdl, settings, policy) }
      return {
        run: (source, run) =>
          Effect.map(
            Effect.forEach(listFiles(source, run), (path) => sources[source].ask(wholeFile, { run, path })),
            (all): ReadonlyArray<ReadonlyArray<string>> | undefined => all.flat(),
          ).pipe(
            Effect.catchIf(
              ({ status, reason }) => reason === "status" && status === 404,
              () => Effect.succeed(undefined),
            ),
            Effect.mapError(toFailure),
          ),
      }
    }),
  )
