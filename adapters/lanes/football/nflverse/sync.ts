import type * as HttpClient from "@effect/platform/HttpClient"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../../../../core/Failure.ts"
import * as Job from "../../../../core/jobs/Job.ts"
import { FootballArchive } from "../../../../core/lanes/football/data/archive.ts"
import { findGamesSeason } from "../../../../core/lanes/football/data/calendar.ts"
import { nflFeeds, type WeeklyFeed, weeklyFeeds } from "../../../../core/lanes/football/data/coverage.ts"
import { yieldToEventLoop } from "../../../../core/yieldToEventLoop.ts"
import { type RequestPolicy, toFailure, type Validators } from "../../../runtime/upstream/upstream.ts"
import { make, type Release, releases } from "./releases.ts"

/** Whether a host states that a file is older than the stored one, as a lagging cache does. */
const isOlder = (file: Validators, known: Validators | undefined): boolean =>
  Date.parse(file.lastModified ?? "") < Date.parse(known?.lastModified ?? "")

/** After this many failed requests in a row the host counts as down. */
const maxSilent = 3

const noCounts = { "files requested": 0, new: 0, unchanged: 0, "not released": 0, refused: 0 }
const noRows = { "rows added": 0, changed: 0, withdrawn: 0 }

interface Taken {
  readonly counts: Partial<typeof noCounts & typeof noRows>
  readonly refusal?: string
  /** The request was not answered. */
  readonly outage?: Failure
  readonly isAbsent?: true
  readonly fields?: ReadonlyArray<string>
}

/** Reads a file into the store, unless it is of an older season and stored. */
const take = (
  source: ReturnType<typeof make>,
  { feed, season, instead }: Release,
  path: string,
): Effect.Effect<Taken, Failure, FootballArchive> =>
  Effect.gen(function* () {
    const archive = yield* FootballArchive
    const known = yield* archive.known(path)
    const fetchedAt = yield* Clock.currentTimeMillis
    if (known !== undefined && season !== undefined && season < findGamesSeason(fetchedAt) - 1) return { counts: {} }
    const seasons = season === undefined ? [] : [season]
    // Between the end of one file and the request for the next.
    yield* yieldToEventLoop
    const fetched = yield* Effect.either(source.download(feed, path, season, known))
    const asked = { "files requested": 1 }
    const refuse = (reason: string, rest: Partial<Taken> = {}): Taken => ({
      counts: { ...asked, refused: 1 },
      refusal: `${path}: ${reason}`,
      ...rest,
    })
    if (fetched._tag === "Left") {
      const hasAnswered = fetched.left.reason === "implausible"
      return refuse(fetched.left.message, hasAnswered ? {} : { outage: toFailure(fetched.left) })
    }
    switch (fetched.right._tag) {
      case "Unchanged":
        yield* archive.confirm(feed, path, season === undefined ? "all" : seasons, fetchedAt)
        return { counts: { ...asked, unchanged: 1 } }
      case "Absent":
        return known !== undefined || season === undefined
          ? refuse("file not found.", { isAbsent: true })
          : { counts: { ...asked, "not released": instead === undefined ? 1 : 0 }, isAbsent: true }
      case "Read": {
        const { file } = fetched.right
        if (isOlder(file, known)) {
          return refuse(`rejected: of ${file.lastModified}, older than the stored one of ${known?.lastModified}.`)
        }
        const all = [...new Set([...file.seasons, ...seasons])]
        const fields = file.header
        return yield* archive
          .store({ ...file, feed, name: path, fetchedAt, seasons: all, isWhole: season === undefined })
          .pipe(
            Effect.map(
              ({ added, changed, withdrawn }): Taken => ({
                counts: { ...asked, new: 1, "rows added": added, changed, withdrawn },
                fields,
              }),
            ),
            Effect.catchTag("FileRefused", ({ message }) => Effect.succeed(refuse(message, { fields }))),
          )
      }
    }
  })

/**
 * nflverse's releases by kind: every file of this season and the previous one by a conditional request, older ones
 * once. A failed file does not affect the others. A missing file leaves its season unknown.
 */
export const releaseParts = (
  client: HttpClient.HttpClient,
  baseUrl: string,
  policy: RequestPolicy = {},
): Effect.Effect<ReadonlyArray<Job.Part<FootballArchive>>> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const source = make(client, baseUrl, policy)
    /** Failed requests in a row, of all kinds. */
    let silent = 0

    const readKind = (feed: WeeklyFeed) =>
      Effect.gen(function* () {
        const all: Array<Taken> = []
        for (const release of releases(now).filter((one) => one.feed === feed)) {
          const { instead, ...rest } = release
          for (const [one, path] of [
            [release, release.path],
            ...(instead === undefined ? [] : [[rest, instead] as const]),
          ] as const) {
            if (silent === maxSilent) break
            const taken = yield* take(source, one, path)
            all.push(taken)
            if (taken.counts["files requested"] === 1) silent = taken.outage === undefined ? 0 : silent + 1
            if (taken.isAbsent === undefined) break
          }
        }
        const skipped = all.length === 0 && silent === maxSilent ? ["skipped, as others failed"] : []
        const refusals = [...skipped, ...all.flatMap(({ refusal }) => refusal ?? [])]
        const counts = Job.total([{ counts: noCounts }, ...(all as ReadonlyArray<Job.Synced>), { counts: noRows }])
        const outage = all.find((taken) => taken.outage)?.outage
        if (outage !== undefined && counts["unchanged"]! + counts["new"]! === 0) {
          return yield* fail(outage.code, { detail: refusals.join("; "), cause: outage.cause })
        }
        const fields = new Set(all.flatMap(({ fields = [] }) => fields))
        return { counts, refusals, ...(fields.size > 0 && { fields: [...fields] }) }
      })
    return weeklyFeeds.map((feed) => ({ due: nflFeeds[feed], read: readKind(feed) }))
  })
