/**
 * Generated data of the filings lane, without stores and upstreams: it also runs in a browser.
 *
 * @module
 */
import * as Layer from "effect/Layer"
import { type Filed, FilingArchive } from "../../../../core/lanes/filings/mod.ts"
import * as Step from "../../../../core/Step.ts"
import { day, dayOf, hour, iso } from "../../../../core/time.ts"
import { uniform } from "../../mock/hash.ts"

/** Electronic filing began in 1993. */
const firstYear = 1993

const one = <A>(from: ReadonlyArray<A>, ...parts: ReadonlyArray<string | number>): A =>
  from[Math.floor(uniform(...parts) * from.length)]!

/** Items of a form: permanent and occasional ones. `since`: the first year that requires it. */
const items: ReadonlyArray<{
  readonly item: string
  readonly title: string
  readonly forms: string
  readonly since?: number
  readonly kept?: number
}> = [
  { item: "1", title: "Business", forms: "10-K" },
  { item: "1A", title: "Risk Factors", forms: "10-K 10-Q" },
  { item: "1B", title: "Unresolved Staff Comments", forms: "10-K", kept: 0.3 },
  { item: "1C", title: "Cybersecurity", forms: "10-K", since: 2024 },
  { item: "2", title: "Management's Discussion and Analysis", forms: "10-Q" },
  { item: "3", title: "Legal Proceedings", forms: "10-K 10-Q", kept: 0.7 },
  { item: "7", title: "Management's Discussion and Analysis", forms: "10-K" },
  { item: "7A", title: "Quantitative and Qualitative Disclosures About Market Risk", forms: "10-K" },
  { item: "8", title: "Financial Statements and Supplementary Data", forms: "10-K" },
  { item: "9A", title: "Controls and Procedures", forms: "10-K" },
]

/** Texts of sections. Each stays for a few filings. */
const points = [
  "Orders from the largest invented customer changed.",
  "A second imaginary plant was opened.",
  "Input costs moved against the plan.",
  "A fictitious supplier gave notice.",
  "The credit line was renewed for three years.",
  "Deferred revenue grew with longer contracts.",
  "A reserve was set aside for a claim.",
  "Foreign currency was hedged for the next four quarters.",
  "An internal control was redesigned and tested.",
  "A dividend was declared for the first time.",
  "Hiring slowed in the second half.",
  "A patent portfolio was written down.",
] as const

interface AccessionNumber {
  readonly cik: string
  readonly year: number
  readonly sequence: number
}

const parseAccession = (accession: string): AccessionNumber => {
  const [cik, yy, sequence] = accession.split("-") as [string, string, string]
  return { cik, year: Number(yy) + (Number(yy) >= firstYear % 100 ? 1900 : 2000), sequence: Number(sequence) }
}

/** A multiple of 4, so that the first number follows the last one. */
const sequences = 1_000_000

const formatAccession = ({ cik, year, sequence }: AccessionNumber): string =>
  `${cik}-${String(year % 100).padStart(2, "0")}-${String((sequence + sequences) % sequences).padStart(6, "0")}`

/** The quarter of a number's report, four numbers to a year: 0 is the annual report on the year before, then 1 to 3. */
const filedQuarter = ({ sequence }: AccessionNumber): number => (sequence + 2) % 4

const formType = (number: AccessionNumber): "10-K" | "10-Q" => (filedQuarter(number) === 0 ? "10-K" : "10-Q")

/** The previous report of the same form, a year or a quarter earlier. The fourth quarter has no report of its own. */
const previousReport = ({ cik, year, sequence }: AccessionNumber, quarter: number): AccessionNumber => {
  if (quarter === 0) return { cik, year: year - 1, sequence }
  return quarter === 1 ? { cik, year: year - 1, sequence: sequence + 2 } : { cik, year, sequence: sequence - 1 }
}

/** Days from the end of the period to the filing: within the deadlines, and between the holidays of their months. */
const delays = { "10-K": [53, 10], "10-Q": [20, 20] } as const

/** The day itself, or the Monday after it. */
const toWeekday = (instant: number): number => {
  const weekday = new Date(instant).getUTCDay()
  return instant + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0) * day
}

const filingDates = (number: AccessionNumber) => {
  const period = Date.UTC(number.year, 3 * filedQuarter(number), 0)
  const [least, spread] = delays[formType(number)]
  const days = least + Math.floor(uniform("filed", number.cik, number.year, number.sequence) * spread)
  return { period: dayOf(period), filed: toWeekday(period + days * day) + 21 * hour }
}

const company = (cik: string): string =>
  `${one(["Example", "Sample", "Specimen", "Placeholder"], "a", cik)} ${one(["Widgets", "Turbines", "Orchards", "Ferries", "Optics"], "b", cik)} ${cik.slice(-4)} Corp. (fictitious)`

const drawSection = (number: AccessionNumber, item: (typeof items)[number]): Filed["sections"][number] => {
  const quarter = filedQuarter(number)
  /** Counts the filings of one form. */
  const filing = quarter === 0 ? number.year : 3 * number.year + quarter
  const about = (point: number) =>
    uniform("point", number.cik, item.item, point, Math.floor((filing + point) / 3)) < 0.35
  const sentences = points.filter((_, point) => about(point))
  const key_points = sentences.length === 0 ? [points[item.item.length]!] : sentences
  return {
    item: item.item,
    title: item.title,
    summary: `${company(number.cik)}, item ${item.item}: ${key_points.join(" ")}`,
    key_points,
    word_count: 400 * key_points.length + Math.floor(uniform("words", number.cik, item.item, filing) * 300),
  }
}

const drawFiling = (accession: string): Filed => {
  const number = parseAccession(accession)
  const form = formType(number)
  const { period, filed } = filingDates(number)
  return {
    filing: {
      accession_number: accession,
      cik: number.cik,
      company: company(number.cik),
      form_type: form,
      filed_at: iso(filed),
      period_of_report: period,
      source_url: `https://example.com/filings/${number.cik}/${accession}`,
    },
    sections: items
      .filter(
        ({ item, forms, since = 0, kept = 1 }) =>
          forms.split(" ").includes(form) &&
          number.year >= since &&
          uniform("kept", number.cik, item, Math.floor(number.year / 2)) < kept,
      )
      .map((item) => drawSection(number, item)),
  }
}

/** Filings of invented companies: one for every number of a past or current year, deterministic. */
export const mock = Layer.succeed(FilingArchive, {
  freshness: "mock",
  get: (accession) =>
    Step.map(Step.now, (now) => {
      const number = parseAccession(accession)
      return number.year < firstYear || filingDates(number).filed > now ? undefined : drawFiling(accession)
    }),
  prior: Step.methodSync(({ filing: { accession_number } }: Filed) => {
    const number = parseAccession(accession_number)
    const prior = previousReport(number, filedQuarter(number))
    return prior.year < firstYear ? undefined : drawFiling(formatAccession(prior))
  }),
})
