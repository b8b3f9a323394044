import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as AdminOperation from "../../../adapters/admin/AdminOperation.ts"
import { accountVerbs } from "../../../adapters/admin/accountVerbs.ts"
import { type Field, fieldsOf, hintAt, rangeText, read } from "../../../adapters/admin/fields.ts"
import { verbs } from "../../../adapters/admin/verbs.ts"
import { optional } from "../../../core/endpoint/Field.ts"
import * as Param from "../../../core/endpoint/Param.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { filing } from "../../../core/lanes/filings/mod.ts"
import { forecast } from "../../../core/lanes/weather/endpoints.ts"

const verb = AdminOperation.make("things_make", "POST things/:place/made", {
  summary: "Make a thing",
  params: Schema.Struct({
    place: Param.text(8, "Where."),
    url: Param.text(100, "Address."),
    rpm: optional(Param.integer(1, 100, "Limit.")),
    micros: Param.integer(1_500_000, 2_000_000_000, "Amount, micro-dollars."),
    monthly_cap_micros: optional(Param.integer(0, Number.MAX_SAFE_INTEGER, "Monthly cap.")),
    wait_seconds: optional(Param.integer(1, 60, "")),
    kind: Param.oneOf(["small", "large"], "Size."),
    is_new: optional(Schema.Boolean),
    labels: optional(Schema.Array(Schema.String)),
    colours: optional(Schema.Array(Schema.Literal("red", "blue"))),
    city: optional(Param.oneOfAnyCase(["NYC", "CHI"], "Where.", { NYC: "New York" })),
    since: optional(Param.day("From.")),
    share: optional(Param.number(0, 1, "How much.")),
  }),
  results: Schema.Struct({}),
  run: () => {
    throw new Error("It is not run.")
  },
})

const all = fieldsOf(verb)
const field = (name: string): Field => all.find((each) => each.name === name)!

const given = (text: string) => read(all, new URLSearchParams(text))

describe("the fields of a verb", () => {
  it("are its parameters in their order, without those in the path", () => {
    assert.deepStrictEqual(
      all.map(({ name }) => name),
      [
        "url",
        "rpm",
        "micros",
        "monthly_cap_micros",
        "wait_seconds",
        "kind",
        "is_new",
        "labels",
        "colours",
        "city",
        "since",
        "share",
      ],
    )
  })

  it("have labels for people", () => {
    assert.deepStrictEqual(
      all.map(({ label }) => label),
      [
        "URL",
        "Calls per minute",
        "Amount",
        "Monthly cap",
        "Wait (seconds)",
        "Kind",
        "Is new",
        "Labels",
        "Colours",
        "City",
        "Since",
        "Share",
      ],
    )
  })

  it("have the kind of their schema", () => {
    assert.deepStrictEqual(field("url").kind, { _tag: "Text", most: 100 })
    assert.deepStrictEqual(field("rpm").kind, { _tag: "Number", isWhole: true })
    assert.deepStrictEqual(field("share").kind, { _tag: "Number", isWhole: false })
    assert.deepStrictEqual(field("kind").kind, { _tag: "Choice", values: ["small", "large"] })
    assert.deepStrictEqual(field("city").kind, { _tag: "Choice", values: ["NYC", "CHI"], names: { NYC: "New York" } })
    assert.deepStrictEqual(field("since").kind, { _tag: "Day" })
    assert.deepStrictEqual(field("is_new").kind, { _tag: "Flag" })
    assert.deepStrictEqual(field("labels").kind, { _tag: "Choices", values: [] })
    assert.deepStrictEqual(field("colours").kind, { _tag: "Choices", values: ["red", "blue"] })
  })

  it("that are set unless somebody says no are a choice of both, since an empty check box says nothing", () => {
    const diff = fieldsOf(filing).find(({ name }) => name === "diff")!
    assert.deepInclude(diff, { isOptional: false })
    for (const given of ["true", "false"]) {
      assert.deepStrictEqual(read([diff], new URLSearchParams({ diff: given })), { diff: given })
    }
    assert.deepInclude(diff.kind, { _tag: "Choice", values: ["true", "false"] })
    const hourly = fieldsOf(forecast).find(({ name }) => name === "hourly")!
    assert.deepStrictEqual(hourly.kind, { _tag: "Flag" })
  })

  it("have amounts in dollars, without an upper end where there is none", () => {
    assert.deepStrictEqual(field("micros").kind, {
      _tag: "Money",
      isNullable: false,
      range: { least: 1.5, most: 2000 },
    })
    assert.deepStrictEqual(field("monthly_cap_micros").kind, { _tag: "Money", isNullable: false, range: { least: 0 } })
  })

  it("of an amount that may be null say so", () => {
    const [threshold] = fieldsOf(accountVerbs.walletThreshold)
    assert.deepStrictEqual(threshold?.kind, { _tag: "Money", isNullable: true, range: { least: 1e-6 } })
  })

  it("of a time are instants", () => {
    const expiry = fieldsOf(verbs(catalogue).keysCreate).find(({ name }) => name === "expires_at")
    assert.deepInclude(expiry, { label: "Expires", isOptional: true, kind: { _tag: "Instant" } })
  })

  it("have no help that only repeats the label, and speak of dollars", () => {
    assert.strictEqual(field("micros").help, "")
    assert.strictEqual(field("monthly_cap_micros").help, "")
    assert.strictEqual(field("kind").help, "Size.")
    const [threshold] = fieldsOf(accountVerbs.walletThreshold)
    assert.strictEqual(threshold?.help, "Send wallet.low when the balance falls below this.")
  })

  it("know what may be left out", () => {
    assert.isTrue(field("rpm").isOptional)
    assert.isFalse(field("micros").isOptional)
  })
})

describe("a range", () => {
  it("is named by both ends, thousands apart, or by the lower one alone", () => {
    assert.strictEqual(rangeText({ least: 0.5, most: 25_000 }), "0.5 to 25,000 USD")
    assert.strictEqual(rangeText({ least: 1 }), "1 USD or more")
  })
})

describe("a hint", () => {
  it("about an amount by its parameter is one about dollars", () => {
    assert.strictEqual(
      hintAt(field("micros"), "micros must be a whole number"),
      "Enter an amount of 1.5 to 2,000 USD, such as 12.50.",
    )
  })

  it("has the label of its field, and no word of JSON", () => {
    assert.strictEqual(
      hintAt(field("rpm"), "rpm must be 1 to 100, without quotes."),
      "Calls per minute must be 1 to 100.",
    )
    assert.strictEqual(hintAt(field("kind"), "Add kind: small or large."), "Add Kind: small or large.")
  })

  it("that does not name the parameter, or is of another field, stays", () => {
    assert.strictEqual(hintAt(field("micros"), "monthly_cap_micros is wrong"), "monthly_cap_micros is wrong")
    assert.strictEqual(hintAt(field("url"), "urls must be rpm"), "urls must be rpm")
  })
})

describe("a form's values", () => {
  it("are read by their kinds", () => {
    assert.deepStrictEqual(given("url= a &rpm=12&micros=1.5&kind=small&is_new=true&labels=a&labels=b&colours=red"), {
      url: "a",
      rpm: 12,
      micros: 1_500_000,
      kind: "small",
      is_new: true,
      labels: ["a", "b"],
      colours: ["red"],
    })
  })

  it("of a number may have decimals", () => {
    for (const [text, value] of [
      ["0.05", 0.05],
      [".2", 0.2],
      ["-1.5", -1.5],
      ["07", 7],
    ] as const) {
      assert.deepStrictEqual(given(`share=${text}`), { share: value })
    }
  })

  it("that are empty or not there are left out", () => {
    assert.deepStrictEqual(given("url=&rpm=+&micros=&kind=&labels=&colours=+"), {})
    assert.deepStrictEqual(given(""), {})
  })

  it("that the verb does not have are left out", () => {
    assert.deepStrictEqual(given("place=here&other=1&url=x"), { url: "x" })
  })

  it("of a flag are false for another text than true", () => {
    assert.deepStrictEqual(given("is_new=on"), { is_new: false })
  })

  it("that are no number or no amount stay text, so that the verb refuses them", () => {
    assert.deepStrictEqual(given("rpm=1.5.2&micros=1.2345678"), { rpm: "1.5.2", micros: "1.2345678" })
    assert.deepStrictEqual(given("rpm=&share=."), { share: "." })
    assert.deepStrictEqual(given("rpm=-3&micros=-1"), { rpm: -3, micros: "-1" })
  })

  it("of an amount that may be null are null when empty", () => {
    const fields = fieldsOf(accountVerbs.walletThreshold)
    assert.deepStrictEqual(read(fields, new URLSearchParams("threshold_micros=")), { threshold_micros: null })
    assert.deepStrictEqual(read(fields, new URLSearchParams()), { threshold_micros: null })
  })

  it("of a browser's time get seconds and the offset of UTC; other texts stay", () => {
    const fields = fieldsOf(verbs(catalogue).keysCreate)
    const at = (text: string) => read(fields, new URLSearchParams({ expires_at: text }))["expires_at"]
    assert.strictEqual(at("2026-11-24T08:30"), "2026-11-24T08:30:00Z")
    assert.strictEqual(at("2026-11-24T08:30:15Z"), "2026-11-24T08:30:15Z")
    assert.strictEqual(at("soon"), "soon")
    assert.isUndefined(at(" "))
  })
})
