import { assert, describe, it } from "@effect/vitest"
import { negotiateFormat, parseQuery, splitTarget } from "../../../../adapters/server/http/query.ts"

describe("Accept", () => {
  it.each<[string | undefined, boolean]>([
    [undefined, true],
    ["*/*", true],
    ["application/json", true],
    ["APPLICATION/JSON", true],
    ["application/*", true],
    ["application/json; charset=utf-8", true],
    ["application/json;q=0.1", true],
    ["application/json;q=0.001", true],
    ["text/html,application/json", true],
    ["text/html, application/xhtml+xml, */*;q=0.8", true],
    ["text/event-stream, application/json", true],
    ["text/html", false],
    ["text/*", false],
    ["application/xml", false],
    ["application/jsonp", false],
    ["application/json-seq", false],
    ["x-application/json", false],
    ["application/json;q=0", false],
    ["application/json; q=0.000", false],
    ["application/json;q=0, text/html", false],
    ["application/json;charset=utf-8;q=0", false],
    ["*/*;q=0", false],
    ["application/json;q=0, */*", false],
    ["text/html, */*;q=0", false],
  ])("%s", (accept, expected) => {
    assert.strictEqual(negotiateFormat(accept, false), expected ? "json" : undefined)
  })

  // Quadratic time in a megabyte would take minutes; the test times out after half a minute.
  it.each([" ", ",", "application/json;q=0", "*/*;q=0, ", ";", "application/json;q=0.000"])(
    "is read in time that grows with its length, not faster: a megabyte of %j",
    (part) => {
      assert.isUndefined(negotiateFormat(`x${part.repeat(1_048_576 / part.length)}x`, true))
    },
  )
})

describe("a request target", () => {
  it.each([
    ["/a", "/a", []],
    ["/a?", "/a", []],
    ["/a?b=c", "/a", [["b", "c"]]],
    ["/a?b=c?d", "/a", [["b", "c?d"]]],
    [
      "/a?b=1&b=2",
      "/a",
      [
        ["b", "1"],
        ["b", "2"],
      ],
    ],
    ["/a?b=%2C+%26", "/a", [["b", ", &"]]],
    ["/a%2fb?c", "/a%2fb", [["c", ""]]],
    ["//a/../b;c", "//a/../b;c", []],
    ["*", "*", []],
    ["http://host/a?b=c", "/a", [["b", "c"]]],
    ["HTTPS://user:word@host:1/a", "/a", []],
    ["http://host", "", []],
    ["http://host?b=c", "", [["b", "c"]]],
    ["/http://host/a", "/http://host/a", []],
    ["ftp://host/a", "ftp://host/a", []],
  ])("%s", (target, path, entries) => {
    const found = splitTarget(target)
    assert.strictEqual(found.path, path)
    assert.deepStrictEqual(found.raw._tag === "Text" ? [...found.raw.entries] : undefined, entries as never)
  })
})

describe("the query of a page", () => {
  it.each([
    ["/docs?q=a+b&q=c&x=%E2%82%AC", "q=a+b&q=c&x=%E2%82%AC"],
    ["http://a.example/docs?q=a", "q=a"],
    ["/docs?", ""],
    ["/docs", ""],
  ])("of %s is %s", (target, query) => {
    assert.strictEqual(parseQuery(target).toString(), query)
  })
})
