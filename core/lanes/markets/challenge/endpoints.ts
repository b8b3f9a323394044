import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CurrentCaller } from "../../../account/CurrentCaller.ts"
import type { Caller } from "../../../account/Keyring.ts"
import { millionths } from "../../../contracts/Contract.ts"
import * as Endpoint from "../../../endpoint/Endpoint.ts"
import { cite, explain, step } from "../../../endpoint/explain.ts"
import * as Param from "../../../endpoint/Param.ts"
import { type Failure, fail, type Hint } from "../../../Failure.ts"
import { ifDefined } from "../../../ifDefined.ts"
import { nextSlot } from "../../../jobs/schedule.ts"
import type { Interval } from "../../../math/bootstrap.ts"
import { oncePerState } from "../../../oncePerState.ts"
import { asBuyer } from "../../../record/captures/Captures.ts"
import { probabilityScale } from "../../../record/scoreboard/calibration.ts"
import { type ChallengerScores, type Sums, scoreSteps, sharedClusters } from "../../../record/scoreboard/challengers.ts"
import { intervalCoverage } from "../../../record/scoreboard/scores.ts"
import * as Step from "../../../Step.ts"
import { compare, count, plural } from "../../../text.ts"
import { day, iso, second } from "../../../time.ts"
import { inTurns } from "../../../yieldToEventLoop.ts"
import { change, notFound } from "../../answers.ts"
import { recorded } from "../../confidence.ts"
import { dataTerms, proofTerms } from "../../fields.ts"
import { OpenContracts } from "../ports.ts"
import { captureSlots } from "../rounds.ts"
import { domain } from "../scoreFields.ts"
import {
  Challenge,
  type Challenger,
  type Listed,
  mostModels,
  mostOpinions,
  type Opinion,
  type Refusal,
} from "./Challenge.ts"
import {
  ContractList,
  ModelTable,
  model as modelParam,
  OpinionsGiven,
  OpinionsTaken,
  practiceTicker,
  Withdrawal,
} from "./fields.ts"

type Asked = OpinionsGiven["opinions"][number]

const listPath = "/v1/bench/contracts"

/** The contracts that take opinions, as of the last poll, closed ones included. */
const listContracts = (contracts: typeof OpenContracts.Service, { practice }: typeof Challenge.Service, now: number) =>
  Step.map(contracts.open, (open): ReadonlyArray<Listed> => [...practice(now), ...open.contracts])

const badBody = (hints: ReadonlyArray<Hint>): Failure => fail("invalid_request_body", { hints })

const fieldAt = (at: number): string => `opinions.${at}.ticker`
const closedHint = (at: number, ticker: string, closeTime: number): Hint => ({
  field: fieldAt(at),
  action: "remove",
  suggestion: `Remove ${ticker}, which closed at ${iso(closeTime)}.`,
})

/** The contract of a row, or what is wrong with it. */
const findContract = (
  { ticker, venue }: Asked,
  at: number,
  listed: ReadonlyMap<string, ReadonlyArray<Listed>>,
): Listed | Hint | undefined => {
  const named = listed.get(ticker) ?? []
  const of = venue === undefined ? named : named.filter((contract) => contract.venue === venue)
  if (of.length === 1) return of[0]
  if (named.length === 0) return undefined
  const venues = named.map((contract) => contract.venue).join(" and ")
  return venue === undefined
    ? { field: `opinions.${at}.venue`, action: "add", suggestion: `Name the venue: ${venues} list ${ticker}.` }
    : change(`opinions.${at}.venue`, `${ticker} is listed by ${venues}.`)
}

const isHint = (one: Listed | Hint): one is Hint => "suggestion" in one

const unknownHint = (at: number, ticker: string): Hint =>
  change(fieldAt(at), `No open contract that our models price has the ticker ${ticker}: ${listPath} lists them.`)

/** The contracts of the rows; fails with a hint for every row that has none. */
const resolveContracts = Effect.fnUntraced(function* (
  given: ReadonlyArray<Asked>,
  listed: ReadonlyArray<Listed>,
  challenge: typeof Challenge.Service,
  now: number,
) {
  const byTicker = new Map<string, Array<Listed>>()
  for (const contract of listed) byTicker.set(contract.ticker, [...(byTicker.get(contract.ticker) ?? []), contract])
  const rows = given.map((row, at) => findContract(row, at, byTicker))
  const missing = given.flatMap(({ ticker }, at) => (rows[at] === undefined ? [ticker] : []))
  const closed = missing.length === 0 ? new Map<string, number>() : yield* challenge.closed(missing)
  const seen = new Map<Listed, number>()
  const hints = rows.flatMap((row, at): ReadonlyArray<Hint> => {
    const { ticker } = given[at]!
    if (row === undefined) {
      const closedAt = closed.get(ticker)
      return [closedAt === undefined || closedAt > now ? unknownHint(at, ticker) : closedHint(at, ticker, closedAt)]
    }
    if (isHint(row)) return [row]
    if (row.closeTime <= now) return [closedHint(at, ticker, row.closeTime)]
    const earlier = seen.get(row)
    if (earlier !== undefined) {
      const suggestion = `Send one opinion on ${ticker}: opinions.${earlier} is on the same contract.`
      return [{ field: fieldAt(at), action: "remove", suggestion }]
    }
    seen.set(row, at)
    return []
  })
  if (hints.length > 0) return yield* badBody(hints)
  return rows as ReadonlyArray<Listed>
})

/** A model's name that this account cannot use. */
const badModel = (suggestion: string): Failure => badBody([change("model", suggestion)])

const owned = (model: string): Failure => badModel(`The name ${model} belongs to another account.`)

const refused = (refusal: Refusal, model: string, opinions: ReadonlyArray<Opinion>, now: number): Failure => {
  switch (refusal._tag) {
    case "Owned":
      return owned(model)
    case "Withdrawn":
      return badModel(`The model ${model} was withdrawn at ${iso(refusal.at)}, for good. Use another name.`)
    case "Models":
      return badModel(
        `This account has ${mostModels} models, the most that it may have, withdrawn ones included. Use one of theirs.`,
      )
    case "Day":
      return fail("rate_limit_exceeded", {
        detail: `This account has recorded ${count(refusal.used)} of ${count(mostOpinions)} opinions in this UTC day; ${plural(refusal.fresh, "further one")} would be too many. None was recorded.`,
        retryAfterMs: day - (now % day),
      })
    case "Closed":
      return badBody(
        refusal.closed.map(({ at, closeTime }) => closedHint(at, opinions[at]!.contract.ticker, closeTime)),
      )
  }
}

/** Why nothing was kept, and the next step. */
const whyNotRecorded = (caller: Caller, { freshness }: typeof Challenge.Service): string => {
  if (!caller.livemode) return "Test keys record nothing. Send the same request with a live key."
  return freshness === "live"
    ? "This program keeps no opinions."
    : "The markets lane of this server is not live, so it records nothing. Its operator sets DATA_FRESHNESS_MARKETS=live."
}

const factor = "checked against the open contracts"

/** The contracts that take opinions. */
export const benchContracts = Endpoint.make("/v1/bench/contracts", {
  rows: "contracts",
  section: "challenge",
  ...dataTerms(0),
  summary: "Open contracts that our models price and yours may",
  use: "Gives the tickers of `bench_opinions`.",
  example: { domain: "crypto" },
  params: Schema.Struct({
    domain: Param.withDefault(domain("Domain of the contracts."), "weather"),
  }),
  results: ContractList,
  ports: { contracts: OpenContracts, challenge: Challenge },
  answer: function* ({ domain }, { contracts, challenge }, give) {
    const now = yield* Step.now
    const listed = yield* contracts.listed ?? Step.map(contracts.open, (open) => open.contracts)
    const open = [...challenge.practice(now), ...listed]
      .filter((contract) => contract.domain === domain && now < contract.closeTime)
      .sort((a, b) => a.closeTime - b.closeTime)
    return give({
      results: {
        domain,
        count: open.length,
        contracts: open.map(({ ticker, venue, title, closeTime }) => ({
          ticker,
          venue,
          title,
          closes_at: iso(closeTime),
        })),
      },
      explained: explain(
        step(
          `Read ${plural(open.length, `open ${domain} contract`)} that our models price.`,
          cite("open contracts", `${listPath}?domain=${domain}`),
        ),
      ),
      confidence: recorded(1, plural(open.length, "listed contract")),
      freshness: contracts.freshness,
    })
  },
})

/** A challenger's probabilities for open contracts. */
export const benchOpinions = Endpoint.make("/v1/bench/opinions", {
  rows: "opinions",
  section: "challenge",
  method: "POST",
  ...dataTerms(0),
  writes: "additive",
  summary: "Record your model's probabilities of open contracts, scored beside ours; nothing to win",
  use: "Enter your own forecasts. Tickers: `bench_contracts`.",
  example: { model: "my-model", opinions: [{ ticker: practiceTicker, p: 0.62 }] },
  params: OpinionsGiven,
  results: OpinionsTaken,
  ports: { contracts: OpenContracts, challenge: Challenge },
  answer: function* ({ model, opinions: given }, { contracts, challenge }, give) {
    const { caller, startedAt: now } = yield* CurrentCaller
    const listed = yield* listContracts(contracts, challenge, now)
    const of = yield* resolveContracts(given, listed, challenge, now)
    const opinions = given.map(({ p }, at): Opinion => ({ contract: of[at]!, p: millionths(p)! }))
    const kept = yield* challenge.submit(asBuyer(caller), model, opinions)
    if (kept !== undefined && kept._tag !== "Recorded") return yield* refused(kept, model, opinions, now)
    const isRecorded = kept !== undefined
    const next = nextSlot(captureSlots, now)
    const { challengers } = isRecorded ? yield* challenge.challengers : { challengers: [] }
    const challenger = challengers.find((one) => one.model === model)
    return give({
      results: {
        model,
        recorded: isRecorded,
        ...ifDefined("not_recorded", isRecorded ? undefined : whyNotRecorded(caller, challenge)),
        count: opinions.length,
        opinions: opinions.map(({ contract, p }, at) => ({
          ticker: contract.ticker,
          venue: contract.venue,
          p: p / probabilityScale,
          closes_at: iso(contract.closeTime),
          ...(isRecorded && next < contract.closeTime ? { next_capture_at: iso(next) } : {}),
          ...ifDefined("leaf_id", kept?.leaves[at]),
        })),
        shared_rows: challenger === undefined ? 0 : sharedClusters(challenger.sums),
        ...ifDefined("opinions_left", kept?.left),
      },
      explained: explain(
        step(
          isRecorded
            ? `Recorded ${plural(opinions.length, "opinion")} of ${model}, sealed until the contracts close. An opinion counts against captures of model and market that are not older than it, if a checkpoint signed before the close covers it; the next scheduled capture is at ${iso(next)}.`
            : `Checked ${plural(opinions.length, "opinion")} of ${model}; none was kept.`,
          cite("challengers", "/v1/bench/models"),
        ),
      ),
      confidence: recorded(1, factor),
      links: [{ id: model, endpoints: ["/v1/bench/models"] }],
      freshness: challenge.freshness,
    })
  },
})

/** Ends a model. */
export const benchWithdraw = Endpoint.make("/v1/bench/withdraw", {
  section: "challenge",
  method: "POST",
  ...dataTerms(0),
  writes: "destructive",
  summary: "Withdraw your model for good; its scores stay",
  use: "Ends what `bench_opinions` began.",
  example: { model: "my-model" },
  params: Schema.Struct({ model: modelParam }),
  results: Withdrawal,
  ports: { challenge: Challenge },
  answer: function* ({ model }, { challenge }, give) {
    const { caller } = yield* CurrentCaller
    const done = yield* challenge.withdraw(caller.accountId, model)
    if (done?._tag === "Owned") return yield* owned(model)
    if (done?._tag === "Unknown") {
      return yield* notFound(
        `This account has no model ${model}.`,
        change("model", "Use the name of a model that has an opinion."),
      )
    }
    return give({
      results: {
        model,
        recorded: done !== undefined,
        ...ifDefined("not_recorded", done === undefined ? whyNotRecorded(caller, challenge) : undefined),
        status: "withdrawn",
        ...ifDefined("withdrawn_at", done === undefined ? undefined : iso(done.at)),
      },
      explained: explain(
        step(
          done === undefined ? `Nothing of ${model} is kept.` : `Withdrew ${model}; its scores stay.`,
          cite("challengers", "/v1/bench/models"),
        ),
      ),
      confidence: recorded(1, "the model's own account asked"),
      links: [{ id: model, endpoints: ["/v1/bench/models"] }],
    })
  },
})

type Row = ModelTable["models"][number]

/** How opinions are scored. */
export const methodology =
  "Every contract that is settled and scored for our models counts, with its last capture before the actual close. A model is scored by its last opinion that is not newer than that capture and its quotes, and that a checkpoint signed before the close covers. Later opinions are kept and not scored. The same rows, outcomes and Brier score for the challenger, our models and the market. Intervals of the differences come from the scoreboard's bootstrap over weeks or days."

const toDifference = (estimate: number, { low, high }: Interval) => ({ estimate, low, high, level: intervalCoverage })

const scored = ({ lead, captureLead, challenger, model, market, differences }: ChallengerScores) => ({
  lead_seconds: lead / second,
  capture_lead_seconds: captureLead / second,
  brier: challenger,
  brier_model: model,
  brier_market: market,
  ...(differences === undefined
    ? {}
    : {
        difference_to_model: toDifference(challenger - model, differences.model),
        difference_to_market: toDifference(challenger - market, differences.market),
      }),
})

const toRow = (
  { model, since, withdrawnAt, ofAccount, sums }: Challenger,
  scores: ChallengerScores | undefined,
): Row => ({
  model,
  status: withdrawnAt === undefined ? "active" : "withdrawn",
  since: iso(since),
  ...ifDefined("withdrawn_at", withdrawnAt === undefined ? undefined : iso(withdrawnAt)),
  account_models_entered: ofAccount.entered,
  account_models_withdrawn: ofAccount.withdrawn,
  shared_rows: scores?.shared ?? 0,
  unscored_rows: sums.unscored,
  ...(scores === undefined ? {} : scored(scores)),
})

/** The scores of a challenger, computed once per state of its sums. The bootstrap yields to other fibers between its steps. */
const scores = oncePerState((sums: Sums, _changes: number) => inTurns(scoreSteps(sums)))

/** Every challenger against our models and the market. */
export const benchModels = Endpoint.make("/v1/bench/models", {
  rows: "models",
  section: "challenge",
  ...proofTerms,
  summary: "Models of users against ours and the market, on the same settled contracts",
  use: "Leaderboard of `bench_opinions`.",
  example: {},
  params: Schema.Struct({}),
  results: ModelTable,
  ports: { challenge: Challenge },
  answer: function* (_, { challenge }, give) {
    const { challengers, settledAt } = yield* challenge.challengers
    const rows: Array<Row> = []
    for (const each of challengers) rows.push(toRow(each, yield* scores(each.sums, each.sums.changes)))
    const asOfTime = settledAt ?? (yield* Step.now)
    const models = rows.sort((a, b) => b.shared_rows - a.shared_rows || compare(a.model, b.model))
    return give({
      results: { as_of: iso(asOfTime), count: models.length, models, methodology },
      explained: explain(
        step(
          `Scored ${plural(models.length, "challenger")} on the contracts that they share with our models.`,
          cite("settled rows", "/v1/markets/settled"),
        ),
      ),
      confidence: recorded(1, plural(models.length, "challenger")),
      links: [{ id: "settled rows", endpoints: ["/v1/markets/settled"] }],
    })
  },
})
