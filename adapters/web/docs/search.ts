import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import { Site } from "../../server/http/Site.ts"
import { type Document, fixed, rendered, types } from "../view/document.ts"
import { longest } from "./reference/browser/search.js"
import { questionOf } from "./reference/Search.tsx"

/** The question of a search, in the OpenAPI document. */
export const parameter = {
  name: "q",
  in: "query",
  description: "Words that endpoints, parameters, fields or errors must have.",
  schema: { type: "string", maxLength: longest },
  example: "settlement",
}

/** A page that is kept without a question, and rendered for each one with it. */
export const answered = (render: (site: Site, question: string) => string): Document => {
  const unasked = rendered((site) => render(site, ""))
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
    const question = questionOf(url)
    return question === "" ? unasked : Effect.flatMap(Site, (site) => fixed(types.html, render(site, question)))
  })
}
