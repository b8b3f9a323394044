import { assert, describe, it } from "@effect/vitest"
import type { Any } from "../../adapters/lanes/LaneModule.ts"
import { module as weather } from "../../adapters/lanes/weather/mod.ts"
import type { Source } from "../../adapters/runtime/upstream/breaker.ts"
import type { FeedStatus } from "../../core/feeds/Due.ts"
import { liveModules, reportLane } from "../../services/laneStates.ts"

const now = Date.UTC(2026, 10, 28, 21)
const minutes = (ago: number) => now - ago * 60_000
const iso = (ago: number) => new Date(minutes(ago)).toISOString()

const source = (name: string, silentFor?: number, answersWrongly = false): Source => ({
  name,
  title: name,
  outage: () => (silentFor === undefined || answersWrongly ? undefined : { since: minutes(silentFor), nextAt: now }),
  failingSince: () => (silentFor === undefined ? undefined : minutes(silentFor)),
})

const feed = (title: string, upstreams: ReadonlyArray<string>, changes: Partial<FeedStatus> = {}): FeedStatus => ({
  feed: { name: title, title, due: "Each hour.", absence: `Calls for ${title} are refused.` },
  ...{ lane: "weather", upstreams, state: "complete", missing: [], gaps: [], newFields: [] },
  ...changes,
})

const period = { order: 1, name: "2026-11-27" }
const late = { state: "behind", expected: period, missing: [period] } as const

const said = (
  feeds: ReadonlyArray<FeedStatus>,
  sources: ReadonlyArray<Source>,
  unaccepted: ReadonlyArray<string> = [],
) => {
  const { state, since, detail } = reportLane(weather as Any, feeds, sources, now, unaccepted)
  return [state, since, detail]
}

const reports = feed("Reports", ["nws", "iem"])
const grids = feed("Grids", ["nws"])
const guidance = feed("Guidance", ["mdl"])

describe("a lane", () => {
  it("is up while its feeds are complete and its sources answer, or were not asked yet", () => {
    assert.deepStrictEqual(said([reports, grids], []), ["up", null, null])
    assert.deepStrictEqual(said([reports], [source("nws"), source("kraken", 9)]), ["up", null, null])
  })

  it("is down since its last source stopped answering", () => {
    const all = [source("nws", 9), source("iem", 5), source("nbm", 7)]
    const down = "No answer from api.weather.gov and 2 others."
    assert.deepStrictEqual(said([reports], all), ["down", iso(5), down])
    const two = [source("nws", 9), source("iem", 5)]
    const names = "answer from api.weather.gov or mesonet.agron.iastate.edu."
    assert.deepStrictEqual(said([reports], two), ["down", iso(5), `No ${names}`])
    const wrong = [source("nws", 9, true), source("iem", 5)]
    assert.deepStrictEqual(said([reports], wrong), ["down", iso(5), `No usable ${names}`])
  })

  it("without any source that may be read is down, and says why", () => {
    const [state, since, detail] = said([reports], [], Object.keys(weather.upstreams))
    assert.deepStrictEqual([state, since], ["down", null])
    assert.match(String(detail), /has not accepted the terms of .*\(TERMS_ACCEPTED\)\.$/)
  })

  it("is delayed while one of its sources is silent, with what calls meet", () => {
    assert.deepStrictEqual(said([reports, grids, guidance], [source("nws"), source("mdl", 8)]), [
      "delayed",
      iso(8),
      "No answer from www.weather.gov. Calls for Guidance are refused.",
    ])
    // The archive brings the reports too.
    const detail = "No answer from api.weather.gov. Calls for Grids are refused."
    assert.strictEqual(said([reports, grids], [source("nws", 8), source("iem")])[2], detail)
  })

  it("is delayed while a due period is missing or what came was refused; since the last good read if later ones failed", () => {
    const answering = [source("nws"), source("iem")]
    const one = { ...reports, ...late }
    assert.deepStrictEqual(said([one], answering), [
      "delayed",
      null,
      "Reports are late. Calls for Reports are refused.",
    ])
    const failing = { ...one, goodAt: minutes(40), refusal: { at: minutes(2), reason: "no" } }
    assert.deepStrictEqual(said([failing, { ...grids, ...late }], answering), [
      "delayed",
      iso(40),
      "Reports and 1 other feed are late. Calls for Reports are refused.",
    ])
    const refused = { ...grids, state: "refused" } as const
    assert.strictEqual(said([refused], answering)[2], "Grids came unusable. Calls for Grids are refused.")
  })
})

describe("the live lanes", () => {
  it("are those in the mode live", () => {
    const names = liveModules({ weather: "live", crypto: "shadow", football: "mock" }).map(
      ({ definition }) => definition.lane.name,
    )
    assert.deepStrictEqual(names, ["weather"])
  })
})
