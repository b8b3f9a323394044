// Proof: a lane's history, read and compared.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { weatherReportsJob, weatherVenueJob } from "../../../../../adapters/lanes/weather/jobs.ts"
import { layerReports } from "../../../../../adapters/lanes/weather/store/ClimateReports.ts"
import { Feeds } from "../../../../../core/feeds/Feeds.ts"
import { climateDay, stations } from "../../../../../core/lanes/weather/stations.ts"
import { addDays, hour } from "../../../../../core/time.ts"
import { archiveRoutes, productRoutes } from "../../../../support/climateUpstreams.ts"
import { nwsRoutes } from "../../../../support/nws.ts"
import { json, replay } from "../../../../support/replay.ts"
import { type Running, settings, start } from "../../../../support/running.ts"

const [newYork] = stations
/** The newest day whose report is there at any hour: it comes some hours after midnight. */
const yesterday = addDays(climateDay(newYork, Date.now() - 8 * hour), -1)

describe("the venue's settlement source", { timeout: 60_000 }, () => {
  const scope = Effect.runSync(Scope.make())
  let service: Running
  let body: unknown = { results: [] }

  beforeAll(async () => {
    const now = () => Date.now()
    const [nws, iem, twc] = await Effect.runPromise(
      Scope.extend(
        Effect.all([
          replay([...nwsRoutes(now), ...productRoutes(now)]),
          replay(archiveRoutes(now)),
          replay([
            {
              path: "/kalshi/api/climate/primary",
              reply: ({ query }) => json(query.get("date") === yesterday ? body : { results: [] }),
            },
          ]),
        ]),
        scope,
      ),
    )
    const upstreams = { ...settings().upstreams, nws: nws.url, iem: iem.url, twc: twc.url }
    service = await start({ weather: "live", upstreams })
  })
  afterAll(async () => {
    await service.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const run = (job: typeof weatherVenueJob) =>
    service.run(Effect.flatMap(job, (one) => Effect.either(one.run)) as never) as Promise<{
      readonly _tag: string
      readonly right: string
      readonly left: Error
    }>
  const registered = async () =>
    (await service.get("/v1/weather/stations?verbose=true")).json.results.stations.find(
      ({ id }: { readonly id: string }) => id === "KNYC",
    ).settles.agreement
  const signal = async (station: string) =>
    (await service.get(`/v1/weather/signal?station=${station}&verbose=true`)).json.results

  it("is compared with stored reports, and said in stations, signals and on the scoreboard", async () => {
    assert.include((await signal("KMDW")).market_note, "The two are not compared here yet")

    await run(Effect.provide(weatherReportsJob, layerReports) as never)
    const settled = (await service.get(`/v1/weather/settlement?station=KNYC&day=${yesterday}&verbose=true`)).json
      .results
    const { high_f, low_f, first_official } = settled.settlement
    assert.deepStrictEqual([first_official.high_f, first_official.low_f], [high_f, low_f])
    const issueTime = first_official.issued_at
    body = {
      results: [
        {
          station: { icao: "KNYC", cliId: "CLINYC" },
          data: { maxTemp: high_f, minTemp: low_f - 1, issueTime, reportDate: yesterday },
          status: "official",
        },
      ],
    }
    const read = await run(weatherVenueJob)
    assert.match(read.right, /^1 new; (KNYC, )?KMDW, /)

    const agreement = await registered()
    assert.deepStrictEqual(
      [agreement.venue_source, agreement.compared, agreement.equal, agreement.within_one, agreement.missing],
      ["The Weather Company", 2, 1, 2, 0],
    )
    assert.deepStrictEqual(agreement.differences, [
      { day: yesterday, extreme: "low", report_f: low_f, venue_f: low_f - 1 },
    ])
    assert.deepInclude(agreement.equal_share, { estimate: 0.5, level: 0.95 })
    assert.isTrue(agreement.equal_share.low < 0.5 && agreement.equal_share.high > 0.5)
    const { market_note, settlement_basis } = await signal("KNYC")
    assert.include(market_note, "The two agree on 1 of 2 highs and lows compared here")
    assert.strictEqual(settlement_basis.agreement, "1 of 2")
    assert.include(await (await fetch(`${service.url}/scoreboard`)).text(), "New York (KNYC)")
  })

  it("is refused where it does not fit, and the register has the reason", async () => {
    body = { results: [{ station: { icao: "KMDW" }, status: "final" }] }
    const read = await run(weatherVenueJob)
    assert.strictEqual(read._tag, "Left")
    assert.match(
      read.left.message,
      /The Weather Company sent an answer that cannot be true: 1 of 1 rows are refused; of the first, status/,
    )
    const feeds = await service.run(Effect.flatMap(Feeds, ({ all }) => all) as never)
    assert.match(JSON.stringify(feeds), /"weather_venue".*sent an answer that cannot be true/)
    assert.strictEqual((await registered()).compared, 2)
  })
})
