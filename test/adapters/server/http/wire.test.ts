import { assert, describe, it } from "@effect/vitest"
import * as Wire from "../../../../adapters/server/http/wire.ts"
import * as Envelope from "../../../../core/endpoint/Envelope.ts"
import type { Served } from "../../../../core/gateway/Served.ts"
import { catalogue } from "../../../../core/lanes/all.ts"

const served: Served = {
  status: 200,
  requestId: "req_01ARYZ6S4100000000000000",
  body: Envelope.body({ degrees: "71 °F" }),
  limit: { ok: true, limit: 600, remaining: 599, resetSeconds: 1, retryAfterMs: 0 },
  retryAfterMs: undefined,
  replayed: false,
}

const answers: Readonly<Record<string, Served>> = {
  plain: served,
  "with an entity tag": { ...served, etag: 'W/"00"' },
  replayed: { ...served, replayed: true },
  "without a limit": { ...served, limit: undefined },
  unauthorized: { ...served, status: 401, limit: undefined },
  "to be tried again": { ...served, status: 503, retryAfterMs: 1_500 },
}

describe("flat headers", () => {
  for (const { endpoint } of catalogue.entries) {
    for (const [name, answer] of Object.entries(answers)) {
      it(`${endpoint.id}, ${name}: the same as by name, in the same order`, () => {
        const { succeeded, failed } = Wire.makeHeaders(endpoint)
        const known = answer.status < 400 ? succeeded : failed
        const { headers, body } = Wire.of(answer, known.named)
        assert.deepStrictEqual(Wire.flatHeaders(answer, body, known), Object.entries(headers).flat())
      })
    }
  }
})
