/** @jsxRuntime automatic @jsxImportSource preact */

import * as Effect from "effect/Effect"
import { Installation } from "../../../../../core/operation/Installation.ts"
import { RecordLog } from "../../../../../core/record/log/RecordLog.ts"
import { count } from "../../../../../core/text.ts"
import { record } from "../../../condition/ofService.ts"
import { Facts, List, numeric, State } from "../../../view/parts.tsx"
import type { Operation } from "../../Operation.ts"
import type { Page } from "../../Page.ts"
import { Time } from "../../parts.tsx"
import { root } from "./paths.ts"

const path = `${root}/store` as const

/** Tables of the list. */
const tablesShown = 15

/** Jobs that delete what is old; their descriptions say what, and when. */
const deleting = ["retention", "prune-runs"]

const megabytes = (bytes: number): string => `${count(Number((bytes / 1e6).toFixed(1)))} MB`

/** The record and its last checkpoint; the store, its size, its largest tables, and what is deleted. */
export const storePage = ({ ready, jobs }: Operation): Page => ({
  path,
  label: "Record and store",
  audience: "operator",
  view: () =>
    Effect.gen(function* () {
      const { report } = yield* ready
      const log = yield* RecordLog
      const leaves = yield* log.size
      const last = yield* log.checkpoint()
      const store = yield* (yield* Installation).store(tablesShown)
      const isSized = store.tables.some(({ bytes }) => bytes !== undefined)
      return {
        title: "Record and store",
        body: (
          <>
            <h2>Record</h2>
            <Facts
              of={{
                Entries: count(leaves),
                "Last checkpoint":
                  last === undefined ? (
                    "none yet"
                  ) : (
                    <>
                      <Time at={last.at} />, {count(last.size)} entries
                    </>
                  ),
                "Not signed yet": `${count(leaves - (last?.size ?? 0))} entries`,
                State: report.record !== undefined && <State is={record(report.record)} />,
              }}
            />
            <h2>Store</h2>
            <Facts of={{ Kind: store.server, Schema: store.schema, Size: megabytes(store.bytes) }} />
            <List
              caption="The largest tables"
              rows={store.tables}
              columns={[
                ["Table", ({ name }) => <code>{name}</code>],
                [numeric("Rows, about"), ({ rows }) => count(rows)],
                isSized && [numeric("With indexes"), ({ bytes }) => (bytes === undefined ? "–" : megabytes(bytes))],
              ]}
            />
            <p class="soft">
              {isSized
                ? "PostgreSQL estimates rows when it analyses a table; one that it has not analysed is not listed."
                : "Row counts are estimates."}
            </p>
            <h2>What is deleted</h2>
            <ul>
              {jobs
                .filter(({ name }) => deleting.includes(name))
                .map(({ name, description, schedule }) => (
                  <li key={name}>
                    {description} <span class="soft">{schedule.text}</span>
                  </li>
                ))}
              <li>Journal, record and log of changes are never deleted.</li>
            </ul>
          </>
        ),
      }
    }),
})
