import { assert, it } from "@effect/vitest"
import { verbs } from "../../../adapters/admin/verbs.ts"
import * as OpenApi from "../../../adapters/describe/openapi.ts"
import * as Schemas from "../../../adapters/describe/schemas.ts"
import { catalogue } from "../../../core/lanes/all.ts"
import { digest } from "../../support/digest.ts"

type Paths = Readonly<Record<string, Readonly<Record<string, object>>>>

const digestsOf = (paths: unknown) =>
  digest(
    Object.entries(paths as Paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [method, path, operation]),
    ),
  )

// Programs are written by these documents: a change belongs into CHANGELOG.md.
it("the documents describe the same operations, with the same bounds, in each release", () => {
  const operators = Object.values(verbs(catalogue)).map((endpoint) => ({
    ...{ endpoint, tag: OpenApi.operatorTag, types: [Schemas.json] },
  }))
  const surface = Schemas.makeSurface(operators as never)
  const operator = OpenApi.operatorDocument(surface, "https://example.com")
  const users = OpenApi.document(catalogue, Schemas.publicSurface(catalogue), [], "https://example.com")
  assert.deepStrictEqual(
    {
      operator: digestsOf(operator["paths"]),
      operatorSchemas: digest(operator["components"]),
      users: digestsOf(users["paths"]),
      userSchemas: digest(users["components"]),
    },
    {
      operator: "54690693",
      operatorSchemas: "2f83daca",
      userSchemas: "e8a7d78c",
      users: "5710c833",
    },
  )
})
