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
import { domainParam } from "../scoreFields.ts"
import {
  Challenge,
  type Challenger,
  type ListedContract,
  maxDailyOpinions,
  maxModels,
  type Opinion,
  type Refusal,
} from "./Challenge.ts"
import {
  ContractList,
  ModelTable,
  modelParam,
  OpinionsRequest,
  OpinionsResult,
  practiceTicker,
  Withdrawal,
} from "./fields.ts"

type OpinionRow = OpinionsRequest["opinions"][number]

const listPath = "/v1/bench/contracts"

/** The contracts that accept opinions, as of the last poll; some may have closed since. */
const listContracts = (
  contracts: typeof OpenContracts.Service,
  { practiceContracts }: typeof Challenge.Service,
  now: number,
) => Step.map(contracts.open, (open): ReadonlyArray<ListedContract> => [...practiceContracts(now), ...open.contracts])

const invalidBody = (hints: ReadonlyArray<Hint>): Failure => fail("invalid_request_body", { hints })

const marketField = (index: number): string => `opinions.${index}.market`
const closedHint = (index: number, ticker: string, closeTime: number): Hint => ({
  field: marketField(index),
  action: "remove",
  suggestion: `Remove ${ticker}, which closed at ${iso(closeTime)}.`,
})

/** The contract of a row, a hint if the venue is missing or wrong, or undefined for an unknown ticker. */
const findContract = (
  { market: ticker, venue }: OpinionRow,
  index: number,
  listed: ReadonlyMap<string, ReadonlyArray<ListedContract>>,
): ListedContract | Hint | undefined => {
  const named = listed.get(ticker) ?? []
  const matching = venue === undefined ? named : named.filter((contract) => contract.venue === venue)
  if (matching.length === 1) return matching[0]
  if (named.length === 0) return undefined
  const venues = named.map((contract) => contract.venue).join(" and ")
  return venue === undefined
    ? { field: `opinions.${index}.venue`, action: "add", suggestion: `Name the venue: ${venues} list ${ticker}.` }
    : change(`opinions.${index}.venue`, `${ticker} is listed by ${venues}.`)
}

const isHint = (one: ListedContract | Hint): one is Hint => "suggestion" in one

const unknownHint = (index: number, ticker: string): Hint =>
  change(marketField(index), `No open contract that our models price has the ticker ${ticker}: ${listPath} lists them.`)

/** Finds the contracts of the rows; fails with a hint for every row without an open contract of its own. */
const resolveContracts = Effect.fnUntraced(function* (
  rows: ReadonlyArray<OpinionRow>,
  listed: ReadonlyArray<ListedContract>,
  challenge: typeof Challenge.Service,
  now: number,
) {
  const byTicker = new Map<string, Array<ListedContract>>()
  for (const contract of listed) byTicker.set(contract.ticker, [...(byTicker.get(contract.ticker) ?? []), contract])
  const contracts = rows.map((row, index) => findContract(row, index, byTicker))
  const missing = rows.flatMap(({ market }, index) => (contracts[index] === undefined ? [market] : []))
  const closed = missing.length === 0 ? new Map<string, number>() : yield* challenge.closeTimes(missing)
  const seen = new Map<ListedContract, number>()
  const hints = contracts.flatMap((row, index): ReadonlyArray<Hint> => {
    const { market: ticker } = rows[index]!
    if (row === undefined) {
      const closedAt = closed.get(ticker)
      return [
        closedAt === undefined || closedAt > now ? unknownHint(index, ticker) : closedHint(index, ticker, closedAt),
      ]
    }
    if (isHint(row)) return [row]
    if (row.closeTime <= now) return [closedHint(index, ticker, row.closeTime)]
    const earlier = seen.get(row)
    if (earlier !== undefined) {
      const suggestion = `Send one opinion on ${ticker}: opinions.${earlier} is on the same contract.`
      return [{ field: marketField(index), action: "remove", suggestion }]
    }
    seen.set(row, index)
    return []
  })
  if (hints.length > 0) return yield* invalidBody(hints)
  return contracts as ReadonlyArray<ListedContract>
})

const invalidModel = (suggestion: string): Failure => invalidBody([change("model", suggestion)])

const nameTaken = (model: string): Failure => invalidModel(`The name ${model} belongs to another account.`)

const toFailure = (refusal: Refusal, model: string, opinions: ReadonlyArray<Opinion>, now: number): Failure => {
  switch (refusal._tag) {
    case "Owned":
      return nameTaken(model)
    case "Withdrawn":
      return invalidModel(`The model ${model} was withdrawn permanently at ${iso(refusal.at)}. Use another name.`)
    case "Models":
      return invalidModel(
        `This account has ${maxModels} models, withdrawn ones included, and may have no more. Use one of them.`,
      )
    case "Day":
      return fail("rate_limit_exceeded", {
        detail: `This account has recorded ${count(refusal.used)} of ${count(maxDailyOpinions)} opinions in this UTC day; ${plural(refusal.fresh, "further one")} would exceed the limit. None was recorded.`,
        retryAfterMs: day - (now % day),
      })
    case "Closed":
      return invalidBody(
        refusal.closed.map(({ index, closeTime }) => closedHint(index, opinions[index]!.contract.ticker, closeTime)),
      )
  }
}

const whyNotRecorded = (caller: Caller, { freshness }: typeof Challenge.Service): string => {
  if (!caller.livemode) return "Test keys record nothing. Send the same request with a live key."
  return freshness === "live"
    ? "This server records no opinions."
    : "The markets lane of this server is not live, so it records nothing. Its operator sets DATA_FRESHNESS_MARKETS=live."
}

const confidenceText = "checked against the open contracts"

export const benchContracts = Endpoint.make("/v1/bench/contracts", {
  rows: "contracts",
  section: "challenge",
  ...dataTerms(0),
  summary: "Open contracts that our models price and yours may price too",
  use: "Lists the tickers that `bench_opinions` takes.",
  example: { domain: "crypto" },
  params: Schema.Struct({
    domain: Param.withDefault(domainParam("Domain of the contracts."), "weather"),
  }),
  results: ContractList,
  ports: { contracts: OpenContracts, challenge: Challenge },
  answer: function* ({ domain }, { contracts, challenge }, give) {
    const now = yield* Step.now
    const open = (yield* listContracts(contracts, challenge, now))
      .filter((contract) => contract.domain === domain && now < contract.closeTime)
      .sort((a, b) => a.closeTime - b.closeTime)
    return give({
      results: {
        domain,
        count: open.length,
        contracts: open.map(({ ticker, venue, title, closeTime }) => ({
          market: ticker,
          venue,
          title,
          close_time: iso(closeTime),
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

export const benchOpinions = Endpoint.make("/v1/bench/opinions", {
  rows: "opinions",
  section: "challenge",
  method: "POST",
  ...dataTerms(0),
  writes: "additive",
  summary: "Record your model's probabilities of open contracts, scored beside ours; there is no prize",
  use: "Enter your own forecasts. Tickers: `bench_contracts`.",
  example: { model: "my-model", opinions: [{ market: practiceTicker, prob: 0.62 }] },
  params: OpinionsRequest,
  results: OpinionsResult,
  ports: { contracts: OpenContracts, challenge: Challenge },
  answer: function* ({ model, opinions: rows }, { contracts, challenge }, give) {
    const { caller, startedAt: now } = yield* CurrentCaller
    const listed = yield* listContracts(contracts, challenge, now)
    const resolved = yield* resolveContracts(rows, listed, challenge, now)
    const opinions = rows.map(({ prob }, index): Opinion => ({ contract: resolved[index]!, p: millionths(prob)! }))
    const kept = yield* challenge.submit(asBuyer(caller), model, opinions)
    if (kept !== undefined && kept._tag !== "Recorded") return yield* toFailure(kept, model, opinions, now)
    const isRecorded = kept !== undefined
    const next = nextSlot(captureSlots, now)
    const { challengers } = isRecorded ? yield* challenge.challengers : { challengers: [] }
    const challenger = challengers.find((one) => one.model === model)
    return give({
      results: {
        model,
        recorded: isRecorded,
        ...ifDefined("reason", isRecorded ? undefined : whyNotRecorded(caller, challenge)),
        count: opinions.length,
        opinions: opinions.map(({ contract, p }, index) => ({
          market: contract.ticker,
          venue: contract.venue,
          prob: p / probabilityScale,
          close_time: iso(contract.closeTime),
          ...(isRecorded && next < contract.closeTime ? { next_capture_at: iso(next) } : {}),
          ...ifDefined("leaf_id", kept?.leaves[index]),
        })),
        shared_rows: challenger === undefined ? 0 : sharedClusters(challenger.sums),
        ...ifDefined("opinions_left", kept?.left),
      },
      explained: explain(
        step(
          isRecorded
            ? `Recorded ${plural(opinions.length, "opinion")} of ${model}, sealed until the contracts close. An opinion is compared with captures of model and market that are not older than it, if a checkpoint signed before the close covers it; the next scheduled capture is at ${iso(next)}.`
            : `Checked ${plural(opinions.length, "opinion")} of ${model}; none was recorded.`,
          cite("challengers", "/v1/bench/models"),
        ),
      ),
      confidence: recorded(1, confidenceText),
      links: [{ id: model, endpoints: ["/v1/bench/models"] }],
      freshness: challenge.freshness,
    })
  },
})

export const benchWithdraw = Endpoint.make("/v1/bench/withdraw", {
  section: "challenge",
  method: "POST",
  ...dataTerms(0),
  writes: "destructive",
  summary: "Withdraw your model permanently; its scores stay",
  use: "Ends what `bench_opinions` began.",
  example: { model: "my-model" },
  params: Schema.Struct({ model: modelParam }),
  results: Withdrawal,
  ports: { challenge: Challenge },
  answer: function* ({ model }, { challenge }, give) {
    const { caller } = yield* CurrentCaller
    const withdrawal = yield* challenge.withdraw(caller.accountId, model)
    if (withdrawal?._tag === "Owned") return yield* nameTaken(model)
    if (withdrawal?._tag === "Unknown") {
      return yield* notFound(
        `This account has no model ${model}.`,
        change("model", "Use the name of a model that has an opinion."),
      )
    }
    return give({
      results: {
        model,
        recorded: withdrawal !== undefined,
        ...ifDefined("reason", withdrawal === undefined ? whyNotRecorded(caller, challenge) : undefined),
        status: "withdrawn",
        ...ifDefined("withdrawn_at", withdrawal === undefined ? undefined : iso(withdrawal.at)),
      },
      explained: explain(
        step(
          withdrawal === undefined ? `Nothing was recorded for ${model}.` : `Withdrew ${model}; its scores stay.`,
          cite("challengers", "/v1/bench/models"),
        ),
      ),
      confidence: recorded(1, "requested by the model's own account"),
      links: [{ id: model, endpoints: ["/v1/bench/models"] }],
    })
  },
})

type Row = ModelTable["models"][number]

export const methodology =
  "Every contract that is settled and scored for our models counts, with its last capture before the actual close. A model is scored by its last opinion that is not newer than that capture and its quotes, and that is covered by a checkpoint signed before the close. Later opinions are kept but not scored. The challenger, our models and the market are scored on the same rows and outcomes with the same Brier score. Intervals of the differences come from the scoreboard's bootstrap over weeks or days."

const toDifference = (estimate: number, { low, high }: Interval) => ({ estimate, low, high, level: intervalCoverage })

const toScoreFields = ({ lead, captureLead, challenger, model, market, differences }: ChallengerScores) => ({
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
  { model, since, withdrawnAt, accountModels, sums }: Challenger,
  scores: ChallengerScores | undefined,
): Row => ({
  model,
  status: withdrawnAt === undefined ? "active" : "withdrawn",
  since: iso(since),
  ...ifDefined("withdrawn_at", withdrawnAt === undefined ? undefined : iso(withdrawnAt)),
  account_models_entered: accountModels.entered,
  account_models_withdrawn: accountModels.withdrawn,
  shared_rows: scores?.shared ?? 0,
  unscored_rows: sums.unscored,
  ...(scores === undefined ? {} : toScoreFields(scores)),
})

/** Scores a challenger, once per state of its sums. The bootstrap yields to other fibers between its steps. */
const computeScores = oncePerState((sums: Sums, _changes: number) => inTurns(scoreSteps(sums)))

export const benchModels = Endpoint.make("/v1/bench/models", {
  rows: "models",
  section: "challenge",
  ...proofTerms,
  summary: "Models of users against ours and the market, on the same settled contracts",
  use: "The leaderboard of `bench_opinions`.",
  example: {},
  params: Schema.Struct({}),
  results: ModelTable,
  ports: { challenge: Challenge },
  answer: function* (_, { challenge }, give) {
    const { challengers, settledAt } = yield* challenge.challengers
    const rows: Array<Row> = []
    for (const each of challengers) rows.push(toRow(each, yield* computeScores(each.sums, each.sums.changes)))
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
