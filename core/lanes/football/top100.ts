import * as Cursor from "../../endpoint/Cursor.ts"
import { fail } from "../../Failure.ts"
import * as Step from "../../Step.ts"
import { plural } from "../../text.ts"
import { change, notFound, suggest } from "../answers.ts"
import { recordedConfidence } from "../confidence.ts"
import type { FootballMethods } from "./endpoints.ts"
import type { Top100, Top100Player } from "./ports.ts"
import { provenanceOf } from "./summary.ts"

const keys: Cursor.Keys<Top100Player> = { of: ({ rank }) => String(rank).padStart(3, "0"), form: /^\d{3}$/ }

/** The Top 100 endpoint. Its cursor is the last rank of the previous page. */
export const top100Over = (top100: Top100["Type"]): FootballMethods["top100"] =>
  Step.method(function* ({ season: wanted, cursor, limit }) {
    const loaded = yield* top100.seasons
    if (loaded.length === 0) {
      // No feed brings the lists, so that waiting does not help.
      return yield* fail("data_provider_unavailable", {
        detail: "This server has no Top 100 list: no feed brings them, and its operator has loaded none.",
        hints: [
          {
            field: "season",
            action: "contact",
            suggestion: "Ask the operator to load a list: market-signals ingest football --top100 lists.csv",
          },
        ],
      })
    }
    const season = wanted ?? loaded.at(-1)!
    const list = yield* top100.list(season)
    if (list === undefined) {
      return yield* notFound(
        `There is no Top 100 list for ${season}.`,
        change("season", `Send one of ${loaded.join(", ")}.`),
      )
    }
    const rest = yield* Step.ofEither(Cursor.rest(list.players, keys, cursor))
    const { page, ...next } = Cursor.pageOf(rest, keys, limit)
    return {
      results: {
        season,
        count: page.length,
        players: page.map(({ rank, player, code, position }) => ({ rank, player_name: player, team: code, position })),
        ...provenanceOf(list),
      },
      reasoning: [
        `List published in ${season} on season ${season - 1}: ${page.length} of ${plural(list.players.length, "row")} on this page.`,
      ],
      citations: [{ step: 1, source: list.source, locator: `/v1/nfl/top100?season=${season}` }],
      confidence: recordedConfidence(1, plural(list.players.length, "recorded row")),
      links: [{ id: `top100/${season}`, endpoints: [`/v1/nfl/top100?season=${season}`] }],
      freshness: top100.freshness,
      ...next,
      extras: {
        suggestions: page
          .filter(({ position }) => position === "QB")
          .slice(0, 2)
          .map(({ player }) => suggest("nfl_qb", { player }, `Stat lines of ${player}.`)),
      },
    }
  })
