import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { stripe } from "../../../services/config/stripe.ts"

const read = (given: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(stripe, ConfigProvider.fromMap(new Map(Object.entries(given))))

const key = { STRIPE_SECRET_KEY: "sk_test_1" }
const secret = { STRIPE_WEBHOOK_SECRET: "whsec_a" }

const wrong: ReadonlyArray<readonly [Readonly<Record<string, string>>, RegExp]> = [
  [key, /STRIPE_WEBHOOK_SECRET.*go together/],
  [secret, /STRIPE_SECRET_KEY.*go together/],
  [{ STRIPE_API_URL: "http://127.0.0.1:1" }, /STRIPE_SECRET_KEY.*go together/],
  [{ ...secret, STRIPE_SECRET_KEY: "pk_test_1" }, /STRIPE_SECRET_KEY.*begins with sk_test_/],
  [{ ...secret, STRIPE_SECRET_KEY: "sk_test_1 " }, /STRIPE_SECRET_KEY/],
  [{ ...key, STRIPE_WEBHOOK_SECRET: "we_1" }, /STRIPE_WEBHOOK_SECRET.*whsec_/],
  [{ ...key, STRIPE_WEBHOOK_SECRET: "," }, /STRIPE_WEBHOOK_SECRET/],
  [{ ...key, STRIPE_WEBHOOK_SECRET: "whsec_a,whsec_b,whsec_c" }, /STRIPE_WEBHOOK_SECRET/],
  ...["http://stripe.example", "https://api.example/v1", "https://a:b@api.example", "ftp://api.example", "api"].map(
    (url) => [{ ...key, ...secret, STRIPE_API_URL: url }, /STRIPE_API_URL.*https/] as const,
  ),
]

describe("the settings of payments by card", () => {
  it.effect("are none by default", () => Effect.map(read({}), (found) => assert.deepStrictEqual(found, Option.none())))

  it.effect("are a key and one secret or two, and perhaps another host", () =>
    Effect.gen(function* () {
      const given = { ...key, STRIPE_WEBHOOK_SECRET: "whsec_a, whsec_b", STRIPE_API_URL: "http://127.0.0.1:4242/" }
      const { secretKey, webhookSecrets, apiUrl } = Option.getOrThrow(yield* read(given))
      assert.strictEqual(Redacted.value(secretKey), "sk_test_1")
      assert.deepStrictEqual(webhookSecrets.map(Redacted.value), ["whsec_a", "whsec_b"])
      assert.strictEqual(apiUrl, "http://127.0.0.1:4242")
      const plain = Option.getOrThrow(yield* read({ ...key, ...secret }))
      assert.notProperty(plain, "apiUrl")
    }),
  )

  it.effect.each(wrong)("that are wrong name the variable and not its value: %j", ([given, said]) =>
    Effect.gen(function* () {
      const error = String(yield* Effect.flip(read(given)))
      assert.match(error, said)
      for (const [name, value] of Object.entries(given))
        if (!name.endsWith("URL") && value.length > 3) assert.notInclude(error, value)
    }),
  )
})
