// Runs the client; under Deno without a permission: a read of the environment, a file or the network in it would end
// this. The service is played by a function; that it is the real one's wire is what the other tests are for.
import { type CallOptions, makeClient, RateLimited } from "../../../adapters/client/mod.ts"

const expect = (what: string, actual: unknown, expected: unknown): void => {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) {
    throw new Error(`${what}: ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
  }
}

const asked: Array<Request> = []
const replies: Array<() => Response> = []
const client = makeClient({
  baseUrl: "https://api.example/",
  key: "svk_test_x",
  sleep: () => Promise.resolve(),
  fetch: (input, init) => {
    asked.push(new Request(input as string, init))
    return Promise.resolve(replies.shift()!())
  },
})

const limited = () =>
  Response.json(
    {
      error: {
        code: "rate_limit_exceeded",
        message: "Wait.",
        recoverable: true,
        retry_after_ms: 60_000,
        docs_url: "",
        request_id: "req_1",
        hints: [],
      },
    },
    { status: 429 },
  )

replies.push(
  () => {
    throw new TypeError("The connection was reset.")
  },
  () => Response.json({ results: { settlement: { high_f: 41 } } }),
)
const options = { fields: ["settlement.high_f"] } as const satisfies CallOptions
const { results } = await client.weather_settlement({ station: "KNYC" }, options)
expect("a field that was asked for", results.settlement?.high_f, 41)
expect("attempts", asked.length, 2)
expect("target", asked[1]!.url, "https://api.example/v1/weather/settlement?fields=settlement.high_f&station=KNYC")
expect("one key", asked[0]!.headers.get("idempotency-key"), asked[1]!.headers.get("idempotency-key"))

replies.push(limited)
const error = await client.crypto_spot().catch((error: unknown) => error)
if (!(error instanceof RateLimited)) throw new Error(`Not limited: ${String(error)}`)
expect("when again", error.retryAfterMs, 60_000)
console.log(`client: ${asked.length} requests`)
