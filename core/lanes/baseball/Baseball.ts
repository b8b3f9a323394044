import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Answer } from "../../endpoint/Answer.ts"
import * as Cursor from "../../endpoint/Cursor.ts"
import type * as Endpoint from "../../endpoint/Endpoint.ts"
import * as Lane from "../../endpoint/Lane.ts"
import * as Rounding from "../../endpoint/Rounding.ts"
import { ifDefined } from "../../ifDefined.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { dayOf } from "../../time.ts"
import { suggest } from "../answers.ts"
import { recorded } from "../confidence.ts"
import { type BaseballMethods, endpoints, performance } from "./endpoints.ts"
import { fairOddsOver } from "./fairOdds.ts"
import { keyOf, recordOf, slateOf, stamp } from "./listings.ts"
import { trained } from "./Model.ts"
import { type ListedGame, type ListedSide, type Listings, PitchingLines, SeasonLines, Slates } from "./ports.ts"

type Row = Endpoint.Results<typeof endpoints.games>["games"][number]

const sideOf = (side: ListedSide): Row["home"] => ({
  team_id: side.teamId,
  name: side.name,
  record: recordOf(side),
  ...ifDefined("probable_pitcher", side.starter?.name),
  ...ifDefined("probable_pitcher_id", side.starter?.id),
})

const rowOf =
  ({ source, fetchedAt }: Listings) =>
  (game: ListedGame): Row => ({
    gamePk: game.gamePk,
    state: game.state,
    venue: game.venue,
    game_date_utc: stamp(game.firstPitch),
    double_header: game.doubleHeader,
    game_number: game.gameNumber,
    home: sideOf(game.home),
    away: sideOf(game.away),
    official_date: game.officialDate,
    source,
    fetched_at: stamp(fetchedAt),
  })

const keys: Cursor.Keys<ListedGame> = { of: keyOf, form: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z\/\d{9,}$/ }

/** The slate endpoint over a schedule. Its cursor is the first pitch and id of the last game of the previous page. */
const gamesOver = (slates: Slates["Type"]): BaseballMethods["games"] =>
  Step.method(function* ({ date, cursor, limit }) {
    const day = date ?? dayOf(yield* Step.now)
    const listings = yield* slates.around(day)
    const slate = slateOf(listings.games, day)
    const rest = yield* Step.ofEither(Cursor.rest(slate, keys, cursor))
    const page = limit === undefined ? rest : rest.slice(0, limit)
    const unnamed = page.filter(({ home, away }) => home.starter === undefined || away.starter === undefined).length
    const doubts = [
      ...(listings.unreadable > 0 ? [`${plural(listings.unreadable, "listing")} not parsed`] : []),
      ...(listings.stale ? [`schedule fetched at ${stamp(listings.fetchedAt)}; a newer fetch failed`] : []),
    ]
    return {
      results: { date: day, count: page.length, games: page.map(rowOf(listings)) },
      reasoning: [
        `Games with first pitch on ${day} UTC.`,
        slate.length === 0
          ? "No games listed."
          : `${page.length} of ${plural(slate.length, "game")} on this page, in order of first pitch.`,
        ...(unnamed > 0 ? [`Starters not announced yet in ${plural(unnamed, "game")}.`] : []),
        ...doubts.map((doubt) => `${doubt.slice(0, 1).toUpperCase()}${doubt.slice(1)}.`),
      ],
      citations: [{ step: 1, source: listings.source, locator: listings.locator }],
      confidence: recorded(
        doubts.length > 0 ? 0.9 : 1,
        ...(doubts.length > 0 ? doubts : [`${plural(listings.games.length, "listing")} parsed`]),
      ),
      links: page.map(({ gamePk }) => ({ id: String(gamePk), endpoints: [`/v1/mlb/fair-odds?game_pk=${gamePk}`] })),
      freshness: slates.freshness,
      ...ifDefined("next", page.length < rest.length ? keyOf(page.at(-1)!) : undefined),
      extras: {
        suggestions: page
          .slice(0, 1)
          .map(({ gamePk, away, home }) =>
            suggest("mlb_fair_odds", { game_pk: gamePk }, `Model win probabilities of ${away.name} at ${home.name}.`),
          ),
      },
    }
  })

/** Retrosheet's wording, required by its terms, the licence of the lines of teams, and the source of the schedule. */
const attribution =
  "The information used here was obtained free of charge from and is copyrighted by Retrosheet. Interested parties may contact Retrosheet at 20 Sunset Rd., Newark, DE 19711. Pitching of teams and pitchers: github.com/chadwickbureau/retrosplits, ODbL 1.0. Schedules, standings and pitching lines of live answers: Copyright MLB Advanced Media, L.P., used under the terms at http://gdx.mlb.com/components/copyright.txt."

const { home_edge, pythagorean, starter_era } = trained.coefficients.at(-1)!

/** The track record from the model's training. */
export const trackRecord: Answer<Endpoint.Results<typeof endpoints.performance>> = {
  results: {
    model_version: trained.model_version,
    backtest: trained.backtest,
    trained_at: trained.trained_at,
    coefficients: { home_edge, pythagorean, starter_era },
    attribution,
    inputs: trained.inputs,
  },
  reasoning: [`Backtest figures from the training of model ${trained.model_version}.`],
  citations: [{ step: 1, source: "training", locator: performance.path }],
  confidence: recorded(1, `backtest over ${trained.backtest.overall.games} games`),
  links: [],
  freshness: "live",
}

/** The lane's ports. */
export type BaseballPorts = PitchingLines | SeasonLines | Slates

export class Baseball extends Context.Tag("market-signals/core/lanes/Baseball")<Baseball, BaseballMethods>() {
  static readonly lane: Lane.Lane<"baseball", typeof endpoints, Baseball> = Lane.make(
    "baseball",
    endpoints,
    Baseball,
    "MLB games, and the model's win probabilities.",
  )

  static readonly layer: Layer.Layer<Baseball, never, BaseballPorts> = Layer.suspend(() => layer)
}

const layer = Layer.effect(
  Baseball,
  Effect.gen(function* () {
    const slates = yield* Slates
    const lines = yield* SeasonLines
    const pitching = yield* PitchingLines
    return Baseball.of(
      Rounding.methods(endpoints, {
        games: gamesOver(slates),
        fairOdds: fairOddsOver(slates, lines, pitching),
        performance: Step.methodSync(() => ({ ...trackRecord, freshness: slates.freshness })),
      }),
    )
  }),
)
