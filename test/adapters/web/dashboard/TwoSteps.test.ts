import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import { accountVerbs } from "../../../../adapters/admin/accountVerbs.ts"
import { FirstStep, givenBy, SecondStep, stepTo } from "../../../../adapters/web/dashboard/TwoSteps.tsx"
import { fail } from "../../../../core/Failure.ts"
import { visit } from "./visit.ts"

const at = (query: string) => visit({ query: new URLSearchParams(query) })

const given = (query: string) => givenBy(at(query), "credit", accountVerbs.walletCredit, { account: "acc_1" })

describe("the address of a second step", () => {
  it("names the action and its values", () => {
    assert.strictEqual(stepTo("/p", "credit"), "/p?do=credit")
    assert.strictEqual(stepTo("/p", "credit", { micros: "1.5", note: "a b" }), "/p?do=credit&micros=1.5&note=a+b")
  })
})

describe("what the first step gave", () => {
  it.effect("is nothing for an address without its form", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* given(""))
      assert.isUndefined(yield* given("do=reverse&micros=1"))
    }),
  )

  it.effect("is the parameters of the verb, with those of the page", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* given("do=credit&micros=1.5"),
        Either.right({ account: "acc_1", micros: 1_500_000 }),
      )
      // The page's own value counts, whatever the address says.
      assert.deepStrictEqual(
        yield* given("do=credit&micros=2&account=acc_2"),
        Either.right({ account: "acc_1", micros: 2_000_000 }),
      )
    }),
  )

  it.effect("is why they are refused", () =>
    Effect.gen(function* () {
      const found = yield* given("do=credit&micros=0")
      assert.isTrue(found !== undefined && Either.isLeft(found))
      if (found === undefined || Either.isRight(found)) return
      assert.deepStrictEqual(
        found.left.hints?.map(({ field }) => field),
        ["micros"],
      )
    }),
  )
})

const first = (query: string, found: Parameters<typeof FirstStep>[0]["given"]) =>
  renderToStaticMarkup(
    h(FirstStep, {
      visit: at(query),
      action: "credit",
      verb: accountVerbs.walletCredit,
      given: found,
      values: { micros: "20" },
    }),
  )

describe("the form of the first step", () => {
  it("changes nothing: it leads to an address", () => {
    const html = first("", undefined)
    assert.include(html, '<form method="get" class="stacked"><input type="hidden" name="do" value="credit"/>')
    assert.include(html, 'value="20"')
    assert.notInclude(html, "form_token")
  })

  it("shows what was refused at its field, with what was typed", () => {
    const failure = fail("invalid_parameter", {
      hints: [{ field: "micros", action: "change", suggestion: "Another amount." }],
    })
    const html = first("do=credit&micros=zero", Either.left(failure))
    assert.include(html, 'value="zero"')
    assert.include(html, "Another amount.")
  })

  it("that was taken begins with its usual values again", () => {
    assert.include(first("do=credit&micros=3", Either.right({})), 'value="20"')
  })
})

describe("the second step", () => {
  it("sends the values of the first one again, and leads back", () => {
    const html = renderToStaticMarkup(
      h(SecondStep, {
        visit: at("do=credit&micros=3"),
        action: "credit",
        button: "Credit 3 USD",
        path: "/p",
        children: "The wallet gets 3 USD.",
      }),
    )
    assert.include(html, "<p><strong>The wallet gets 3 USD.</strong></p>")
    assert.include(html, '<input type="hidden" name="micros" value="3"/>')
    assert.notInclude(html, 'name="do"')
    assert.include(html, '<button type="submit">Credit 3 USD</button>')
    assert.include(html, '<a href="/p">Cancel</a>')
  })

  it("marks what cannot be undone", () => {
    const props = { visit: at(""), action: "a", button: "Delete", path: "/p", children: "Sure?", isDanger: true }
    assert.include(renderToStaticMarkup(h(SecondStep, props)), '<button type="submit" class="danger">')
  })
})
