import { spawnSync } from "node:child_process"
import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Redacted from "effect/Redacted"
import { Webhook } from "standardwebhooks"
import * as secrets from "../../../adapters/runtime/node/secrets.ts"
import { headers, newSecret, type Signed } from "../../../core/events/signature.ts"

const run = <A>(effect: Effect.Effect<A, never, never>): A => Effect.runSync(effect)
const sign = (signed: Signed) => run(Effect.provide(headers(signed), secrets.layer))
const secret = () => run(Effect.provide(newSecret, secrets.layer))

const signed = (body: string, all: Signed["secrets"] = [secret()]): Signed => ({
  id: "9f1c2d34-5b6a-4c7d-8e9f-0a1b2c3d4e5f",
  at: Date.now(),
  body,
  secrets: all,
})

describe("a signing secret", () => {
  it("is whsec_ and the base64 of 32 bytes, another one each time", () => {
    const all = Array.from({ length: 100 }, () => Redacted.value(secret()))
    for (const each of all) {
      assert.match(each, /^whsec_[A-Za-z0-9+/]{43}=$/)
      assert.strictEqual(Buffer.from(each.slice(6), "base64").length, 32)
    }
    assert.strictEqual(new Set(all).size, all.length)
  })

  it("does not print itself", () => {
    const one = secret()
    assert.notInclude(`${String(one)} ${JSON.stringify({ one })}`, Redacted.value(one).slice(6))
  })
})

describe("the headers of a delivery", () => {
  it("verify in the library of Standard Webhooks and as a plain HMAC, 10,000 bodies", () => {
    const key = secret()
    const library = new Webhook(Redacted.value(key))
    FastCheck.assert(
      FastCheck.property(FastCheck.fullUnicodeString({ minLength: 1, maxLength: 60 }), (text) => {
        const body = JSON.stringify({ text })
        const found = sign(signed(body, [key]))
        assert.deepStrictEqual(library.verify(body, { ...found }), { text })
        assert.strictEqual(
          found["x-service-signature"],
          createHmac("sha256", Redacted.value(key)).update(body).digest("hex"),
        )
      }),
      { numRuns: 10_000 },
    )
  })

  it("do not verify when a byte, the id, the time or the secret is another one", () => {
    const [key, body] = [secret(), '{"a":1}']
    const good = { ...sign(signed(body, [key])) }
    const library = new Webhook(Redacted.value(key))
    assert.doesNotThrow(() => library.verify(body, good))
    for (const [changed, bytes] of [
      [good, '{"a":2}'],
      [{ ...good, "webhook-id": "another" }, body],
      [{ ...good, "webhook-timestamp": String(Number(good["webhook-timestamp"]) - 1) }, body],
    ] as const) {
      assert.throws(() => library.verify(bytes, changed), "No matching signature found")
    }
    assert.throws(() => new Webhook(Redacted.value(secret())).verify(body, good), "No matching signature found")
  })

  it("hold both signatures during a rotation; the plain one is under the new secret", () => {
    const [next, previous, body] = [secret(), secret(), "{}"]
    const found = { ...sign(signed(body, [next, previous])) }
    assert.lengthOf(found["webhook-signature"]!.split(" "), 2)
    for (const key of [next, previous]) {
      assert.doesNotThrow(() => new Webhook(Redacted.value(key)).verify(body, found))
    }
    assert.strictEqual(
      found["x-service-signature"],
      createHmac("sha256", Redacted.value(next)).update(body).digest("hex"),
    )
  })

  const { status } = spawnSync("openssl", ["version"])
  it.skipIf(status !== 0)("agree with the openssl binary", () => {
    for (const body of ["{}", '{"agent_name":"é “b” 🦊"}', "x".repeat(10_000)]) {
      const one = signed(body)
      const { stdout } = spawnSync("openssl", ["dgst", "-sha256", "-hmac", Redacted.value(one.secrets[0]), "-r"], {
        input: body,
        encoding: "utf8",
      })
      assert.strictEqual(sign(one)["x-service-signature"], stdout.split(" ")[0])
    }
  })
})
