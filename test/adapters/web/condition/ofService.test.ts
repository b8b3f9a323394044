import { assert, describe, it } from "@effect/vitest"
import type { Report } from "../../../../adapters/server/http/health.ts"
import { tones, urgentFirst } from "../../../../adapters/web/condition/Condition.ts"
import * as conditions from "../../../../adapters/web/condition/ofService.ts"

const now = Date.UTC(2026, 10, 23, 21, 30)
const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString()

const fresh = { lane: "crypto", last_good_at: at(1), age_seconds: 60, stale: false }
const stale = {
  lane: "weather",
  last_good_at: at(94),
  age_seconds: 5_640,
  stale: true,
  sources: ["api.weather.gov"],
}
const record = { leaves: 0, last_checkpoint: null, refused: null }
const modes = { weather: "live", crypto: "live", football: "mock" } as const

const said = (report: Partial<Report>, runs?: ReadonlyArray<conditions.Run>) => {
  const found = conditions.service({ status: "degraded", at: at(0), record, ...report }, modes, now, runs)
  return { ...found.condition, summary: found.summary }
}

describe("the service", () => {
  it("names the lane without data, and since when", () => {
    assert.deepStrictEqual(said({ lanes: [stale, fresh] }), {
      tone: "attention",
      label: "needs attention",
      summary: "Weather: no data from api.weather.gov since 19:56. Other lanes normal.",
    })
    assert.include(said({ lanes: [{ ...stale, last_good_at: at(2_000) }] }).summary, "since 22 Nov 12:10.")
    const never = [
      { ...stale, last_good_at: null },
      { ...fresh, last_good_at: null, stale: true, sources: ["a", "b"] },
    ]
    const { summary } = said({ lanes: never })
    assert.strictEqual(
      summary,
      "Weather: no data from api.weather.gov yet. Crypto: no data from a or b yet. Other lanes normal.",
    )
    assert.notInclude(summary, "answered")
  })

  it("says that all is well only where all is", () => {
    const jobs = [{ name: "usage", state: "ok", last_ok_at: at(1), overdue: false }] as const
    assert.deepStrictEqual(said({ status: "ready", lanes: [fresh], jobs }), {
      tone: "ok",
      label: "ok",
      summary: "All calls are answered.",
    })
    const failed = [{ ...jobs[0], state: "failed" }] as const
    assert.strictEqual(said({ status: "ready", jobs: failed }).summary, "All lanes normal. Jobs: usage (failed).")
    assert.strictEqual(said({}).summary, "Server: a check failed that /readyz names. All lanes normal.")
    assert.strictEqual(said({}).tone, "attention")
  })

  it("names a disk that is nearly full, and the sources that do not answer where a live lane needs them", () => {
    const source = (name: string, title: string, since: string | null) => ({
      source: name,
      title,
      answers: since === null,
      since,
      next_attempt_at: since,
    })
    const { summary } = said({
      disk: { low: true },
      sources: [
        source("iem", "The Iowa archive", at(94)),
        source("kraken", "Kraken", at(94)),
        source("nws", "The National Weather Service", null),
      ],
      reasons: [
        { reason: "disk", detail: "Make room." },
        { reason: "source", name: "iem", detail: "It has not answered." },
      ],
    })
    assert.strictEqual(
      summary,
      "Disk: the store's disk is nearly full, free calls are not stored. The Iowa archive: no answer since 19:56. All lanes normal.",
    )
  })

  it("names what stops it, and how many more problems there are", () => {
    assert.deepStrictEqual(said({ status: "unavailable", store: { writable: false } }), {
      tone: "stopped",
      label: "stopped",
      summary: "Paid calls cannot be answered now, and are not charged. Store: it accepts no writes.",
    })
    assert.include(said({ status: "unavailable" }).summary, "Store: it does not answer.")
    assert.include(said({ status: "unavailable", clock: { doubtful: true } }).summary, "the store's time is not known")
    assert.include(said({ status: "unavailable", draining: true }).summary, "it is shutting down")
    assert.include(said({ secrets: { refused: "key_missing" } }).summary, "Secrets: they cannot be read (key missing).")
    assert.include(said({ record: { ...record, refused: "key_changed" } }).summary, "it cannot be signed (key changed)")
    const jobs = ["a", "b", "c", "d", "e"].map((name): conditions.Run => ({ name, state: "failed", overdue: true }))
    assert.include(
      said({}, jobs).summary,
      "Jobs: a (failed, overdue), b (failed, overdue), c (failed, overdue), 2 more.",
    )
  })
})

describe("a job", () => {
  it.each([
    ["ok", false, "ok", "on time"],
    ["ok", true, "attention", "overdue", "no run has succeeded in time"],
    ["running", false, "waiting", "running"],
    ["running", true, "attention", "overdue", "no run has succeeded in time"],
    ["never_run", false, "waiting", "not run yet"],
    ["never_run", true, "attention", "overdue", "it has never run"],
    ["failed", false, "attention", "failed", "its last run failed: no answer"],
    ["failed", true, "attention", "failed, overdue", "its last run failed: no answer"],
    ["interrupted", false, "attention", "interrupted", "its last run was interrupted: no answer"],
  ] as const)("%s, overdue %s", (state, overdue, tone, label, cause?: string) => {
    const found = conditions.job({ name: "usage", state, overdue, detail: "no answer." })
    assert.deepStrictEqual([found.tone, found.label, found.cause], [tone, label, cause])
  })
})

describe("what is left of the service", () => {
  it("has the same words", () => {
    assert.strictEqual(conditions.lane(undefined, "mock", now).label, "generated")
    assert.strictEqual(conditions.lane({ ...fresh, last_good_at: null }, "live", now).label, "asked on every call")
    assert.strictEqual(conditions.lane(fresh, "live", now).label, "fresh")
    assert.deepStrictEqual([conditions.due(60_000).label, conditions.due(300_000).label], ["on time", "late"])
    assert.deepStrictEqual(
      urgentFirst([
        { name: "queue", condition: conditions.due(300_000) },
        { name: "lane", condition: conditions.lane({ ...stale, last_good_at: null }, "live", now) },
      ]).map(({ name }) => name),
      ["lane", "queue"],
    )
    assert.deepStrictEqual(tones, ["stopped", "attention", "waiting", "ok"])
  })
})
