import { readFileSync } from "node:fs"

/** Arguments are doubles, values decimal strings of 22 digits: test/fixtures/special-functions.py and scores.py. */
interface SpecialFunctions {
  readonly normal: ReadonlyArray<{ x: number; cdf: string; sf: string; pdf: string }>
  readonly erfc: ReadonlyArray<{ x: number; erfcx: string | null }>
  readonly student_t: ReadonlyArray<{ nu: number; x: number; cdf: string; sf: string; pdf: string }>
  readonly normal_quantile: ReadonlyArray<{ p: number; x: string }>
  readonly student_t_quantile: ReadonlyArray<{ nu: number; p: number; x: string }>
  readonly crps_normal: ReadonlyArray<{ z: number; crps: string }>
  readonly crps_student_t: ReadonlyArray<{ nu: number; z: number; crps: string }>
}

type Parts = Readonly<
  Record<"reliability" | "resolution" | "uncertainty" | "withinBinVariance" | "withinBinCovariance", string>
>

export interface Scores {
  readonly gamma_ratio: ReadonlyArray<{ c: number; ratio: string; scaled: string }>
  readonly logistic: ReadonlyArray<{ x: number; p: string }>
  readonly logit: ReadonlyArray<{ p: number; x: string }>
  readonly binary_scores: ReadonlyArray<{ p: number; happened: boolean; brier: string; log: string }>
  readonly wilson: ReadonlyArray<{ hits: number; count: number; z: number; low: string; high: string }>
  readonly margins: ReadonlyArray<{
    prices: ReadonlyArray<number>
    multiplicative: ReadonlyArray<string>
    insiders?: string
    shin?: ReadonlyArray<string>
  }>
  readonly laws: ReadonlyArray<{
    law: "normal" | "t8"
    location: number
    scale: number
    first: number
    last: number
    scores: ReadonlyArray<{ outcome: number; crps: string; log?: string; below?: string; upTo?: string }>
    pmf: ReadonlyArray<string>
    ge: ReadonlyArray<string>
  }>
  readonly arithmetic: ReadonlyArray<{
    x: ReadonlyArray<number>
    y: ReadonlyArray<number>
    lesser: ReadonlyArray<string>
    mixture: ReadonlyArray<string>
    mean: string
    sd: string
  }>
  readonly decompositions: ReadonlyArray<{
    forecasts: ReadonlyArray<readonly [p: number, happened: 0 | 1]>
    brier: string
    binned: Parts
  }>
  readonly estimates: ReadonlyArray<{ values: ReadonlyArray<number>; value: string; se: string }>
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../test/fixtures/${name}.json`, import.meta.url), "utf8"))

export const specialFunctions: SpecialFunctions = read("special-functions")
export const scores: Scores = read("scores")

/** A number as a fraction of whole numbers, without rounding. */
interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

const ofDecimal = (text: string): Fraction => {
  const [, sign, whole, digits = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text)!
  const over = BigInt(`${sign}${whole}${digits}`)
  const tens = Number(exponent) - digits.length
  return tens < 0 ? { over, under: 10n ** BigInt(-tens) } : { over: over * 10n ** BigInt(tens), under: 1n }
}

const ofDouble = (value: number): Fraction => {
  let twos = 0
  let scaled = value
  // Multiplying by 2 is exact, also from a subnormal number.
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    twos += 1
  }
  return { over: BigInt(scaled), under: 2n ** BigInt(twos) }
}

const sized = (value: bigint): bigint => (value < 0n ? -value : value)

/** Digits of an error. */
const scale = 10n ** 40n

/** over / under as a double. */
const quotient = (over: bigint, under: bigint): number => Number((over * scale) / under) / 1e40

/** |value − exact|, exactly; ∞ where the value is not finite. */
export const absolute = (value: number, exact: string): number => {
  if (!Number.isFinite(value)) return Number.POSITIVE_INFINITY
  const [a, b] = [ofDouble(value), ofDecimal(exact)]
  return quotient(sized(a.over * b.under - b.over * a.under), a.under * b.under)
}

/** |value / exact − 1|, exactly; |value| where exact is 0, and ∞ where the value is not finite. */
export const relative = (value: number, exact: string): number => {
  if (!Number.isFinite(value)) return Number.POSITIVE_INFINITY
  const [a, b] = [ofDouble(value), ofDecimal(exact)]
  if (b.over === 0n) return Math.abs(value)
  return quotient(sized(a.over * b.under - b.over * a.under), sized(b.over * a.under))
}
