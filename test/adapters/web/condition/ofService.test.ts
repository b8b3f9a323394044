import { assert, describe, it } from "@effect/vitest"
import type { Report } from "../../../../adapters/server/http/health.ts"
import { type Named, tones, urgentFirst } from "../../../../adapters/web/condition/Condition.ts"
import * as conditions from "../../../../adapters/web/condition/ofService.ts"

const now = Date.UTC(2026, 10, 23, 21, 30)
const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString()

const row = (lane: string, state: "up" | "delayed" | "down", minutes?: number, detail: string | null = null) => ({
  ...{ lane, state, since: minutes === undefined ? null : at(minutes), detail },
  ...{ last_good_at: null, age_seconds: null, stale: false },
})
const up = row("crypto", "up")
const down = row("weather", "down", 94, "No answer from api.weather.gov.")
const delayed = row("crypto", "delayed", 2_000, "BTC candles are late. Signals are refused.")
const record = { leaves: 0, last_checkpoint: null, refused: null }
const modes = { weather: "live", crypto: "live", football: "mock" } as const

const found = (report: Partial<Report>) =>
  conditions.service({ status: "degraded", at: at(0), record, ...report }, modes, now)
const said = (report: Partial<Report>) => [found(report).tone, found(report).headline]
const linesOf = (all: ReadonlyArray<Named>) =>
  all.map(({ name, condition: { label, cause } }) => [name, label, ...(cause === undefined ? [] : [cause])])

describe("the service", () => {
  it("counts the lanes that are down and delayed, and says what calls answer", () => {
    const answers = "data answer 503 and cost nothing."
    assert.deepStrictEqual(said({ lanes: [down, up] }), ["stopped", `1 of 3 lanes is down. Calls for its ${answers}`])
    const both = [down, { ...down, lane: "crypto" }]
    assert.deepStrictEqual(said({ lanes: both }), ["stopped", `2 of 3 lanes are down. Calls for their ${answers}`])
    const mixed = `1 of 3 lanes is down, and 1 delayed. Calls for its ${answers}`
    assert.deepStrictEqual(said({ lanes: [down, delayed] }), ["stopped", mixed])
    const late = [{ ...delayed, lane: "weather" }, up]
    assert.deepStrictEqual(said({ lanes: late }), ["attention", "1 of 3 lanes is delayed."])
    assert.deepStrictEqual(linesOf(found({ lanes: [down, delayed] }).lanes), [
      ["Weather", "Down since 19:56", "No answer from api.weather.gov"],
      ["Crypto", "Delayed since 22 Nov 2026, 12:10 UTC", "BTC candles are late. Signals are refused"],
      ["Football", "Up"],
    ])
    assert.strictEqual(found({ lanes: [row("weather", "down")] }).lanes[0]!.condition.label, "Down")
  })

  it("says that all is well only where all was looked at", () => {
    const lanes = [row("weather", "up"), up]
    const jobs = [{ name: "usage", state: "failed", last_ok_at: at(1), overdue: true }] as const
    assert.deepStrictEqual(said({ status: "ready", lanes }), ["ok", "All systems operational."])
    // Jobs are the operator's: what they fail to bring is late.
    assert.deepStrictEqual(said({ lanes, jobs }), ["ok", "All systems operational."])
    assert.deepStrictEqual(said({ status: "ready", lanes: [up] }), ["ok", "No trouble is known."])
    assert.strictEqual(found({ lanes: [up] }).lanes[0]!.condition.label, "Not checked")
  })

  it("has a line for what else is in trouble, the worst first", () => {
    const lanes = [row("weather", "up"), up]
    const report = { lanes, disk: { low: true }, record: { ...record, refused: "key_changed" } }
    assert.deepStrictEqual(linesOf(found(report).others), [
      ["Record", "not signed", "it cannot be signed (key changed)"],
      ["Disk", "nearly full", "the store's disk is nearly full, free calls are not stored"],
    ])
    assert.deepStrictEqual(said(report), ["stopped", "Needs attention: Record and Disk."])
    assert.deepStrictEqual(said({ lanes, disk: { low: true } }), ["attention", "Needs attention: Disk."])
    const secrets = { refused: "key_missing" }
    assert.deepStrictEqual(linesOf(found({ lanes, secrets }).others), [
      ["Secrets", "stopped", "they cannot be read (key missing)"],
    ])
  })

  it("that answers nothing says why, and calls no lane up", () => {
    const gone = (more: Partial<Report>) => {
      const { tone, headline, lanes, others } = found({ status: "unavailable", ...more })
      assert.deepStrictEqual([tone, headline], ["stopped", "Paid calls cannot be answered now, and are not charged."])
      for (const { condition } of lanes) assert.strictEqual(condition.label, "Not checked")
      return linesOf(others)
    }
    assert.deepStrictEqual(gone({ store: { writable: false } }), [["Store", "stopped", "it accepts no writes"]])
    assert.deepStrictEqual(gone({}), [["Store", "stopped", "it does not answer"]])
    assert.deepStrictEqual(gone({ clock: { doubtful: true } }), [["Clock", "stopped", "the store's time is not known"]])
    assert.deepStrictEqual(gone({ draining: true }), [["Server", "stopped", "it is shutting down"]])
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
    assert.deepStrictEqual([conditions.due(60_000).label, conditions.due(300_000).label], ["on time", "late"])
    assert.deepStrictEqual(
      urgentFirst([
        { name: "queue", condition: conditions.due(300_000) },
        { name: "lane", condition: conditions.lane(down, "live", now) },
      ]).map(({ name }) => name),
      ["lane", "queue"],
    )
    assert.deepStrictEqual(tones, ["stopped", "attention", "waiting", "ok"])
  })
})
