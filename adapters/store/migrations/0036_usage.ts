import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { day } from "../../../core/time.ts"

/** While nodes are updated, those of before go on to add each call to its hour and its day. */
const updateDays = 3

/** How far sums of usage were made of shorter spans. Sums that are there stay as they are. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Sums of spans that start before `done` are done, and of a pass that is under way, those before `goal` up to and
  // including the place in the other columns. Between passes both are the same.
  yield* sql`
    CREATE TABLE usage_steps (
      step TEXT NOT NULL PRIMARY KEY,
      done BIGINT NOT NULL CHECK (done >= 0),
      goal BIGINT NOT NULL CHECK (goal >= done),
      account_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      start BIGINT NOT NULL
    )`
  // Until now each call was added to its day at once. A call is in the trail of the month in which it ended.
  const [last] = yield* sql<{ month: string | null }>`SELECT max(month) AS month FROM usage_months WHERE folded > 0`
  const made =
    typeof last?.month === "string"
      ? Math.max(
          Date.UTC(Number(last.month.slice(0, 4)), Number(last.month.slice(5))),
          Math.floor((yield* Clock.currentTimeMillis) / day + updateDays) * day,
        )
      : 0
  const place = { account_id: "", kind: "", start: 0 }
  yield* sql`INSERT INTO usage_steps ${sql.insert(
    ["days", "hours", "months"].map((step) => {
      const done = step === "days" ? made : 0
      return { step, done, goal: done, ...place }
    }),
  )}`
})
