import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Listing, listingsOn } from "../../../../../adapters/lanes/markets/mock/listings.ts"
import { drawBooks } from "../../../../../adapters/lanes/markets/mock/pricing.ts"
import { RowFiles } from "../../../../../adapters/lanes/markets/mock/RowFiles.ts"
import { ActiveModel, blendT2 } from "../../../../../core/lanes/crypto/distribution.ts"
import { OpenContracts, Scoreboard, SettledRows } from "../../../../../core/lanes/markets/ports.ts"
import { domains, isLive, listFaults, toMarketProbability } from "../../../../../core/record/scoreboard/Settled.ts"
import { findPair } from "../../../../../core/record/scoreboard/scores.ts"
import { addDays } from "../../../../../core/time.ts"
import { rowFiles } from "../../../../../services/rowFiles.ts"
import { clockAt } from "../../../../support/clock.ts"
import { mockMarkets } from "../../../../support/mockLanes.ts"
import * as serverProcess from "../../../../support/serverProcess.ts"

const hour = 3_600_000
/** All four domains trade. */
const september = Date.UTC(2026, 8, 11, 15)
/** Football is in its last third, baseball over. */
const november = Date.UTC(2026, 10, 22, 15)

const year = Array.from({ length: 366 }, (_, at) => addDays("2026-01-01", at))

describe("the books of the generated venue", () => {
  const at = (listing: Listing) => Math.floor((listing.opensAt + listing.closesAt) / 2)
  /** Probabilities of every kind: sure, near, far, even. */
  const models = ({ shape, contracts }: Listing, draw: number): ReadonlyArray<number> => {
    if (shape === "sides") return [draw, 1_000_000 - draw]
    if (shape === "strikes") return contracts.map((_, n) => Math.min(1_000_000, draw + (4 - n) * 50_000))
    return contracts.map((_, n) => (n === 2 ? draw : Math.floor((1_000_000 - draw) / 5)))
  }
  const draws = [0, 10_000, 150_000, 333_333, 500_000, 620_000, 900_000, 1_000_000]
  const every = (look: (listing: Listing, models: ReadonlyArray<number>) => void) => {
    for (const on of year.slice(240, 270))
      for (const domain of domains)
        for (const listing of listingsOn(domain, on)) for (const draw of draws) look(listing, models(listing, draw))
  }

  it("stand on whole cents with the bid below the ask; a side of nothing is no quote", () => {
    let [live, dead] = [0, 0]
    every((listing, models) => {
      for (const book of drawBooks(listing, models, at(listing))) {
        const { yesBid, yesAsk, noAsk } = book
        assert.isTrue([yesBid, yesAsk, noAsk].every((side) => side % 100 === 0 && side >= 0 && side <= 10_000))
        assert.isAtMost(yesBid, yesAsk)
        assert.strictEqual(noAsk, 10_000 - yesBid)
        if (isLive(book)) live++
        else dead++
      }
    })
    assert.isTrue(live > 500 && dead > 50)
  })

  it("are no edge but in listings that are mispriced, one in nine, whatever the model says", () => {
    let [mispriced, all] = [0, 0]
    let [least, most] = [Number.POSITIVE_INFINITY, 0]
    every((listing, models) => {
      // Football's books are the bookmakers' line, whatever the model says.
      if (listing.posted !== undefined) return
      all += 1
      if (listing.isMispriced) mispriced += 1
      const found = drawBooks(listing, models, at(listing)).flatMap((book, n) =>
        isLive(book) ? [Math.abs(models[n]! - toMarketProbability(book))] : [],
      )
      const largest = Math.max(0, ...found)
      if (!listing.isMispriced) assert.isBelow(largest, 50_000, listing.ticker)
      else if (models[0] === 500_000) {
        least = Math.min(least, largest)
        most = Math.max(most, largest)
      }
    })
    assert.isTrue(mispriced > 0.08 * all && mispriced < 0.14 * all, `${mispriced} of ${all}`)
    assert.isTrue(least >= 45_000 && most < 300_000, `${least} to ${most}`)
  })

  it("agree with each other: both sides of a game, and strikes that rise", () => {
    every((listing, models) => {
      const books = drawBooks(listing, models, at(listing))
      const middle = books.map(toMarketProbability)
      if (listing.shape === "sides" && books.every(isLive)) assert.closeTo(middle[0]! + middle[1]!, 1_000_000, 20_000)
      if (listing.shape === "strikes" && books.every(isLive)) {
        for (let n = 1; n < middle.length; n++) assert.isAtMost(middle[n]!, middle[n - 1]! + 10_000)
      }
    })
  })
})

/** A world that remembers nothing of those before it, as that of another process: rows are remembered by model. */
const ofProcess = (files?: RowFiles["Type"]) => {
  const kept = files === undefined ? Layer.empty : Layer.succeed(RowFiles, files)
  const counted = { windows: 0 }
  const over: typeof blendT2.over = (window) => {
    counted.windows += 1
    return blendT2.over!(window)
  }
  return Object.assign(mockMarkets.pipe(Layer.provide([Layer.succeed(ActiveModel, { ...blendT2, over }), kept])), {
    counted,
  })
}

describe("the generated record", () => {
  const seen = (clock: ReturnType<typeof clockAt>, at: number) =>
    Effect.gen(function* () {
      clock.set(at)
      const rows = yield* SettledRows
      const { board, settledAt } = yield* (yield* Scoreboard).current
      const { tracking, open } = yield* OpenContracts
      return {
        rows: yield* Effect.forEach(domains, (domain) => rows.after(domain, undefined, 10_000)),
        board,
        settledAt,
        tracking: yield* tracking,
        open: yield* open,
      }
    })

  it.live(
    "has good rows that make up its board, is the same on every run, and moves on by the hour",
    () => {
      const clock = clockAt(september)
      return Effect.gen(function* () {
        const first = yield* seen(clock, september)
        for (const [index, domain] of domains.entries()) {
          const rows = first.rows[index]!
          assert.isAtLeast(rows.length, 500, domain)
          assert.strictEqual(findPair(first.board, `domain/${domain}`).model.count, rows.length)
          for (const row of rows) {
            assert.deepStrictEqual(listFaults(row), [], row.ticker)
            assert.isAtMost(row.settledAt, first.settledAt!)
            // One truth: the venue settles on the lane's own final.
            assert.strictEqual(row.sourceResult, row.result, row.ticker)
            assert.isTrue(row.basis.modelSource.length > 0 && row.basis.venueSource.length > 0)
          }
        }
        const count = (name: "void" | "noQuote" | "unanchored" | "disagreed") =>
          [...first.board.counts.values()].reduce((sum, counts) => sum + counts[name], 0)
        for (const name of ["void", "noQuote", "unanchored"] as const) assert.isAbove(count(name), 0, name)
        assert.strictEqual(count("disagreed"), 0)
        assert.strictEqual(first.tracking.openTracked, first.open.contracts.length)
        assert.isAbove(first.tracking.awaitingSettlement, 0)

        // Nothing is computed again within the hour, and what was computed stays.
        const later = yield* seen(clock, september + 0.9 * hour)
        assert.strictEqual(later.board, first.board)
        const next = yield* seen(clock, september + hour)
        assert.notStrictEqual(next.board, first.board)
        const before = new Set(first.rows.flat())
        const added = next.rows.flat().filter((row) => !before.has(row))
        assert.isTrue(added.length > 0 && added.length < 50, `${added.length} new rows`)

        // Another process at another time: the same rows, but for those that have come and gone.
        const other = yield* seen(clock, september + 2 * hour).pipe(Effect.provide(ofProcess()))
        const known = new Map(other.rows.flat().map((row) => [row.ticker, row]))
        const shared = first.rows.flat().filter(({ ticker }) => known.has(ticker))
        assert.isAbove(shared.length, 2_000)
        for (const row of shared) assert.deepStrictEqual(known.get(row.ticker), row)
      }).pipe(Effect.provide(mockMarkets), Effect.withClock(clock))
    },
    120_000,
  )

  it.scopedLive(
    "is kept in files, of which none that is damaged, of another program or of another listing is served",
    () =>
      Effect.gen(function* () {
        const folder = yield* serverProcess.folder
        const file = join(folder, "crypto.json")
        const clock = clockAt(november)
        const files = rowFiles(folder, "this program")
        /** The rows as JSON, and how many windows of the tape were priced for them. */
        const asked = (kept?: RowFiles["Type"], world = ofProcess(kept)) =>
          Effect.flatMap(SettledRows, ({ after }) => after("crypto", undefined, 10_000)).pipe(
            Effect.map((rows) => [JSON.stringify(rows), world.counted.windows] as const),
            Effect.provide(world),
            Effect.withClock(clock),
          )
        const [rows, priced] = yield* asked()
        assert.isAbove(priced, 0)
        const same = (windows: number, kept?: RowFiles["Type"]) =>
          Effect.map(asked(kept), (found) => assert.deepStrictEqual(found, [rows, windows]))
        yield* same(priced, files)
        yield* same(0, files)
        assert.deepStrictEqual(readdirSync(folder), ["crypto.json"])
        const whole = readFileSync(file, "utf8")

        // One process has them for all of its worlds over one model.
        const world = ofProcess(files)
        for (let n = 0; n < 2; n++) assert.deepStrictEqual(yield* asked(files, world), [rows, 0])

        const replace = (text: string) => Effect.sync(() => writeFileSync(file, text))
        for (const text of ["", whole.slice(0, -1), whole.replace('"result":"yes"', '"result":"no"'), "[]\n[]"]) {
          yield* replace(text)
          yield* same(priced, files)
          assert.strictEqual(readFileSync(file, "utf8"), whole)
        }
        yield* same(priced, rowFiles(folder, "another program"))

        // A listing that is another one by now is priced anew, alone.
        const [[ticker, first], ...others] = JSON.parse(whole.split("\n")[1]!)
        const wrong = first.rows.map((row: object) => ({ ...row, model: 1 }))
        yield* files.write("crypto", [[ticker, { of: first.of + 1, rows: wrong }], ...others])
        yield* same(1, files)
        assert.strictEqual(readFileSync(file, "utf8"), whole)

        // What is longer than ours is not read; where nothing can be written all is made anew.
        yield* replace(" ".repeat(8 * 1_048_576 + 1))
        yield* same(priced, files)
        yield* same(priced, rowFiles(join(file, "no folder"), "this program"))
      }),
  )

  it.scopedLive("is kept beside the store of a server", () =>
    Effect.gen(function* () {
      const folder = yield* serverProcess.folder
      const file = join(folder, "m.db-demonstration", "crypto.json")
      const settled = Effect.gen(function* () {
        const server = yield* serverProcess.serverProcess({
          DATABASE_URL: `sqlite:${join(folder, "m.db")}`,
          WARM_UP: "no",
        })
        // On a busy machine the first answers come too late, while the rows are made.
        const { json } = yield* Effect.repeat(server.get("/v1/markets/settled?domain=crypto&limit=50"), {
          until: ({ status }) => status === 200,
        })
        return JSON.stringify(json["rows"])
      }).pipe(Effect.scoped)
      const rows = yield* settled
      assert.isNotEmpty(JSON.parse(rows))
      const whole = readFileSync(file, "utf8")
      writeFileSync(file, whole.replace('"result":"yes"', '"result":"no"'))
      assert.strictEqual(yield* settled, rows)
      assert.strictEqual(readFileSync(file, "utf8"), whole)
    }),
  )
})
