import type { ListedGame, ListedSide } from "../../../../core/lanes/baseball/ports.ts"
import { day, dayOf, hour, minute } from "../../../../core/time.ts"
import { uniform } from "../../mock/hash.ts"
import type { MockGame, MockSide } from "./season.ts"

interface Record {
  readonly wins: number
  readonly losses: number
}

/** A played game, with the records of both teams after it. */
export interface Finished {
  readonly game: MockGame
  readonly home: Record
  readonly away: Record
}

const none: Record = { wins: 0, losses: 0 }

const gameState = (
  { fate, firstPitch, endsAt, home, away }: MockGame,
  now: number,
): Pick<ListedGame, "state" | "phase" | "score"> => {
  if (now >= endsAt) {
    const score = { home: home.runs, away: away.runs }
    return { state: now < endsAt + 10 * minute ? "Game Over" : "Final", phase: "over", score }
  }
  if (fate === "delayed" && now >= firstPitch && now < firstPitch + 50 * minute) {
    return { state: "Delayed Start: Rain", phase: "scheduled" }
  }
  if (fate === "suspended" && now >= firstPitch + 90 * minute && now < endsAt - hour) {
    return { state: "Suspended: Rain", phase: "live" }
  }
  if (now >= firstPitch) return { state: "In Progress", phase: "live" }
  if (now >= firstPitch - 20 * minute) return { state: "Warmup", phase: "scheduled" }
  return { state: now >= firstPitch - 90 * minute ? "Pre-Game" : "Scheduled", phase: "scheduled" }
}

/** Teams name most starters two to four days ahead, and some only in the last hours. */
const isNamed = ({ gamePk, firstPitch }: MockGame, { team }: MockSide, now: number): boolean => {
  const late = uniform("baseball/named", gamePk, team.index)
  return now >= firstPitch - (late < 0.08 ? 4 * hour : (2 + 2 * late) * day)
}

/** The finished part of a season, by game, and each team's standing after it. */
interface Table {
  readonly over: number
  readonly own: Map<number, Finished>
  readonly current: Map<number, Record>
}

/** The newest table of a season. Time usually moves forward, so finished games are added to it. */
const tables = new WeakMap<ReadonlyArray<Finished>, Table>()

const tableAt = (finished: ReadonlyArray<Finished>, now: number): Table => {
  const cached = tables.get(finished)
  const isBehind = cached !== undefined && (cached.over === 0 || finished[cached.over - 1]!.game.endsAt <= now)
  const { own, current } = isBehind ? cached : { own: new Map<number, Finished>(), current: new Map<number, Record>() }
  let over = isBehind ? cached.over : 0
  for (; over < finished.length && finished[over]!.game.endsAt <= now; over++) {
    const each = finished[over]!
    own.set(each.game.gamePk, each)
    current.set(each.game.home.team.id, each.home)
    current.set(each.game.away.team.id, each.away)
  }
  const table = { over, own, current }
  tables.set(finished, table)
  return table
}

/**
 * Some games as listed at a time: a postponed game is listed under both of its dates.
 *
 * @param finished all played games of the season, in order of their end
 */
export const listGames = (
  games: ReadonlyArray<MockGame>,
  finished: ReadonlyArray<Finished>,
  now: number,
): ReadonlyArray<ListedGame> => {
  const { own, current } = tableAt(finished, now)

  const listSide = (game: MockGame, side: "home" | "away"): ListedSide => {
    const { team, starter } = game[side]
    return {
      teamId: team.id,
      name: team.name,
      ...(own.get(game.gamePk)?.[side] ?? current.get(team.id) ?? none),
      ...(isNamed(game, game[side], now) && { starter: { id: starter.id, name: starter.name } }),
    }
  }

  return games.flatMap((game): ReadonlyArray<ListedGame> => {
    const { gamePk, season, fate, playedOn, listedOn, firstListed, firstPitch, doubleHeader, gameNumber } = game
    const isKnown = now >= game.announcedAt
    const listing: ListedGame = {
      gamePk,
      season,
      type: "R",
      firstPitch,
      officialDate: dayOf(playedOn),
      ...gameState(game, now),
      venue: game.home.team.park,
      neutral: false,
      doubleHeader: isKnown ? doubleHeader : "N",
      gameNumber,
      home: listSide(game, "home"),
      away: listSide(game, "away"),
    }
    const { score: _, ...unplayed } = listing
    const asFirstListed = { ...unplayed, firstPitch: firstListed, doubleHeader: "N", gameNumber: 1 }
    if (fate === "postponed") {
      return isKnown
        ? [{ ...asFirstListed, state: "Postponed", phase: "off" }, listing]
        : [{ ...asFirstListed, state: "Scheduled", phase: "scheduled", officialDate: dayOf(listedOn) }]
    }
    return [fate === "cancelled" && isKnown ? { ...listing, state: "Cancelled", phase: "off" } : listing]
  })
}
