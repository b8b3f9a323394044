/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import { Installation } from "../../../../../core/operation/Installation.ts"
import { RecordLog } from "../../../../../core/record/log/RecordLog.ts"
import { count } from "../../../../../core/text.ts"
import { record } from "../../../condition/ofService.ts"
import { Facts, State } from "../../../view/parts.tsx"
import type { Operation } from "../../Operation.ts"
import type { Page } from "../../Page.ts"
import { Time } from "../../parts.tsx"
import { root } from "./paths.ts"

const path = `${root}/store` as const

/** Jobs that delete old rows; their descriptions say which, and when. */
const deleting = ["retention", "prune-runs"]

const megabytes = (bytes: number): string => `${count(Number((bytes / 1e6).toFixed(1)))} MB`

/** The record and its last checkpoint; the store, its size and its deletions. */
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
      const store = yield* (yield* Installation).store
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
