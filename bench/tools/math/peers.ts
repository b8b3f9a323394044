import { estimate } from "../../../core/math/estimate.ts"
import { logistic, logit } from "../../../core/math/logistic.ts"
import * as normal from "../../../core/math/normal.ts"
import * as studentT from "../../../core/math/studentT.ts"
import { studentT8 } from "../../../core/math/studentT8.ts"
import { peers } from "../../load/measure.ts"
import { absolute, relative, scores, specialFunctions } from "./reference.ts"

type Normal = (x: number, mean: number, deviation: number) => number
type StudentT = (x: number, degrees: number) => number
/** A function of `@stdlib`, and the one that it makes of given parameters. */
type Stdlib<F extends (x: number, ...parameters: never) => number> = F & {
  readonly factory: (
    ...parameters: F extends (x: number, ...rest: infer Rest) => number ? Rest : never
  ) => (x: number) => number
}
const stdlib = (name: string) => peers(`@stdlib/stats-base-dists-${name}`)
export const stdlibNormalCdf: Stdlib<Normal> = stdlib("normal-cdf")
const stdlibNormalQuantile: Stdlib<Normal> = stdlib("normal-quantile")
const stdlibTCdf: Stdlib<StudentT> = stdlib("t-cdf")
const stdlibTQuantile: Stdlib<StudentT> = stdlib("t-quantile")
const simple: Readonly<
  Record<
    "cumulativeStdLogisticProbability" | "cumulativeStdNormalProbability" | "logit" | "probit",
    (x: number) => number
  >
> &
  Readonly<Record<"mean" | "sampleStandardDeviation", (list: Array<number>) => number>> = peers("simple-statistics")

/** One implementation of a function, with its greatest errors against 60-digit values. */
interface Implementation {
  readonly name: string
  readonly relative: number
  readonly absolute: number
  /** Calls the function at `points` varying arguments and returns the sum of its values. */
  readonly run: () => number
}

/** The implementations of one function: ours first. */
export interface Comparison {
  readonly what: string
  readonly implementations: ReadonlyArray<Implementation>
}

/** Calls of one run: no branch and no value can be predicted over so many arguments. */
export const points = 4200

/** `points` numbers between `low` and `high`, in no order. */
const between = (low: number, high: number): Float64Array =>
  Float64Array.from(
    { length: points },
    (_, at) => low + ((high - low) * ((at * 2_654_435_761) % 4_294_967_296)) / 2 ** 32,
  )

const worst = (rows: ReadonlyArray<readonly [value: number, exact: string]>, measure: typeof relative): number =>
  Math.max(...rows.map(([value, exact]) => measure(value, exact)))

const unary = (
  what: string,
  rows: ReadonlyArray<readonly [x: number, exact: string]>,
  places: Float64Array,
  functions: Readonly<Record<string, (x: number) => number>>,
): Comparison => ({
  what,
  implementations: Object.entries(functions).map(([name, of]) => {
    const found = rows.map(([x, exact]) => [of(x), exact] as const)
    return {
      name,
      relative: worst(found, relative),
      absolute: worst(found, absolute),
      run() {
        let sum = 0
        for (const place of places) sum += of(place)
        return sum
      },
    }
  }),
})

const spread = (values: ReadonlyArray<number>) => {
  const list = [...values]
  return { value: simple.mean(list), se: simple.sampleStandardDeviation(list) / Math.sqrt(list.length) }
}

const estimates: Comparison = {
  what: "mean and standard error of 400",
  implementations: Object.entries({ ours: estimate, "simple-statistics": spread }).map(([name, of]) => {
    const found = scores.estimates.flatMap(({ values, value, se }) => {
      const got = of(values)
      return [[got.value, value] as const, [got.se, se] as const]
    })
    const { values } = scores.estimates.at(-1)!
    return {
      name,
      relative: worst(found, relative),
      absolute: worst(found, absolute),
      run: () => of(values).se,
    }
  }),
}

const line = specialFunctions.normal.filter(({ x }) => Math.abs(x) <= 37)
const t = (nu: number) => specialFunctions.student_t.filter((row) => row.nu === nu)
const places = between(-6, 6)
const shares = between(1e-6, 1 - 1e-6)
const general = studentT.make(4.56)
const ofQuantiles = studentT.make(4.5)

export const comparisons: ReadonlyArray<Comparison> = [
  unary(
    "normal cdf",
    line.map(({ x, cdf }) => [x, cdf] as const),
    places,
    {
      ours: normal.cdf,
      "@stdlib": (x) => stdlibNormalCdf(x, 0, 1),
      "@stdlib, factory": stdlibNormalCdf.factory(0, 1),
      "simple-statistics": simple.cumulativeStdNormalProbability,
    },
  ),
  unary(
    "normal quantile",
    specialFunctions.normal_quantile.map(({ p, x }) => [p, x] as const),
    shares,
    {
      ours: normal.quantile,
      "@stdlib": (p) => stdlibNormalQuantile(p, 0, 1),
      "@stdlib, factory": stdlibNormalQuantile.factory(0, 1),
      "simple-statistics": simple.probit,
    },
  ),
  unary(
    "t cdf, ν = 4.56",
    t(4.56).map(({ x, cdf }) => [x, cdf] as const),
    places,
    {
      ours: general.cdf,
      "@stdlib": (x) => stdlibTCdf(x, 4.56),
      "@stdlib, factory": stdlibTCdf.factory(4.56),
    },
  ),
  unary(
    "t cdf, ν = 8",
    t(8).map(({ x, cdf }) => [x, cdf] as const),
    places,
    {
      ours: studentT8.cdf,
      "@stdlib": (x) => stdlibTCdf(x, 8),
      "@stdlib, factory": stdlibTCdf.factory(8),
    },
  ),
  unary(
    "t quantile, ν = 4.5",
    specialFunctions.student_t_quantile.filter(({ nu }) => nu === 4.5).map(({ p, x }) => [p, x] as const),
    shares,
    {
      ours: ofQuantiles.quantile,
      "@stdlib": (p) => stdlibTQuantile(p, 4.5),
      "@stdlib, factory": stdlibTQuantile.factory(4.5),
    },
  ),
  unary(
    "logistic",
    scores.logistic.filter(({ x }) => Math.abs(x) <= 700).map(({ x, p }) => [x, p] as const),
    places,
    {
      ours: logistic,
      "simple-statistics": simple.cumulativeStdLogisticProbability,
    },
  ),
  unary(
    "log-odds",
    scores.logit.map(({ p, x }) => [p, x] as const),
    shares,
    {
      ours: logit,
      "simple-statistics": simple.logit,
    },
  ),
  estimates,
]
