import * as devig from "../../../core/math/devig.ts"
import { lesser, mixture, moments } from "../../../core/math/discrete.ts"
import { type Discrete, discretise, located } from "../../../core/math/discretise.ts"
import { estimate } from "../../../core/math/estimate.ts"
import { gammaRatio, scaledGammaRatio } from "../../../core/math/gammaRatio.ts"
import { logistic, logit } from "../../../core/math/logistic.ts"
import type { Decomposition } from "../../../core/math/murphy.ts"
import * as normal from "../../../core/math/normal.ts"
import { pit } from "../../../core/math/pit.ts"
import { reliability } from "../../../core/math/reliability.ts"
import * as score from "../../../core/math/score.ts"
import * as studentT from "../../../core/math/studentT.ts"
import { studentT8 } from "../../../core/math/studentT8.ts"
import { wilson } from "../../../core/math/wilson.ts"
import { absolute, relative, scores, specialFunctions } from "./reference.ts"

/** The accuracy of a function, as the table of core/math/README.md has it. */
interface Claim {
  /** Module and function, as in `core/math/mod.ts`. */
  readonly name: string
  readonly kind: "relative" | "absolute"
  /** The greatest error. */
  readonly most: number
  /** The arguments for which it holds. */
  readonly range: string
  /** The errors against the references, one per value. */
  readonly errors: () => ReadonlyArray<number>
}

/** `at`: what a reference row gives: pairs of a value and its exact digits. */
const claim =
  (kind: Claim["kind"], measure: typeof relative) =>
  <Row>(
    name: string,
    most: number,
    range: string,
    rows: ReadonlyArray<Row>,
    at: (row: Row) => ReadonlyArray<readonly [value: number, exact: string]>,
  ): Claim => ({
    name,
    kind,
    most,
    range,
    errors: () => rows.flatMap((row) => at(row).map(([value, exact]) => measure(value, exact))),
  })

const rel = claim("relative", relative)
const abs = claim("absolute", absolute)

const {
  normal: line,
  erfc,
  student_t,
  normal_quantile,
  student_t_quantile,
  crps_normal,
  crps_student_t,
} = specialFunctions
const central = ({ p }: { readonly p: number }): boolean => p > 0.4 && p < 0.6
const scaled = erfc.flatMap(({ x, erfcx }) => (x >= 0 && erfcx !== null ? [{ x, erfcx }] : []))
const outer = scores.logit.filter((row) => !central(row))
const inDoubles = scores.logistic.filter(({ x }) => Math.abs(x) <= 700)
const large = scores.gamma_ratio.filter(({ c }) => c >= 10)
const brierRows = scores.binary_scores.filter(({ brier }) => Number(brier) >= 1e-300)
const inRange = line.filter(({ x }) => Math.abs(x) <= 37)
const usual = student_t.filter(({ nu, cdf, sf }) => nu <= 120 && Number(cdf) > 1e-300 && Number(sf) > 1e-300)
const anyT = student_t.filter(({ cdf, sf }) => [cdf, sf].every((value) => Number(value) >= 1e-100))
const eights = student_t.filter(({ nu }) => nu === 8)

const zip = (values: ArrayLike<number>, exact: ReadonlyArray<string>) =>
  exact.map((text, at) => [values[at]!, text] as const)

const lawOf = ({ law, location, scale, first, last }: (typeof scores.laws)[number]): Discrete =>
  discretise(located(law === "normal" ? normal : studentT8, location, scale), location, first, last)

const discrete = (pmf: ReadonlyArray<number>): Discrete => ({
  first: 0,
  pmf: Float64Array.from(pmf),
  ge: Float64Array.from(pmf, (_, at) => pmf.slice(at).reduce((sum, p) => sum + p, 0)),
})

const partsOf = (found: Decomposition, exact: (typeof scores.decompositions)[number]["binned"]) =>
  (Object.keys(exact) as Array<keyof typeof exact>).map((part) => [found[part], exact[part]] as const)

const { arithmetic, decompositions, estimates, laws, margins } = scores
const insured = margins.flatMap(({ shin, ...row }) => (shin === undefined ? [] : [{ ...row, shin }]))
const outcomes = laws.flatMap((row) => row.scores.map((outcome) => ({ law: lawOf(row), ...outcome })))
const whole = outcomes.flatMap(({ log, below, upTo, ...row }) =>
  log === undefined || below === undefined || upTo === undefined ? [] : [{ ...row, log, below, upTo }],
)
const [ofNu, ofAnyNu] = ["ν of 1 to 120, |x| ≤ 1000", "ν ≥ 1, values of 1e-100 or more"]
const ofWhole = "normal and t₈ laws of scale .3 to 30"
const ofPrices = "2 to 40 prices of .001 to .999"

export const claims: ReadonlyArray<Claim> = [
  rel("normal.cdf", 7e-16, "|x| ≤ 37", inRange, ({ x, cdf }) => [[normal.cdf(x), cdf]]),
  abs("normal.cdf", 1.3e-16, "every x", line, ({ x, cdf }) => [[normal.cdf(x), cdf]]),
  rel("normal.sf", 7e-16, "|x| ≤ 37", inRange, ({ x, sf }) => [[normal.sf(x), sf]]),
  rel("normal.pdf", 7e-16, "|x| ≤ 37", inRange, ({ x, pdf }) => [[normal.pdf(x), pdf]]),
  rel("normal.quantile", 2e-16, "p from 1e-300 on", normal_quantile, ({ p, x }) => [[normal.quantile(p), x]]),
  rel("normal.scaledTail", 4e-16, "x of 0 to 37", scaled, ({ x, erfcx }) => [
    [2 * normal.scaledTail(x * Math.SQRT2), erfcx],
  ]),
  rel("studentT.make", 1e-15, `cdf, sf and pdf, ${ofNu}`, usual, ({ nu, x, cdf, sf, pdf }) => [
    [studentT.make(nu).cdf(x), cdf],
    [studentT.make(nu).sf(x), sf],
    [studentT.make(nu).pdf(x), pdf],
  ]),
  rel("studentT.make", 1e-13, `cdf, sf and pdf, ${ofAnyNu}`, anyT, ({ nu, x, cdf, sf, pdf }) => [
    [studentT.make(nu).cdf(x), cdf],
    [studentT.make(nu).sf(x), sf],
    [studentT.make(nu).pdf(x), pdf],
  ]),
  rel("studentT.make", 1e-15, "quantile, ν ≥ 1, p from 1e-20 on", student_t_quantile, ({ nu, p, x }) => [
    [studentT.make(nu).quantile(p), x],
  ]),
  rel("studentT8.studentT8", 1e-15, "cdf and sf, |x| ≤ 1000", eights, ({ x, cdf, sf }) => [
    [studentT8.cdf(x), cdf],
    [studentT8.sf(x), sf],
  ]),
  rel("gammaRatio.gammaRatio", 2e-15, "c of .05 to 1e12", scores.gamma_ratio, ({ c, ratio }) => [
    [gammaRatio(c), ratio],
  ]),
  rel("gammaRatio.scaledGammaRatio", 3e-16, "c of 10 to 1e12", large, ({ c, scaled: exact }) => [
    [scaledGammaRatio(c), exact],
  ]),
  rel("logistic.logistic", 5e-16, "x of −700 to 700", inDoubles, ({ x, p }) => [[logistic(x), p]]),
  rel("logistic.logit", 4e-16, "p up to .4 or from .6 on", outer, ({ p, x }) => [[logit(p), x]]),
  abs("logistic.logit", 3e-16, "p of .4 to .6", scores.logit.filter(central), ({ p, x }) => [[logit(p), x]]),
  abs("discretise.discretise", 1e-15, ofWhole, laws, (row) => [
    ...zip(lawOf(row).pmf, row.pmf),
    ...zip(lawOf(row).ge, row.ge),
  ]),
  rel("discretise.discretise", 1e-13, ofWhole, laws, (row) => [
    ...zip(lawOf(row).pmf, row.pmf),
    ...zip(lawOf(row).ge, row.ge),
  ]),
  rel("discrete.mixture", 3e-16, "two laws over up to 160 numbers", arithmetic, ({ x, y, mixture: exact }) => {
    const parts = [
      [0.3, discrete(x)],
      [0.7, discrete(y)],
    ] as const
    return zip(mixture(parts, 0, x.length - 1).pmf, exact)
  }),
  rel("discrete.lesser", 4e-16, "laws over up to 160 numbers", arithmetic, ({ x, y, lesser: exact }) =>
    zip(lesser(discrete(x), discrete(y)).pmf, exact),
  ),
  rel("discrete.moments", 1e-15, "laws over up to 160 numbers from 0 on", arithmetic, ({ x, mean, sd }) => [
    [moments(discrete(x)).mean, mean],
    [moments(discrete(x)).sd, sd],
  ]),
  rel("score.brier", 4e-16, "scores of 1e-300 or more", brierRows, ({ p, happened, brier }) => [
    [score.brier(p, happened), brier],
  ]),
  rel("score.logScore", 4e-16, "p of 1e-300 to 1 − 1e-12", scores.binary_scores, ({ p, happened, log }) => [
    [score.logScore(p, happened, 0), log],
  ]),
  rel("score.logScoreDiscrete", 1e-13, ofWhole, whole, ({ law, outcome, log }) => [
    [score.logScoreDiscrete(law, outcome, 0), log],
  ]),
  rel("score.crpsNormal", 1e-14, "|z| ≤ 8", crps_normal, ({ z, crps }) => [[score.crpsNormal(z), crps]]),
  rel("score.crpsStudentT", 1e-14, "ν of 2.5 to 30, |z| ≤ 8", crps_student_t, ({ nu, z, crps }) => [
    [score.crpsStudentT(studentT.make(nu))(z), crps],
  ]),
  rel("score.crpsDiscrete", 1e-14, ofWhole, outcomes, ({ law, outcome, crps }) => [
    [score.crpsDiscrete(law, outcome), crps],
  ]),
  abs("pit.pit", 1e-15, ofWhole, whole, ({ law, outcome, below, upTo }) => [
    [pit(law, outcome).low, below],
    [pit(law, outcome).high, upTo],
  ]),
  abs(
    "reliability.reliability",
    1e-15,
    "decomposition, up to 300 forecasts",
    decompositions,
    ({ forecasts, binned }) => {
      const table = reliability(10)
      for (const [p, happened] of forecasts) table.add(p, happened === 1)
      return partsOf(table.decomposition(), binned)
    },
  ),
  abs("wilson.wilson", 5e-16, "up to a million trials, z up to 5", scores.wilson, ({ hits, count, z, low, high }) => [
    [wilson(hits, count, z).low, low],
    [wilson(hits, count, z).high, high],
  ]),
  rel("devig.multiplicative", 1e-15, ofPrices, margins, ({ prices, multiplicative }) =>
    zip(devig.multiplicative(prices), multiplicative),
  ),
  rel("devig.shin", 2e-15, ofPrices, insured, ({ prices, shin }) => zip(devig.shin(prices).probabilities, shin)),
  rel("estimate.estimate", 1e-13, "mean up to 1000 standard deviations", estimates, ({ values, value, se }) => [
    [estimate(values).value, value],
    [estimate(values).se, se],
  ]),
]
