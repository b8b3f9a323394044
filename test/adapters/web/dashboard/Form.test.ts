import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { h } from "preact"
import { renderToStaticMarkup } from "preact-render-to-string"
import * as AdminOperation from "../../../../adapters/admin/AdminOperation.ts"
import { Form, FormHead, VerbForm } from "../../../../adapters/web/dashboard/Form.tsx"
import { optional } from "../../../../core/endpoint/Field.ts"
import * as Param from "../../../../core/endpoint/Param.ts"
import { type Failure, fail } from "../../../../core/Failure.ts"
import { visit } from "./visit.ts"

const verb = AdminOperation.make("things_make", "POST things", {
  summary: "Make a thing",
  operatorOnly: ["rpm"],
  params: Schema.Struct({
    name: Param.text(8, "What it is called."),
    cap_micros: optional(Param.integer(0, 2_000_000, "Limit of spend, micro-dollars.")),
    rpm: optional(Param.integer(1, 100, "Limit of calls.")),
    kind: optional(Param.oneOf(["small", "large"], "Size.")),
    size: Param.oneOf(["S", "L"], ""),
    is_new: optional(Schema.Boolean),
    colours: Schema.Array(Schema.Literal("red", "blue")),
    tags: optional(Schema.Array(Schema.String)),
  }),
  results: Schema.Struct({}),
  run: () => {
    throw new Error("It is not run.")
  },
})

const refused = (failure: Failure, values = "", action = "make") =>
  visit({ sent: { action, values: new URLSearchParams(values), failure } })

const hints = (...fields: ReadonlyArray<string>) =>
  fields.map((field) => ({ field, action: "change" as const, suggestion: `${field} is wrong.` }))

const form = (more: Partial<Parameters<typeof Form>[0]> = {}) =>
  renderToStaticMarkup(h(Form, { visit: visit(), action: "make", button: "Make", ...more }))

describe("a form", () => {
  it("sends its session, its id and its action", () => {
    assert.strictEqual(
      form(),
      '<form method="post" class="stacked"><input type="hidden" name="form_token" value="token"/>' +
        '<input type="hidden" name="form_id" value="form"/><input type="hidden" name="action" value="make"/>' +
        '<button type="submit">Make</button></form>',
    )
    assert.notInclude(renderToStaticMarkup(h(FormHead, { visit: visit() })), "action")
  })

  it("sends what the page gives, and marks what cannot be undone", () => {
    const html = form({ given: { id: "7" }, isDanger: true, isInline: true, about: "for seven" })
    assert.include(html, '<form method="post" class="inline">')
    assert.include(html, '<input type="hidden" name="id" value="7"/>')
    assert.include(html, '<button type="submit" class="danger">Make<span class="unseen"> for seven</span></button>')
  })

  it("is not shown to somebody who may not send it", () => {
    const barred = (action: string) => visit({ barred: { actions: [action], does: [], owners: [] } })
    assert.strictEqual(form({ visit: barred("make") }), "")
    assert.notStrictEqual(form({ visit: barred("other") }), "")
  })

  it("says why it was refused, where no hint says it at a field", () => {
    assert.include(
      form({ visit: refused(fail("not_found", { detail: "Gone." })) }),
      '<p class="error" role="alert">Gone.</p>',
    )
    assert.notInclude(form({ visit: refused(fail("invalid_parameter", { hints: hints("name") })) }), "error")
  })

  it("in a row says the hints itself", () => {
    const failure = fail("invalid_parameter", { detail: "No.", hints: hints("a", "b") })
    assert.include(form({ visit: refused(failure), isInline: true }), ">No. a is wrong. b is wrong.</p>")
    const bare = fail("invalid_parameter", { hints: hints("a") })
    assert.include(form({ visit: refused(bare), isInline: true }), ">a is wrong.</p>")
  })

  it("says nothing of another form, or of one with other given values", () => {
    const failure = fail("not_found", { detail: "Gone." })
    assert.notInclude(form({ visit: refused(failure, "", "other") }), "Gone.")
    assert.notInclude(form({ visit: refused(failure, "id=8"), given: { id: "7" } }), "Gone.")
    assert.include(form({ visit: refused(failure, "id=7"), given: { id: "7" } }), "Gone.")
  })
})

const verbForm = (more: Partial<Parameters<typeof VerbForm>[0]> = {}) =>
  renderToStaticMarkup(h(VerbForm, { visit: visit(), action: "make", button: "Make", verb, ...more }))

describe("the form of a verb", () => {
  it("has a control for each kind of parameter", () => {
    const html = verbForm({ values: { name: "n", kind: "large", is_new: "true", colours: ["blue"] } })
    assert.match(html, /<input id="make-name" name="name" [^>]*required type="text" value="n" [^>]*maxlength="8"\/>/)
    assert.match(
      html,
      /<label for="make-cap_micros">Cap \(USD\)<small> optional<\/small><\/label><input [^>]*inputmode="decimal"/,
    )
    assert.match(html, /<input id="make-rpm" [^>]*inputmode="numeric"/)
    assert.include(html, "<option value>Default</option>")
    assert.match(html, /<option value="large" selected>large/)
    assert.match(html, /<input id="make-is_new" name="is_new" type="checkbox" value="true" checked\/>/)
    assert.match(html, /<fieldset><legend>Colours<\/legend>.*name="colours" value="red"\/> red/)
    assert.match(html, /name="colours" value="blue" checked\/> blue/)
    assert.match(html, /<input id="make-tags" name="tags" type="text" value/)
  })

  it("has no default in a choice that has to be made", () => {
    const [, size = ""] =
      /<fieldset class="segmented"><legend>Size<\/legend>([\s\S]*?)<\/fieldset>/.exec(verbForm()) ?? []
    assert.lengthOf(size.match(/type="radio"/g) ?? [], 2)
    assert.lengthOf(size.match(/ checked/g) ?? [], 1)
    assert.notInclude(size, "Default")
  })

  it("says what a field is for, its range, and whether it may be left out", () => {
    const html = verbForm()
    assert.include(html, '<small id="make-name-help">What it is called.</small>')
    assert.include(html, '<small id="make-cap_micros-help">Limit of spend. From 0 to 2 USD.</small>')
    assert.notInclude(html, "make-size-help")
  })

  it("leaves out what the page gives, and keeps what only operators choose from members", () => {
    assert.notInclude(verbForm({ omitted: ["name"] }), "make-name")
    const member = visit({ actor: { who: "per_1", member: { accountId: "acc_1", role: "owner" } } })
    assert.notInclude(verbForm({ visit: member }), "make-rpm")
    assert.include(verbForm({ visit: member }), "make-name")
  })

  it("offers what the page names for a list of texts", () => {
    assert.match(
      verbForm({ choices: { tags: { a: "First.", b: "Second." } } }),
      /name="tags" value="a"\/> a<small>First.<.*name="tags" value="b"\/> b<small>Second.</,
    )
  })

  it("that was refused shows again what was typed, and the errors at their fields, the first one in focus", () => {
    const failure = fail("invalid_parameter", { hints: hints("cap_micros", "size", "other") })
    const html = verbForm({
      visit: refused(failure, "name=typed&cap_micros=9&colours=red"),
      values: { name: "before", colours: ["blue"] },
    })
    assert.include(html, 'value="typed"')
    assert.notInclude(html, "before")
    assert.match(html, /value="red" checked/)
    assert.notMatch(html, /value="blue" checked/)
    assert.include(html, '<p class="error" role="alert">other is wrong.</p>')
    assert.match(
      html,
      /id="make-cap_micros" name="cap_micros" aria-describedby="make-cap_micros-help make-cap_micros-error" aria-invalid="true" autofocus/,
    )
    assert.include(html, '<span class="error" id="make-cap_micros-error">Enter an amount of 0 to 2 USD, such as 12.50.')
    assert.include(html, '<span class="error" id="make-size-error">Size is wrong.</span>')
    assert.lengthOf(html.match(/autofocus/g)!, 1)
  })
})
