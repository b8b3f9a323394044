import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll } from "vitest"
import * as mock from "../../adapters/lanes/crypto/mock/tape.ts"
import * as candles from "../../adapters/lanes/crypto/store/Candles.ts"
import * as footballArchive from "../../adapters/lanes/football/store/Archive.ts"
import { open } from "../../adapters/store/engine/sqlite/driver.ts"
import { CandleStore } from "../../core/lanes/crypto/ports.ts"
import { clockAt } from "../support/clock.ts"
import { commandLine } from "../support/commandLine.ts"
import { now } from "../support/footballLane.ts"
import { ingest, samples } from "../support/footballStore.ts"
import { type Running, start } from "../support/running.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

const signal = "/v1/crypto/signal?asset=BTC&horizon_minutes=60"
const fairLine = "/v1/nfl/fair-line?team=LV&verbose=true"
const generated = "/v1/weather/signal?station=KNYC"

describe.sequential("calls on the record", { timeout: 60_000 }, () => {
  const folder = makeFolder()
  const file = join(folder, "store.db")
  const { cli, parsed } = commandLine(file)
  let server: Running

  /** Crypto and football are live, over test candles and samples; no venue is tracked. */
  beforeAll(async () => {
    server = await start({ crypto: "live", football: "live", sqliteFile: file }, { clock: clockAt(now) })
    const minute = now / 60_000
    const week = 7 * 1_440
    const closes = mock.closes("BTC", minute - week, minute)
    await server.run(
      Effect.gen(function* () {
        const tape = Array.from(closes, (close, at) => ({
          ...{ high: close, low: close, close, volume: 1 },
          minute: minute - week + at,
        }))
        yield* (yield* CandleStore).append("BTC", "coinbase", tape)
        yield* Effect.forEach(samples, ([feed, sample]) => ingest(feed, sample, now))
      }).pipe(Effect.provide(Layer.merge(candles.layerStore, footballArchive.layer)), Effect.orDie),
    )
  })
  afterAll(async () => {
    await server.stop()
    removeFolder(folder)
  })

  const counted = () => {
    const db = open(file, { readonly: true })
    const count = (table: string) => db.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get()
    const counts = {
      leaves: count("record_leaves"),
      inputs: count("record_inputs"),
      scored: count("captured_contracts"),
    }
    db.close()
    return counts
  }

  it("are none of a test key, and none of a generated answer", async () => {
    const { live, test } = server.account
    for (const [path, token] of [
      [signal, test.token],
      [fairLine, test.token],
      [generated, test.token],
      [generated, live.token],
    ] as const) {
      const { status, json } = await server.get(path, token)
      assert.deepStrictEqual([status, json._meta.data_freshness], [200, "mock"], path)
    }
    assert.deepStrictEqual(counted(), { leaves: 0, inputs: 0, scored: 0 })
  })

  it("are none that is not sold: a HEAD, a quote, a plan", async () => {
    const headers = { "content-type": "application/json" }
    for (const path of [signal, fairLine]) {
      const calls = [
        { endpoint: path.split("?")[0], params: Object.fromEntries(new URLSearchParams(path.split("?")[1])) },
      ]
      for (const { status } of [
        await server.get(path, server.account.live.token, { method: "HEAD" }),
        await server.get(`${path}&dry_run=true`),
        await server.get("/v1/plan/estimate", server.account.live.token, {
          method: "POST",
          headers,
          body: JSON.stringify({ calls }),
        }),
      ]) {
        assert.strictEqual(status, 200, path)
      }
    }
    assert.deepStrictEqual(counted(), { leaves: 0, inputs: 0, scored: 0 })
  })

  it("are every live signal of a price, and every line of a game to come, each with its inputs", async () => {
    const price = await server.get(signal)
    assert.deepStrictEqual([price.status, price.json._meta.data_freshness], [200, "live"])
    // Quarters of a day: 27 whole ones of the week, and its first and its last in part. And the whole.
    assert.deepStrictEqual(counted(), { leaves: 1, inputs: 30, scored: 0 })
    const line = await server.get(fairLine)
    assert.isTrue(line.json.results.recorded_to_track_record)
    assert.strictEqual(counted().leaves, 2)

    const [signalLeaf, lineLeaf] = await Promise.all([parsed("replay 0"), parsed("replay 1")])
    assert.deepInclude(signalLeaf, { equal: true, endpoint: "crypto_signal" })
    assert.deepInclude(lineLeaf, { equal: true, endpoint: "nfl_fair_line" })
    const { spot, sigma_ln, p_above } = price.json.results
    // The record has the whole law; the slim answer is without the weight of its tails.
    const { nu, ...recomputed } = signalLeaf.recomputed
    assert.isAbove(nu, 2)
    assert.deepStrictEqual(recomputed, { spot, sigma_ln, p_above })
    const { fair_line, drivers, margin_distribution, total_distribution, inputs_hash } = line.json.results.prediction
    const served = { ...fair_line, drivers, margin_distribution, total_distribution }
    assert.deepStrictEqual(lineLeaf.recomputed, served)
    const db = open(file, { readonly: true })
    const { body } = JSON.parse(db.prepare("SELECT text FROM record_leaves WHERE position = 1").pluck().get() as string)
    db.close()
    assert.strictEqual(inputs_hash, body.inputs_hash)
    assert.match((await cli(`replay ${lineLeaf.id}`)).stdout, /^nfl_fair_line of leaf 1 \(\w+\): the same \d+ bytes\.$/)
  })

  it("are not computed from anything else: a gameday of which a byte has changed is refused", async () => {
    const db = open(file)
    db.exec("DROP TRIGGER record_inputs_no_update")
    const { changes } = db
      .prepare(`UPDATE record_inputs SET text = replace(text, '"away":2', '"away":3') WHERE text LIKE '{"before":%'`)
      .run()
    db.close()
    assert.isAbove(changes, 0)
    const { code, stdout, stderr } = await cli("replay 1")
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.match(stderr, /do not match their hash/)
    assert.isTrue((await parsed("replay 0")).equal)
  })
})
