import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { emptySite } from "../../../../adapters/server/http/Site.ts"
import { page } from "../../../../adapters/web/scoreboard/page.tsx"
import { Markets } from "../../../../core/lanes/markets/Markets.ts"
import { OpenContracts, SettledRows } from "../../../../core/lanes/markets/ports.ts"
import { domains, isLive, toMarketProbability } from "../../../../core/record/scoreboard/Settled.ts"
import { accounts, opine, table } from "../../../support/challenge.ts"
import { clock, exported, hour, live, pipeline } from "../../../support/marketsPipeline.ts"
import { folder } from "../../../support/store.ts"

const verifier = fileURLToPath(new URL("../../../../adapters/web/record/verifier.mjs", import.meta.url))

/** What the venue said at the capture, of the contracts that close within the hour: the last capture of each. */
const following = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const { contracts } = yield* (yield* OpenContracts).open
  const soon = contracts.filter(({ closeTime, bidAsk }) => closeTime <= now + hour && isLive(bidAsk)).slice(0, 40)
  if (!Arr.isNonEmptyReadonlyArray(soon)) return
  yield* opine(
    "acct_a",
    "follower",
    Object.fromEntries(soon.map(({ ticker, bidAsk }) => [ticker, toMarketProbability(bidAsk) / 1_000_000])),
  )
  yield* opine("acct_b", "coin", Object.fromEntries(soon.slice(0, 3).map(({ ticker }) => [ticker, 0.5])))
  // No capture comes after this before they close.
  clock.set(now + 1_000)
  yield* opine("acct_b", "late", Object.fromEntries(soon.map(({ ticker }) => [ticker, 0.99])))
})

it.scoped(
  "opinions of two days are on the scoreboard after settlement, beside ours and the market on the same rows",
  () =>
    Effect.gen(function* () {
      yield* accounts("acct_a", "acct_b")
      yield* live(48, following)
      const { models } = yield* table
      const [follower, coin, late] = models
      assert.deepStrictEqual([follower!.model, coin!.model, late!.model], ["follower", "coin", "late"])
      assert.deepStrictEqual([late!.shared_rows, late!.brier], [0, undefined])
      assert.isAbove(late!.unscored_rows, 100)
      assert.isAbove(follower!.shared_rows, 100)
      assert.isAbove(coin!.shared_rows, 40)
      // Who says what the market says has the market's score, to the last digit.
      assert.strictEqual(follower!.brier, follower!.brier_market)
      // Of two days there is no interval.
      assert.isUndefined(follower!.difference_to_market)
      assert.notStrictEqual(follower!.brier_model, follower!.brier_market)
      assert.strictEqual(coin!.brier, 0.25)
      // A checkpoint came half a minute after each opinion, before the closes.
      assert.strictEqual(follower!.unscored_rows, 0)
      assert.strictEqual(follower!.lead_seconds, follower!.capture_lead_seconds)

      // Our score on the shared rows is the one of the settled rows.
      const rows = yield* SettledRows
      const said = new Set<string>()
      const text = yield* exported
      for (const line of text.split("\n").filter((each) => each.includes('\\"kind\\":\\"opinion\\"'))) {
        const { model, ticker } = JSON.parse(JSON.parse(line).leaf).body
        if (model === "follower") said.add(ticker)
      }
      const settled = (yield* Effect.forEach(domains, (domain) => rows.after(domain, undefined, 100_000))).flat()
      const shared = settled.filter(({ ticker }) => said.has(ticker))
      assert.strictEqual(shared.length, follower!.shared_rows)
      const squares = shared.map(({ model, result }) => (model / 1_000_000 - Number(result === "yes")) ** 2)
      assert.closeTo(squares.reduce((sum, square) => sum + square, 0) / shared.length, follower!.brier_model!, 5.1e-7)

      const { results } = yield* (yield* Markets).performance({})
      const html = page(results, models, [], "live", emptySite)
      assert.include(html, "Challengers")
      assert.include(html, `follower</a></th><td class="number" data-label="Score">${follower!.brier!.toFixed(4)}</td>`)

      const file = join(yield* folder, "record.ndjson")
      writeFileSync(file, text)
      const good = spawnSync(process.execPath, [verifier, file], { encoding: "utf8" })
      assert.strictEqual(good.status, 0, good.stdout + good.stderr)
      writeFileSync(file, text.replace('\\"kind\\":\\"opinion\\"', '\\"kind\\":\\"capture\\"'))
      assert.notStrictEqual(spawnSync(process.execPath, [verifier, file], { encoding: "utf8" }).status, 0)
    }).pipe(Effect.provide(pipeline()), Effect.withClock(clock)),
  240_000,
)
