import { assert, describe, it } from "@effect/vitest"
import type { Call } from "../../../../../adapters/describe/operation.ts"
import { chooseShown, makeSamples } from "../../../../../adapters/web/docs/reference/samples.ts"
import * as Catalogue from "../../../../../core/endpoint/Catalogue.ts"
import { catalogue } from "../../../../../core/lanes/all.ts"

const baseUrl = "https://a.example"

const shown = (more: Partial<Call> = {}): Call => ({
  id: "weather_signal",
  path: "/v1/weather/signal",
  auth: "key",
  example: { station: "KNYC" },
  ...more,
})

describe("the samples of a call", () => {
  it("have the place of a key where none is given", () => {
    const { curl, TypeScript, Python } = makeSamples(shown(), baseUrl)
    assert.include(curl, "$MARKET_SIGNALS_KEY")
    assert.strictEqual(
      TypeScript,
      'import { makeClient } from "market-signals/client"\n\n' +
        'const client = makeClient({ baseUrl: "https://a.example", key: "svk_…" })\n' +
        'const { results } = await client.weather_signal({ station: "KNYC" })',
    )
    assert.strictEqual(
      Python,
      'from market_signals import Client\n\nclient = Client("https://a.example", key="svk_…")\n' +
        'results = client.weather_signal(station="KNYC").results',
    )
  })

  it("have a key that is given, as it is", () => {
    const { curl, TypeScript, Python } = makeSamples(shown(), baseUrl, "svk_$&")
    assert.strictEqual(
      curl,
      'curl "https://a.example/v1/weather/signal?station=KNYC" -H "Authorization: Bearer svk_$&"',
    )
    assert.include(TypeScript, 'key: "svk_$&"')
    assert.include(Python, 'key="svk_$&"')
  })

  it("have no key where none is needed, and the whole answer is the result", () => {
    const { curl, TypeScript, Python } = makeSamples(shown({ auth: "none", example: {} }), baseUrl)
    assert.strictEqual(curl, 'curl "https://a.example/v1/weather/signal"')
    assert.include(TypeScript, "const results = await client.weather_signal()")
    assert.notInclude(TypeScript, "key")
    assert.match(Python, /Client\("https:\/\/a\.example"\)\nresults = client\.weather_signal\(\)\.results$/)
  })

  it("have Python's words, and names that Python allows", () => {
    const example = { a: null, b: [true, false], c: { d: 1.5 }, e: "x" }
    const body = makeSamples(shown({ method: "POST", example }), baseUrl).Python
    assert.include(body, '(a=None, b=[True, False], c={"d": 1.5}, e="x")')
    assert.include(makeSamples(shown({ example: { from: 1 } }), baseUrl).Python, "(from_=1)")
  })

  it("have the call of a tool", () => {
    assert.deepStrictEqual(JSON.parse(makeSamples(shown(), baseUrl).MCP), {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "weather_signal", arguments: { station: "KNYC" } },
    })
  })
})

describe("the endpoint that is shown", () => {
  it("is the first signal of the catalogue, and has samples of its example", () => {
    const endpoint = chooseShown(catalogue)!
    const signals = Catalogue.live(catalogue).filter(({ endpoint: { kind } }) => kind === "Signal")
    assert.strictEqual(endpoint.id, signals[0]!.endpoint.id)
    const { curl, TypeScript } = makeSamples(endpoint, baseUrl)
    assert.include(curl, baseUrl + endpoint.path)
    assert.include(TypeScript, `client.${endpoint.id}(`)
  })
})
