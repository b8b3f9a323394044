import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import {
  allOrNone,
  choice,
  consent,
  hosts,
  integerBetween,
  matching,
  parseSecureUrl,
  parseWebUrl,
  positiveInteger,
  type Read,
  splitList,
  variable,
  webUrl,
} from "../../../services/config/values.ts"

const load = <A>(config: Config.Config<A>, given: Readonly<Record<string, string>>) =>
  Effect.runSync(
    Effect.either(Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map(Object.entries(given))))),
  )

const valueOf = <A>(read: Read<A>, text: string): A => Either.getOrThrow(load(read("X"), { X: text }))
const errorOf = <A>(read: Read<A>, text: string): string =>
  String(Either.getOrThrow(Either.flip(load(read("X"), { X: text }))))

describe("numbers", () => {
  it("a count is a positive integer", () => {
    assert.strictEqual(valueOf(positiveInteger, "1"), 1)
    assert.include(errorOf(positiveInteger, "0"), 'Expected a whole number of at least 1. Got "0".')
    assert.include(errorOf(positiveInteger, "1.5"), "X")
  })

  it("a number between two others may be either of them", () => {
    const read = integerBetween(2, 5)
    assert.deepStrictEqual([valueOf(read, "2"), valueOf(read, "5")], [2, 5])
    assert.include(errorOf(read, "1"), 'Expected a whole number from 2 to 5. Got "1".')
    assert.include(errorOf(read, "6"), 'Expected a whole number from 2 to 5. Got "6".')
    assert.strictEqual(valueOf(integerBetween(2), "1000000"), 1_000_000)
    assert.include(errorOf(integerBetween(2), "1"), 'Expected a whole number of at least 2. Got "1".')
  })
})

describe("words", () => {
  it("a choice is one of its words, as it is written", () => {
    const read = choice(["json", "pretty", "logfmt"])
    assert.strictEqual(valueOf(read, "pretty"), "pretty")
    assert.include(errorOf(read, "JSON"), 'Expected json, pretty or logfmt. Got "JSON".')
  })

  it("an error quotes 200 characters at most, and nothing with an at sign", () => {
    const read = choice(["a", "b"])
    assert.include(errorOf(read, "x".repeat(201)), `Got "${"x".repeat(200)}".`)
    const secret = errorOf(read, "user:word@host")
    assert.include(secret, "Expected a or b.")
    assert.notInclude(secret, "word")
  })

  it("consent is yes or no, and no without it", () => {
    const { config, defaultText } = consent("X", "yes: it is so")
    assert.isTrue(Either.getOrThrow(load(config, { X: "yes" })))
    assert.isFalse(Either.getOrThrow(load(config, { X: "no" })))
    assert.isFalse(Either.getOrThrow(load(config, {})))
    assert.strictEqual(defaultText, "no")
    assert.include(String(load(config, { X: "true" })), "Expected yes or no.")
  })

  it("text has a form", () => {
    const read = matching(/^a+$/, "Expected some a.")
    assert.strictEqual(valueOf(read, "aa"), "aa")
    assert.include(errorOf(read, "ab"), "Expected some a.")
  })
})

describe("addresses", () => {
  it("of the web lose their last slashes, and have no password", () => {
    assert.strictEqual(parseWebUrl("https://example.com//"), "https://example.com")
    assert.strictEqual(parseWebUrl("HTTP://Example.com/a/"), "http://example.com/a")
    for (const text of ["", "example.com", "ftp://example.com", "https://u@example.com", "https://:p@example.com"]) {
      assert.isUndefined(parseWebUrl(text), text)
    }
    assert.include(
      errorOf(webUrl, "ftp://x"),
      'Expected a URL that begins with http: or https:, without a password. Got "ftp://x".',
    )
  })

  it("that are secure are of https, or of this machine", () => {
    const secure = ["https://example.com/a", "http://localhost:1", "http://127.0.0.1", "http://[::1]:8"]
    for (const text of secure) assert.strictEqual(parseSecureUrl(text)?.href, new URL(text).href)
    const others = [
      "http://example.com",
      "http://localhost.example.com",
      "ftp://localhost",
      "https://example.com/?a",
      "https://example.com/#a",
      "https://u@example.com",
      "https://u:p@example.com",
      "text",
    ]
    for (const text of others) assert.isUndefined(parseSecureUrl(text), text)
  })
})

describe("lists", () => {
  it("are separated by commas; spaces and empty entries do not count", () => {
    assert.deepStrictEqual(splitList(" a, b ,,c d,"), ["a", "b", "c d"])
    assert.deepStrictEqual(splitList(" , "), [])
  })

  it("of hosts are refused for one that cannot be read", () => {
    const read = hosts((text) => (text.startsWith("!") ? undefined : text.toUpperCase()), "a.b")
    assert.deepStrictEqual(valueOf(read, "a,b"), ["A", "B"])
    assert.deepStrictEqual(valueOf(read, ""), [])
    assert.include(errorOf(read, "a,!b"), 'Expected comma-separated hosts such as a.b. Got "a,!b".')
  })
})

describe("variables", () => {
  it("a variable without a default is an option, one with a default tells it", () => {
    const open = variable("X", Config.string, "some text")
    assert.deepStrictEqual(Either.getOrThrow(load(open.config, {})), Option.none())
    assert.deepStrictEqual(Either.getOrThrow(load(open.config, { X: "a" })), Option.some("a"))
    assert.isFalse("defaultText" in open)
    const port = variable("X", Config.integer, "a port", { default: 8080 })
    assert.strictEqual(Either.getOrThrow(load(port.config, {})), 8080)
    assert.strictEqual(port.defaultText, "8080")
    const list = variable(
      "X",
      hosts((text) => text, "a"),
      "hosts",
      { default: [], defaultText: "all" },
    )
    assert.strictEqual(list.defaultText, "all")
  })

  it("some go together: all that are needed, or none at all", () => {
    const all = allOrNone(
      {
        id: variable("ID", Config.string, "an id"),
        secret: variable("SECRET", Config.string, "its secret"),
        note: variable("NOTE", Config.string, "a note"),
      },
      ["id", "secret"],
    )
    assert.deepStrictEqual(Either.getOrThrow(load(all, {})), Option.none())
    const both = { ID: "a", SECRET: "b" }
    assert.deepStrictEqual(Either.getOrThrow(load(all, both)), Option.some({ id: "a", secret: "b" }))
    assert.deepStrictEqual(
      Either.getOrThrow(load(all, { ...both, NOTE: "c" })),
      Option.some({ id: "a", secret: "b", note: "c" }),
    )
    for (const [given, missing] of [
      [{ ID: "a" }, "SECRET"],
      [{ SECRET: "b" }, "ID"],
      [{ NOTE: "c" }, "ID"],
    ] as const) {
      const error = String(load(all, given))
      assert.include(error, "ID and SECRET go together.")
      assert.include(error, missing)
    }
  })
})
