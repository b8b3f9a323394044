import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { database } from "../../../support/postgres.ts"
import { node } from "../../../support/postgresNode.ts"
import { environmentOf, folder, funded, serverProcess } from "../../../support/serverProcess.ts"

describe("a node behind a balancer", () => {
  it.scopedLive("is not ready from SIGTERM on, answers calls for some seconds more, and has no sessions", () =>
    Effect.gen(function* () {
      const url = yield* database
      const token = yield* Effect.provide(funded, yield* node(url))
      const environment = { ...environmentOf(url, yield* folder), STOP_PAUSE_SECONDS: "2" }
      const { child, get } = yield* serverProcess(environment)
      for (const path of ["/mcp/sse", "/mcp/messages?sessionId=x"]) {
        const { status, json } = yield* get(path, token)
        assert.strictEqual(status, 404)
        assert.deepInclude(json["error"], { code: "not_found" })
      }
      yield* Effect.repeat(get("/readyz"), { until: ({ status }) => status === 200 })
      const begun = performance.now()
      child.process.kill("SIGTERM")
      yield* Effect.repeat(get("/readyz"), { until: ({ status }) => status === 503 })
      assert.isBelow(performance.now() - begun, 1_500)
      assert.isTrue((yield* get("/readyz")).json["draining"])
      assert.strictEqual((yield* get("/v1/weather/settlement?station=KNYC", token)).status, 200)
      assert.include([0, 130, 143], yield* Effect.promise(() => child.ended))
      assert.isAtLeast(performance.now() - begun, 2_000)
    }),
  )
})
