import { assert, describe, it } from "@effect/vitest"
import { canonical } from "../../../../core/record/log/canonical.ts"

describe("canonical JSON", () => {
  it.each<[what: string, value: unknown, text: string]>([
    // RFC 8785, 3.2.2: what parsers bring and how it is written.
    [
      "literals, numbers and strings",
      JSON.parse(
        String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
      ),
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    ],
    // 3.2.3: by UTF-16 code unit, so that a pair of surrogates comes before U+FB33.
    [
      "names in order",
      { "\u20ac": 1, "\r": 2, "\ufb33": 3, 1: 4, "\ud83d\ude00": 5, "\u0080": 6, "\u00f6": 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\ud83d\ude00":5,"\ufb33":3}',
    ],
    ["numbers as names", { 10: "a", 9: "b", 1: "c" }, '{"1":"c","10":"a","9":"b"}'],
    ["names within", { b: [{ z: 1, a: { d: 2, c: [] } }], a: {} }, '{"a":{},"b":[{"a":{"c":[],"d":2},"z":1}]}'],
    ["control characters", "\b\t\n\f\r\u0000\u001f\u007f\u2028", '"\\b\\t\\n\\f\\r\\u0000\\u001f\u007f\u2028"'],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ["a name that is special in JavaScript", JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
    // Appendix B.
    ["minus zero", -0, "0"],
    ["the least number", 5e-324, "5e-324"],
    ["the largest number", 1.7976931348623157e308, "1.7976931348623157e+308"],
    ["the last safe integer and one", 9007199254740992, "9007199254740992"],
    ["the last without an exponent", 295147905179352830000, "295147905179352830000"],
    ["the first with one", 1e21, "1e+21"],
    ["a rounding that prints long", 9.999999999999997e22, "9.999999999999997e+22"],
    ["the last small one without an exponent", 0.000001, "0.000001"],
    ["the first small one with one", 9.999999999999997e-7, "9.999999999999997e-7"],
    ["a third", 333333333.3333332, "333333333.3333332"],
  ])("%s", (_, value, text) => {
    assert.strictEqual(canonical(value), text)
    assert.strictEqual(canonical(JSON.parse(text)), text)
  })

  it.each<[what: string, value: unknown, message: RegExp]>([
    ["NaN", { a: [1, Number.NaN] }, /^\$\.a\[1\] is NaN/],
    ["infinity", Number.NEGATIVE_INFINITY, /^\$ is -Infinity/],
    ["a lone surrogate", ["\ud83d"], /^\$\[0\] is text with a lone surrogate/],
    ["a lone low surrogate", ["a\ude00"], /^\$\[0\] is text with a lone surrogate/],
    ["a lone surrogate in a name", { "\ude00\ud83d": 1 }, /lone surrogate/],
    ["undefined", undefined, /^\$ is undefined/],
    ["an undefined field", { a: { b: undefined } }, /^\$\.a\.b is undefined/],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    ["a hole", [1, , 2], /^\$\[1\] is undefined/],
    ["a big integer", 1n, /a bigint/],
    ["a function", { toJSON: () => 1 }, /^\$\.toJSON is a function/],
    ["a date", { at: new Date(0) }, /^\$\.at is an object of a class/],
    ["a typed array", { hash: new Uint8Array(2) }, /^\$\.hash is an object of a class/],
    ["a map", new Map([["a", 1]]), /an object of a class/],
  ])("refuses %s", (_, value, message) => {
    assert.throws(() => canonical(value), TypeError, message)
  })
})
