// Proof: takes five seconds or more.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import { CurrentCaller } from "../../../core/account/CurrentCaller.ts"
import { LaneSets } from "../../../core/endpoint/LaneSets.ts"
import * as near from "../../../core/endpoint/nearest.ts"
import * as Select from "../../../core/endpoint/Select.ts"
import { fail } from "../../../core/Failure.ts"
import { Gateway } from "../../../core/gateway/Gateway.ts"
import * as Account from "../../../core/lanes/account/Account.ts"
import { ExampleTokens } from "../../../core/lanes/account/ExampleTokens.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { type Running, start } from "../../support/running.ts"
import { countYields } from "../../support/yields.ts"

/** Counts how often two names were compared. */
const counting = () => {
  const counted = { times: 0 }
  const between: typeof near.distance = (a, b, below) => {
    counted.times++
    return near.distance(a, b, below)
  }
  return { counted, between }
}

const plain = (a: string, b: string): number => {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const [before, row] = [rows[i - 1]!, [i]]
    for (let j = 1; j <= b.length; j++) {
      row.push(Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

describe("suggestions for names that do not exist", () => {
  it("are looked for among a bounded number of candidates, each compared once", () => {
    for (const { endpoint } of catalogue.entries) {
      const { paths } = Select.compile(endpoint.results)
      const { counted, between } = counting()
      near.nearest(paths, "z".repeat(near.maxNameLength), between)
      assert.isAtMost(counted.times, paths.length, endpoint.id)
      // Otherwise a path could not be found.
      assert.isAtMost(paths.length, near.maxCompared, endpoint.id)
    }
    const many = Array.from({ length: 10_000 }, (_, at) => `name${at}`)
    const { counted, between } = counting()
    near.nearest(many, "zzzzzzzz", between)
    assert.isAtMost(counted.times, near.maxCompared)
  })

  it("are not looked for at all for long names", () => {
    const { counted, between } = counting()
    assert.isUndefined(near.nearest(["a", "b"], "z".repeat(near.maxNameLength + 1), between))
    assert.strictEqual(counted.times, 0)
  })

  it("repeated paths select what one of them selects", () => {
    for (const { endpoint } of catalogue.entries) {
      const { fields, paths } = Select.compile(endpoint.results)
      const [first] = paths
      if (first === undefined) continue
      assert.deepStrictEqual(fields(Array.from({ length: 64 }, () => first)), fields([first]), endpoint.id)
      assert.deepStrictEqual(fields([...paths, "zz", "zz"]), { unknown: "zz" }, endpoint.id)
    }
  })

  it("are as near as can be", () => {
    const paths = Select.compile(catalogue.byId.get("markets_performance")!.endpoint.results).paths
    for (const name of ["overal", "by_led.led", "hypothetical.pnl", "x", "contested.brier"]) {
      const found = near.nearest(paths, name)!
      const least = Math.min(...paths.map((path) => plain(name, path)))
      assert.strictEqual(plain(name, found), least, name)
    }
    assert.strictEqual(near.distance("kitten", "sitting", 9), 3)
    assert.strictEqual(near.distance("kitten", "sitting", 3), 3)
    assert.strictEqual(near.distance("kitten", "sitting", 2), 2)
    assert.strictEqual(near.distance("", "abc", 9), 3)
    // Two swapped neighbours are one edit.
    assert.strictEqual(near.distance("dya", "day", 9), 1)
    assert.strictEqual(near.distance("feilds", "fields", 2), 1)
    assert.strictEqual(near.distance("abcd", "badc", 9), 2)
    assert.isUndefined(near.nearest(["day", "station"], "horizon", near.distance, 2))
  })
})

describe("examples of a plan", () => {
  const { endpoint: performance } = catalogue.byId.get("markets_performance")!
  const answers = { count: 0 }
  const lanes = Layer.succeed(LaneSets, {
    live: new Map(),
    test: new Map([
      [
        performance.id,
        () =>
          Effect.suspend(() => {
            answers.count++
            return Effect.fail(fail("not_found"))
          }),
      ],
    ]),
  })
  const estimated = (calls: ReadonlyArray<unknown>) =>
    Effect.gen(function* () {
      const { planEstimate } = yield* Account.Account
      const { results } = yield* Effect.provideService(planEstimate({ calls } as never), CurrentCaller, {
        caller: { accountId: "acct_1", keyId: "key_1", livemode: false, perMinute: 60 },
        startedAt: 0,
      })
      return results.calls.map(({ ok }) => ok)
    })
  const layer = Account.layer(catalogue).pipe(
    Layer.provide(ExampleTokens.layer),
    Layer.provide([lanes, Gateway.layerDefaults]),
    Layer.provide(secrets.layer),
  )
  const { id: endpoint } = performance

  it.effect("are asked for once, and not for calls that would be refused", () =>
    Effect.gen(function* () {
      const [unknown, ok] = [{ endpoint, params: { fields: ["z".repeat(200)] } }, { endpoint }]
      assert.deepStrictEqual(yield* estimated([unknown, unknown]), [false, false])
      assert.strictEqual(answers.count, 0)
      assert.deepStrictEqual(yield* estimated([ok, unknown, ok]), [true, false, true])
      assert.strictEqual(answers.count, 1)
    }).pipe(Effect.provide(layer)),
  )
})

describe("over HTTP", () => {
  let service: Running
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.stop())

  /** A plan of as many calls as there may be, each with a field that does not exist. */
  const plan = async () => {
    const response = await fetch(`${service.url}/v1/plan/estimate`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.account.test.token}`, "content-type": "application/json" },
      body: JSON.stringify({
        calls: Array.from({ length: 100 }, () => ({ endpoint: "markets_performance", params: { fields: ["overal"] } })),
      }),
    })
    const { results } = (await response.json()) as { results: { calls: ReadonlyArray<{ message: string }> } }
    return results.calls
  }

  const fieldsOf = async (fields: string) => {
    const { status, json } = await service.get(`/v1/markets/performance?fields=${fields}`, "")
    return [status, json.error?.code, json.error?.hints?.[0]?.suggestion] as const
  }

  it("an unknown path of usual length has the nearest beside it, a long one none", async () => {
    assert.deepStrictEqual(await fieldsOf("overal"), [
      400,
      "invalid_parameter",
      "Unknown field overal. Did you mean overall?",
    ])
    const long = "z".repeat(41)
    assert.deepStrictEqual(await fieldsOf(long), [400, "invalid_parameter", `Unknown field ${long}.`])
  })

  it("number and length of the paths are bounded, and the answer says so", async () => {
    const rule =
      /^fields must be a comma-separated list of up to 64 values, .* 200 characters, 4,096 characters together\.$/
    const many = await fieldsOf(Array.from({ length: 65 }, () => "overall").join())
    const long = await fieldsOf(Array.from({ length: 30 }, () => "z".repeat(150)).join())
    for (const [status, code, suggestion] of [many, long]) {
      assert.deepStrictEqual([status, code], [400, "invalid_parameter"])
      assert.match(suggestion!, rule)
    }
    assert.strictEqual((await fieldsOf(Array.from({ length: 64 }, () => "overall").join()))[0], 200)
  })

  it("a plan says which field there is none of, and suggests nothing", async () => {
    const calls = await plan()
    assert.strictEqual(calls.length, 100)
    for (const { message } of calls) assert.match(message, /Unknown field overal\.$/)
  })

  it("others have their turn while a plan is looked through", async () => {
    const yields = countYields()
    await plan().finally(yields.stop)
    assert.isAtLeast(yields.count(), 100 / 4)
  })
})
