import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as sqlite from "../../adapters/store/engine/sqlite/open.ts"
import { layerSettledRows, layerStore } from "../../adapters/store/record/Settled.ts"
import { SettledRows } from "../../core/lanes/markets/ports.ts"
import { SettledStore } from "../../core/record/scoreboard/SettledStore.ts"
import { mockMarketsOnce, mockRows } from "../support/mockLanes.ts"
import { settledRows } from "../support/settledRows.ts"
import { contract } from "./frame.ts"
import { settledRowsCases } from "./settledRows.ts"

const today = Date.UTC(2026, 6, 9)

/** A store with rows of chance, and with those of the demonstration, which are of another venue. */
const stored = Layer.effectDiscard(
  Effect.flatMap(SettledStore, (store) =>
    Effect.zipRight(
      store.append(settledRows(500, 6)),
      Effect.flatMap(mockRows(today), (rows) => store.append(rows)),
    ),
  ),
).pipe(Layer.provide(layerStore))

contract(
  "settled rows",
  SettledRows,
  {
    mock: mockMarketsOnce,
    live: Layer.provideMerge(layerSettledRows, stored).pipe(Layer.provide(sqlite.layer(":memory:"))),
  },
  settledRowsCases,
  today + 12 * 3_600_000,
)
