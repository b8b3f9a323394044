import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Game, groupByGameday } from "../../../../../core/lanes/football/data/Game.ts"
import {
  buildGameday,
  type Gameday,
  hashInputs,
  readInputs,
  serializeInputs,
} from "../../../../../core/lanes/football/model/inputs.ts"
import { RecordInputs } from "../../../../../core/record/captures/RecordInputs.ts"
import { SyncSha256 } from "../../../../../core/record/log/SyncSha256.ts"
import { league } from "../../../../support/footballLeague.ts"

const sha256 = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest()
const crypto = { sha256: (text: string) => Effect.sync(() => createHash("sha256").update(text).digest("hex")) }

const { games, weeks } = league(3, [2001], 3)
const days = groupByGameday(games)
const next = days.at(-1)![0]!

/** The gamedays of a season up to the last, each after the one before it. */
const season = (all: ReadonlyArray<ReadonlyArray<Game>>) =>
  Effect.reduce(all, undefined as Gameday | undefined, (before, day) => buildGameday(crypto, before, day, weeks))

describe("a gameday", () => {
  it.effect("has the offenses of its games alone, and a hash of the season so far", () =>
    Effect.gen(function* () {
      const third = yield* buildGameday(crypto, undefined, days[2]!, weeks)
      const teams = days[2]!.flatMap(({ home, away }) => [home.team, away.team])
      assert.deepStrictEqual(
        third.weeks.map(({ team, week }) => [team, week]),
        teams.map((team) => [team, 2]),
      )
      const changed = days.map((day, at) => (at === 0 ? day.map((game) => ({ ...game, neutral: !game.neutral })) : day))
      const [one, other] = [yield* season(days), yield* season(changed)]
      assert.deepStrictEqual(one!.games, other!.games)
      assert.notStrictEqual(one!.hash, other!.hash)
    }),
  )
})

describe("stored inputs", () => {
  it.effect("are read back as the game and every gameday before it, in order, under their own hash", () =>
    Effect.gen(function* () {
      const inputs = { game: next, seasons: [(yield* season(days.slice(0, -1)))!] }
      const { hash, text, putShared } = serializeInputs(inputs)(sha256)
      assert.strictEqual(hash, yield* hashInputs(crypto, inputs))
      yield* (yield* RecordInputs).keep(putShared)
      const found = yield* readInputs(JSON.parse(text))
      assert.deepStrictEqual(found.game, next)
      assert.deepStrictEqual(
        found.days.map((day) => day.games),
        days.slice(0, -1),
      )
    }).pipe(Effect.provide(RecordInputs.layerMemory()), Effect.provide(Layer.succeed(SyncSha256, { sha256 }))),
  )
})
