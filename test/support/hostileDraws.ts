import { xoshiro128 } from "../../core/math/xoshiro128.ts"

/** Reproducible choices: the same seed makes the same ones everywhere. */
export interface Draws {
  /** 0 to `max` - 1. */
  readonly integer: (max: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(values: ReadonlyArray<A>) => A
  /** By weight. */
  readonly weighted: <A>(values: ReadonlyArray<readonly [weight: number, value: A]>) => A
}

export const draws = (seed: number): Draws => {
  const { integer } = xoshiro128(seed)
  return {
    integer,
    chance: (probability) => integer(1_000_000) < probability * 1_000_000,
    pick: (values) => values[integer(values.length)]!,
    weighted: (values) => {
      const total = values.reduce((sum, [weight]) => sum + weight, 0)
      let left = integer(total * 1_000) / 1_000
      for (const [weight, value] of values) {
        left -= weight
        if (left < 0) return value
      }
      return values.at(-1)![1]
    },
  }
}

/** A UUIDv4 of a small set: the same ones come back, with the same request or with another. */
export const uuid = ({ integer }: Draws, of = 400): string => {
  const { word } = xoshiro128(integer(of))
  const hex = Array.from({ length: 4 }, () => word().toString(16).padStart(8, "0")).join("")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Texts that have broken parsers. None of them looks like anything that the oracle calls a leak. */
const texts: ReadonlyArray<string> = [
  "",
  " ",
  "\t",
  "\n",
  "\u0000",
  "\u0001\u0002\u007f",
  "\r\nX-Injected: yes",
  "null",
  "undefined",
  "true",
  "NaN",
  "Infinity",
  "-Infinity",
  "1e309",
  "-0",
  "0x10",
  "1_000",
  "٣",
  "１２",
  "9007199254740993",
  "999999999999999999999999999999",
  "../../../../etc/passwd",
  "..%2f..%2f",
  "C:\\",
  "' OR '1'='1",
  '"; DROP',
  "{{7*7}}",
  "#{7*7}",
  "<script>alert(1)</script>",
  "%00",
  "%",
  "%zz",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "é",
  "é",
  "ﬀ",
  "İ",
  "ß",
  "💥",
  "\ud800",
  "\u202etxt",
  "\ufeffKNYC",
  "​KNYC",
  "knyc",
  "KNYC,KMIA",
  "2026-02-30",
  "0000-00-00",
  "2026-13-01",
  "+2026-01-01",
  "2026-01-01T00:00:00Z",
  "9999-12-31T23:59:60Z",
  "1970-01-01",
  "Patrick Mahomes",
  "2026_11_KC_DEN",
  "*",
  ".",
  "...",
  ",",
  ",,,,",
  "[]",
  "{}",
  "a=b&c=d",
  "#",
  "?",
]

export const text = (draw: Draws): string =>
  draw.weighted<() => string>([
    [12, () => draw.pick(texts)],
    [1, () => draw.pick(texts).repeat(1 + draw.integer(40))],
    [1, () => draw.pick(["a", "é", "💥", "z", ".", "%", "0", "-", ","]).repeat(1 + draw.integer(3_000))],
    [2, () => String.fromCharCode(...Array.from({ length: 1 + draw.integer(12) }, () => draw.integer(0xffff)))],
    [1, () => String.fromCharCode(...Array.from({ length: 1 + draw.integer(40) }, () => 32 + draw.integer(95)))],
  ])()

/** JSON that is nested so many times. Written as text: it is deeper than some writers can write. */
export const nested = (depth: number, inside = "1", by: "array" | "object" = "array"): string =>
  by === "array" ? "[".repeat(depth) + inside + "]".repeat(depth) : '{"a":'.repeat(depth) + inside + "}".repeat(depth)

/** A stand-in that `jsonText` replaces by what it stands for, written as JSON. */
export class Written {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

/** JSON, with what is written already as it is. */
export const jsonText = (value: unknown): string => {
  const written: Array<string> = []
  const mark = "@written:"
  const whole = JSON.stringify(value, (_, each: unknown) =>
    each instanceof Written ? `${mark}${written.push(each.json) - 1}` : each,
  )
  return (whole ?? "null").replace(/"@written:(\d+)"/g, (_, at: string) => written[Number(at)]!)
}

/** Text as a part of a URL; half of a pair of surrogates has no form there. */
export const encoded = (part: string): string => encodeURIComponent(part.replace(/\p{Surrogate}/gu, "\ufffd"))

/** A JSON value of any kind. */
export const value = (draw: Draws): unknown =>
  draw.weighted<() => unknown>([
    [6, () => text(draw)],
    [2, () => null],
    [2, () => draw.chance(0.5)],
    [3, () => draw.pick([0, -0, -1, 1, 0.1, 1e21, 1e-7, 2 ** 53, -(2 ** 63), 1.7976931348623157e308])],
    [1, () => new Written(draw.pick(["1e400", "-1e400", "1E+2", "0.1e-999", `1${"0".repeat(400)}`]))],
    [1, () => []],
    [1, () => ({})],
    [1, () => Array.from({ length: draw.integer(200) }, () => draw.pick(texts))],
    [1, () => new Written('{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}')],
    [1, () => ({ [text(draw)]: text(draw) })],
    [1, () => new Written(nested(draw.pick([2, 20, 31, 32, 33, 64, 500, 4_000]), "1", draw.pick(["array", "object"])))],
  ])()
