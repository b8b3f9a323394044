import { assert, describe, it } from "@effect/vitest"
import { renderToStaticMarkup } from "preact-render-to-string"
import { enterView, goOnView, offView } from "../../../../adapters/web/dashboard/Enter.tsx"
import { fail } from "../../../../core/Failure.ts"

const shown = (...[provider, failure]: [provider?: string, failure?: ReturnType<typeof fail>]) =>
  renderToStaticMarkup(enterView("/enter.js", "/dashboard/keys?a=1&b=2", provider, failure).body)

describe("the sign-in page", () => {
  it("asks for a link, and keeps where to go on to", () => {
    const html = shown()
    assert.include(html, '<input type="hidden" name="return_to" value="/dashboard/keys?a=1&amp;b=2"/>')
    assert.include(html, '<script src="/enter.js" type="module"></script>')
    assert.notInclude(html, "Sign in with")
    assert.include(html, 'No account? <a href="/get-a-key">Get a key</a>')
    assert.isAbove(html.indexOf("dashboard link"), html.indexOf("<details>"))
    assert.notInclude(html, "aria-invalid")
  })

  it("offers the provider, with and without an invitation", () => {
    const html = shown("id.example")
    const address = "/dashboard/oidc/begin?return_to=%2Fdashboard%2Fkeys%3Fa%3D1%26b%3D2"
    assert.include(html, `<a class="button" href="${address}">Sign in with id.example</a>`)
    assert.include(html, `<form method="post" action="${address}" class="stacked">`)
    assert.include(html, "Continue to id.example")
  })

  it("says why a link was refused: by the hints, else by the message", () => {
    const hint = (suggestion: string) => ({ field: "code", action: "change" as const, suggestion })
    const hinted = shown(undefined, fail("invalid_parameter", { hints: [hint("It is used."), hint("Get another.")] }))
    assert.include(hinted, '<span class="error" role="alert">It is used. Get another.</span>')
    assert.include(hinted, 'aria-invalid="true" autofocus')
    assert.include(
      shown(undefined, fail("rate_limit_exceeded", { detail: "Too many sign-ins." })),
      '<span class="error" role="alert">Too many sign-ins.</span>',
    )
  })
})

describe("the pages around it", () => {
  it("lead to the provider, and say why the dashboard is off", () => {
    assert.include(
      renderToStaticMarkup(goOnView("id.example", "https://id.example/?a=1").body),
      '<a class="button" href="https://id.example/?a=1">Sign in with id.example</a>',
    )
    assert.include(renderToStaticMarkup(offView("http://a.example").body), "<code>http://a.example</code>")
  })
})
