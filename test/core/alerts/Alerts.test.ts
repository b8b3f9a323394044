// Proof: takes five seconds or more.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as mock from "../../../adapters/lanes/baseball/mock/baseball.ts"
import { Accounts } from "../../../core/account/Accounts.ts"
import { Agents } from "../../../core/account/Agents.ts"
import { MicroUsd } from "../../../core/account/Money.ts"
import { AlertStore } from "../../../core/alerts/AlertStore.ts"
import { Alerts, type Request } from "../../../core/alerts/Alerts.ts"
import { makeRunner } from "../../../core/alerts/runner.ts"
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { Webhooks } from "../../../core/events/Webhooks.ts"
import { catalogue, watches } from "../../../core/lanes/all.ts"
import { Baseball } from "../../../core/lanes/baseball/Baseball.ts"
import type { endpoints } from "../../../core/lanes/baseball/endpoints.ts"
import { clockAt } from "../../support/clock.ts"
import { type Running, start } from "../../support/running.ts"

const hour = 3_600_000
const day = 24 * hour
const begins = Date.UTC(2026, 8, 10, 15)

/** A game whose posted line-ups move its probability, the rest of its data being the same. */
const movedByLineUps = async () => {
  const oddsAt = (gamePk: number, at: number) =>
    Effect.flatMap(Baseball, ({ fairOdds }) => fairOdds({ game_pk: gamePk })).pipe(
      Effect.provide(Baseball.layer.pipe(Layer.provide(mock.layer))),
      Effect.withClock(clockAt(at)),
      Effect.map(({ results: { prediction } }) => prediction),
      Effect.runPromise,
    )
  const evening = mock
    .season(2026)
    .games.filter(({ fate, listedOn }) => fate === "played" && listedOn === begins - 15 * hour + 6 * day)
  for (const { gamePk, firstPitch } of evening) {
    const [before, after] = [await oddsAt(gamePk, firstPitch - 5 * hour), await oddsAt(gamePk, firstPitch - 1.5 * hour)]
    const moved = Math.abs(after.win_prob_home - before.win_prob_home)
    const flags = [...before.quality_flags!, ...after.quality_flags!]
    if (moved >= 0.02 && flags.length === 0 && !before.line_up!.used && after.line_up!.used)
      return { gamePk, firstPitch }
  }
  return assert.fail("No line-up moves a game.")
}

describe("alerts on generated data", { timeout: 120_000 }, () => {
  const clock = clockAt(begins)
  let service: Running
  beforeAll(async () => {
    service = await start({}, { clock, balance: 1_000_000 })
  })
  afterAll(() => service.stop())

  const turn = () => service.run(Effect.scoped(Effect.flatMap(makeRunner(catalogue, watches), ({ turn }) => turn)))
  /** An account of a test's own, so that the alerts of another one do not charge it. */
  const funded = (name: string, micros = 100_000) =>
    service.run(
      Effect.flatMap(Accounts, (accounts) =>
        Effect.zipLeft(accounts.create(name), accounts.credit(name, MicroUsd(micros))),
      ),
    )
  const balanceOf = (account: string) =>
    service.run(Effect.flatMap(Accounts, (accounts) => Effect.map(accounts.balance(account), ({ balance }) => balance)))
  const create = (request: Omit<Request, "account">, account = service.account.id) =>
    service.run(Effect.flatMap(Alerts, (alerts) => alerts.create({ account, ...request })))
  const refused = (request: Omit<Request, "account">) =>
    service.run(
      Effect.flatMap(Alerts, (alerts) => Effect.flip(alerts.create({ account: service.account.id, ...request }))),
    )
  const get = (id: string) => service.run(Effect.flatMap(Alerts, (alerts) => alerts.get(id)))
  const fired = (id: string) =>
    service.run(
      Effect.gen(function* () {
        const [alerts, store] = [yield* Alerts, yield* AlertStore]
        const { accountId } = yield* alerts.get(id)
        return (yield* store.fired(accountId, 0, 1_000)).filter(({ data }) => data.alert_id === id)
      }),
    )

  it("say what they cannot watch, and what threshold a call needs", async () => {
    const hints = async (request: Omit<Request, "account">) =>
      (await refused(request)).hints?.map(({ field, suggestion }) => `${field}: ${suggestion}`).join(" ") ??
      (await refused(request)).message
    assert.match(
      await hints({ call: "/v1/crypto/spot?asset=BTC" }),
      /^call: .*\/v1\/weather\/settlement, .*\/v1\/markets\/edge/,
    )
    assert.match(await hints({ call: "/v1/weather/signal?station=KXXX", threshold: 1 }), /^call: station/)
    assert.match(await hints({ call: "/v1/weather/signal?station=KNYC" }), /threshold must be above 0/)
    assert.match(await hints({ call: "/v1/weather/settlement?station=KNYC", threshold: 1 }), /Leave out threshold/)
    assert.match(await hints({ call: "/v1/markets/edge", threshold: 0.01 }), /0\.05 or more/)
    assert.match(await hints({ call: "/v1/markets/edge", threshold: 0.1, hysteresis: 0.1 }), /less than the threshold/)
    assert.match(await hints({ call: "/v1/weather/signal?station=KNYC", threshold: 1, hysteresis: 0.5 }), /Leave out/)
    assert.match(await hints({ call: "/v1/markets/edge?dry_run=true" }), /dry_run/)
  })

  it("fire an edge once, charge its call to the account, and say which contracts crossed", async () => {
    const account = await funded("edges")
    const { id, hysteresis } = await create(
      { call: "/v1/markets/edge?domain=weather", threshold: 0.06, name: "weather" },
      account.id,
    )
    assert.closeTo(hysteresis!, 0.012, 1e-9)
    await turn()
    await turn()
    const [event, ...others] = await fired(id)
    assert.lengthOf(others, 0)
    assert.strictEqual(await balanceOf(account.id), 90_000)
    const { data } = event!
    assert.strictEqual(data.crossing, 1)
    assert.strictEqual(data.charged_micros, 10_000)
    const { edges } = data.results as { edges: ReadonlyArray<{ market: string; edge: number }> }
    assert.isNotEmpty(data.changes)
    for (const { subject, value, measure } of data.changes) {
      assert.strictEqual(measure, "edge")
      assert.strictEqual(event!.data.unit, "probability")
      assert.isAtLeast(value as number, 0.06)
      assert.closeTo(Math.abs(edges.find(({ market }) => market === subject)!.edge), value as number, 1e-6)
    }
    const { crossings, firedAt, keyId } = await get(id)
    assert.deepStrictEqual([crossings, firedAt], [1, begins])
    const audit = await service.run(Effect.flatMap(Accounts, ({ key }) => key(keyId)))
    assert.strictEqual(audit.environment, "live")
  })

  it("fire on an expected gain where the call asks for one, at a threshold that no edge may have", async () => {
    const account = await funded("gains")
    const { id, threshold } = await create(
      { call: "/v1/markets/edge?domain=weather&min_gain=0.01", name: "gain" },
      account.id,
    )
    assert.strictEqual(threshold, 0.01)
    await turn()
    const [event] = await fired(id)
    const { edges } = event!.data.results as { edges: ReadonlyArray<{ market: string; expected_gain: number }> }
    assert.isNotEmpty(event!.data.changes)
    assert.strictEqual(event!.data.unit, "US dollars a contract")
    for (const { subject, value, measure } of event!.data.changes) {
      assert.strictEqual(measure, "expected_gain")
      assert.isAtLeast(value as number, 0.01)
      assert.strictEqual(edges.find(({ market }) => market === subject)!.expected_gain, value)
    }
    // Where the model has no weight nothing is worth acting on.
    const none = await create({ call: "/v1/markets/edge?domain=crypto&min_gain=0.001" }, account.id)
    await turn()
    assert.lengthOf(await fired(none.id), 0)
  })

  it("fire once where two processes look at the same time, and go on where one died between call and event", async () => {
    clock.set(begins + hour)
    const account = await funded("many processes")
    const { id } = await create({ call: "/v1/markets/edge?domain=nfl", threshold: 0.05 }, account.id)
    await Promise.all([turn(), turn(), turn()])
    assert.lengthOf(await fired(id), 1)
    assert.strictEqual(await balanceOf(account.id), 90_000)
    await service.run(Effect.flatMap(Alerts, (alerts) => Effect.zipRight(alerts.pause(id), alerts.resume(id))))
    const [watched] = (await service.run(Effect.flatMap(AlertStore, ({ active }) => active))).filter(
      (one) => one.id === id,
    )
    // A process that stores the crossing and dies.
    await service.run(
      Effect.flatMap(AlertStore, (store) =>
        store.remember(
          watched!,
          { above: ["X"] },
          {
            at: begins + hour,
            changes: [{ subject: "X", measure: "edge", value: 0.1 }],
          },
        ),
      ),
    )
    await turn()
    assert.lengthOf(await fired(id), 1)
    clock.set(begins + hour + 6_000)
    await Promise.all([turn(), turn()])
    const all = await fired(id)
    assert.deepStrictEqual(
      all.map(({ data }) => [data.crossing, data.changes.length > 0]),
      [
        [1, true],
        [2, true],
      ],
    )
    assert.strictEqual(await balanceOf(account.id), 80_000)
  })

  it("fire each new report, and a move of a temperature from where the last one fired", async () => {
    const at = begins + 2 * hour
    clock.set(at)
    const report = await create({ call: "/v1/weather/settlement?station=KNYC" })
    const move = await create({ call: "/v1/weather/signal?station=KNYC&target=2026-09-12", threshold: 0.3 })
    const later = await create({ call: "/v1/weather/settlement?station=KNYC&day=2026-09-10" })
    await turn()
    assert.lengthOf([...(await fired(report.id)), ...(await fired(move.id)), ...(await fired(later.id))], 0)
    for (let hours = 1; hours <= 72; hours++) {
      clock.set(at + hours * hour)
      await turn()
    }
    const versions = (await fired(report.id)).map(({ data: { changes } }) => changes[0]!)
    assert.isAtLeast(versions.length, 2)
    for (const [n, { value, before }] of versions.entries()) {
      assert.notStrictEqual(value, before)
      if (n > 0) assert.strictEqual(before, versions[n - 1]!.value)
    }
    const [first] = await fired(later.id)
    assert.match(String(first!.data.changes[0]!.value), /^2026-09-10, revision/)
    assert.isUndefined(first!.data.changes[0]!.before)
    const moves = (await fired(move.id)).flatMap(({ data }) => data.changes.map((change) => change))
    assert.isNotEmpty(moves)
    for (const { value, before } of moves) assert.isAtLeast(Math.abs(Number(value) - Number(before)), 0.3 - 1e-9)
  })

  it("pause where the wallet is empty, say so, and go on when they are resumed", async () => {
    const account = await funded("poor", 9_999)
    const { id } = await create({ call: "/v1/markets/edge?domain=nfl", threshold: 0.05 }, account.id)
    await turn()
    assert.deepInclude(await get(id), { status: "paused", reason: "insufficient_funds" })
    await turn()
    await service.run(
      Effect.flatMap(Accounts, (accounts) => accounts.credit("poor", MicroUsd(10_000))).pipe(
        Effect.zipRight(Effect.flatMap(Alerts, (alerts) => alerts.resume(id))),
      ),
    )
    await turn()
    const { status, reason, firedAt } = await get(id)
    assert.deepStrictEqual([status, reason], ["active", undefined])
    assert.isDefined(firedAt)
  })

  it("count against the cap of their agent, and stop with their key", async () => {
    const agent = await service.run(
      Effect.flatMap(Agents, (agents) => agents.create(service.account.id, "capped", { monthlyCap: MicroUsd(5_000) })),
    )
    const { id } = await create({ call: "/v1/markets/edge?domain=nfl", threshold: 0.05, agent: agent.id })
    await turn()
    assert.deepInclude(await get(id), { status: "paused", agentId: agent.id })
    assert.match((await get(id)).reason!, /budget|cap/)
    const own = await create({ call: "/v1/markets/edge?domain=nfl", threshold: 0.05 })
    await service.run(Effect.flatMap(Accounts, (accounts) => accounts.revokeKey(own.keyId)))
    await turn()
    assert.deepInclude(await get(own.id), { status: "paused", reason: "invalid_api_key" })
  })

  it("reach a webhook's queue and the stream of the account, which goes on after the last event", async () => {
    const { webhook } = await service.run(
      Effect.flatMap(Webhooks, (webhooks) =>
        webhooks.create(service.account.id, "https://93.184.215.14/hook", ["alert.fired"]),
      ),
    )
    const { url, account } = service
    for (const one of await service.run(Effect.flatMap(Alerts, (alerts) => alerts.list(account.id)))) {
      await service.run(Effect.flatMap(Alerts, (alerts) => alerts.remove(one.id)))
    }
    const stop = new AbortController()
    const listen = async (token: string, lastId?: string) =>
      fetch(`${url}/v1/alerts/events`, {
        signal: stop.signal,
        headers: { authorization: `Bearer ${token}`, ...(lastId === undefined ? {} : { "last-event-id": lastId }) },
      })
    const test = await listen(account.test.token)
    assert.strictEqual(test.status, 403)
    assert.strictEqual((await listen("svk_live_x")).status, 401)
    const response = await listen(account.live.token)
    assert.strictEqual(response.headers.get("content-type"), "text/event-stream; charset=utf-8")
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    const read = async (from = reader) => {
      let text = ""
      while (!/event: alert\.fired[\s\S]*\n\n/.test(text)) {
        const { value, done } = await from.read()
        if (done) assert.fail(`The stream ended: ${text}`)
        text += value
      }
      return text
    }
    clock.set(clock.unsafeCurrentTimeMillis() + 60_000)
    const { id } = await create({ call: "/v1/markets/edge?domain=crypto", threshold: 0.05 })
    for (let minutes = 0; (await fired(id)).length === 0 && minutes < 600; minutes += 20) {
      clock.set(clock.unsafeCurrentTimeMillis() + 20 * 60_000)
      await turn()
    }
    const text = await read()
    const [, eventId, body] = /id: (\S+)\nevent: alert\.fired\ndata: (.*)\n\n/.exec(text)!
    const event = JSON.parse(body!)
    assert.strictEqual(event.data.alert_id, id)
    assert.strictEqual(event.livemode, true)
    const deliveries = await service.run(
      Effect.flatMap(Webhooks, (webhooks) => webhooks.deliveries(webhook.id, { limit: 10 })),
    )
    assert.deepStrictEqual(
      deliveries.map((each) => [each.eventId, each.type]),
      [[event.id, "alert.fired"]],
    )
    // Another stream goes on after an earlier event and gets the later one.
    const earlier = `${Number(eventId!.split("-")[0]) - 1}-00000000-0000-4000-8000-000000000000`
    const again = await listen(account.live.token, earlier)
    assert.include(await read(again.body!.pipeThrough(new TextDecoderStream()).getReader()), eventId!)
    stop.abort()
  })

  it("are gone with their key once they are deleted", async () => {
    const { id, keyId } = await create({ call: "/v1/weather/settlement?station=KNYC" })
    await service.run(Effect.flatMap(Alerts, (alerts) => alerts.remove(id)))
    const key = await service.run(Effect.flatMap(Accounts, (accounts) => accounts.key(keyId)))
    assert.isDefined(key.revokedAt)
    const failure = await service.run(Effect.flatMap(Alerts, (alerts) => Effect.flip(alerts.get(id))))
    assert.strictEqual(failure.code, "not_found")
  })

  it("fire when posted line-ups move a game's win probability", async () => {
    const { gamePk, firstPitch } = await movedByLineUps()
    const at = (hoursBefore: number) => clock.set(firstPitch - hoursBefore * hour)
    at(5)
    const call = `/v1/mlb/fair-odds?game_pk=${gamePk}`
    const { id } = await create({ call, threshold: 0.02 })
    await turn()
    assert.lengthOf(await fired(id), 0)
    at(1.5)
    await turn()
    const [event, ...others] = await fired(id)
    assert.lengthOf(others, 0)
    const [change] = event!.data.changes
    assert.strictEqual(change!.subject, String(gamePk))
    assert.isAtLeast(Math.abs(Number(change!.value) - Number(change!.before)), 0.02)
    const { prediction } = event!.data.results as Endpoint.Results<typeof endpoints.fairOdds>
    assert.strictEqual(prediction.win_prob_home, Number(change!.value))
  })
})
