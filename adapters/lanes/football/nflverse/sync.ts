import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { formatError } from "../../../../core/csv/FileFormat.ts"
import type { Failure } from "../../../../core/Failure.ts"
import { FootballArchive, type Stored } from "../../../../core/lanes/football/data/archive.ts"
import { gamesSeason } from "../../../../core/lanes/football/data/calendar.ts"
import type { WeeklyFeed } from "../../../../core/lanes/football/data/coverage.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { type RequestPolicy, toFailure, type Validators } from "../../../runtime/upstream/upstream.ts"
import { make, type Release, releases } from "./releases.ts"

/** The result of one run. */
export interface Synced {
  readonly asked: number
  readonly unchanged: number
  /** Files that are not released yet or no longer. */
  readonly absent: number
  readonly stored: ReadonlyArray<Stored & { readonly path: string }>
  /** Failed downloads and refused files, in words, by kind of file. */
  readonly failures: ReadonlyArray<{ readonly feed: WeeklyFeed; readonly reason: string }>
  /** Columns of the files that were read. */
  readonly columns: ReadonlyMap<WeeklyFeed, ReadonlySet<string>>
  /** The first failure, when every request failed. */
  readonly outage?: Failure
}

/** Whether a host says that a file is from before the one that is stored: yesterday's, from a cache that lags. */
const isOlder = (file: Validators, known: Validators | undefined): boolean =>
  Date.parse(file.lastModified ?? "") < Date.parse(known?.lastModified ?? "")

/** After this many failed requests in a row the host counts as down. */
const maxSilent = 3

/**
 * Loads nflverse's releases into the store: every file of this season and the previous one by a conditional request, older
 * ones once. A failed file does not affect the others. A file that is not there says nothing: its season stays unknown.
 */
export const syncReleases = (
  client: HttpClient.HttpClient,
  baseUrl: string,
  policy: RequestPolicy = {},
): Effect.Effect<Synced, Failure, FootballArchive> =>
  Effect.gen(function* () {
    const archive = yield* FootballArchive
    const source = make(client, baseUrl, policy)
    const current = gamesSeason(yield* Clock.currentTimeMillis)
    const stored: Array<Synced["stored"][number]> = []
    const failures: Array<Synced["failures"][number]> = []
    const columns = new Map<WeeklyFeed, Set<string>>()
    let [asked, unchanged, absent, silent] = [0, 0, 0, 0]
    let outage: Failure | undefined

    /** @returns whether there is such a file */
    const take = ({ feed, season, instead }: Release, path: string): Effect.Effect<boolean, Failure, never> =>
      Effect.gen(function* () {
        const refuse = (reason: string) => void failures.push({ feed, reason: `${path}: ${reason}` })
        const known = yield* archive.known(path)
        if (known !== undefined && season !== undefined && season < current - 1) return true
        const fetchedAt = yield* Clock.currentTimeMillis
        const seasons = season === undefined ? [] : [season]
        asked++
        // Between the end of one file and the request for the next.
        yield* yieldToEventLoop
        const fetched = yield* Effect.either(source.download(feed, path, season, known))
        if (fetched._tag === "Left") {
          refuse(fetched.left.message)
          outage ??= toFailure(fetched.left)
          silent++
          return true
        }
        silent = 0
        switch (fetched.right._tag) {
          case "Unchanged":
            unchanged++
            yield* archive.confirm(feed, path, season === undefined ? "all" : seasons, fetchedAt)
            return true
          case "Absent":
            if (known !== undefined || season === undefined) refuse("file not found.")
            else if (instead === undefined) absent++
            return false
          case "Refused":
            refuse(formatError(fetched.right.refusal))
            return true
          case "Read": {
            const { file } = fetched.right
            if (isOlder(file, known)) {
              refuse(`rejected: of ${file.lastModified}, older than the stored one of ${known?.lastModified}.`)
              return true
            }
            const all = [...new Set([...file.seasons, ...seasons])]
            const isWhole = season === undefined
            const written = yield* archive
              .store({ ...file, feed, name: path, fetchedAt, seasons: all, isWhole })
              .pipe(Effect.catchTag("FileRefused", ({ message }) => Effect.sync(() => refuse(message))))
            if (written !== undefined) stored.push({ path, ...written })
            columns.set(feed, new Set([...(columns.get(feed) ?? []), ...file.header]))
            return true
          }
        }
      })

    for (const release of releases(yield* Clock.currentTimeMillis)) {
      const { instead, feed, ...rest } = release
      if (silent === maxSilent) {
        if (!failures.some((failure) => failure.feed === feed))
          failures.push({ feed, reason: "skipped, as others failed" })
        continue
      }
      const there = yield* take(release, release.path)
      if (!there && instead !== undefined) yield* take({ feed, ...rest }, instead)
    }
    const isOut = outage !== undefined && unchanged + stored.length === 0
    return { asked, unchanged, absent, stored, failures, columns, ...(isOut && outage !== undefined && { outage }) }
  })
