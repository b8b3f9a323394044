import { assert, it } from "@effect/vitest"
import { listingsOn } from "../../../../../adapters/lanes/markets/mock/listings.ts"
import { listAwaiting, listTrading } from "../../../../../adapters/lanes/markets/mock/markets.ts"
import { drawBooks } from "../../../../../adapters/lanes/markets/mock/pricing.ts"
import { findCaptureTime, listSettled } from "../../../../../adapters/lanes/markets/mock/settled.ts"
import { domains } from "../../../../../core/record/scoreboard/Settled.ts"
import { addDays, hour } from "../../../../../core/time.ts"
import { digest } from "../../../../support/digest.ts"

const days = Array.from({ length: 90 }, (_, at) => addDays("2026-07-01", at))
const listings = days.flatMap((on) => domains.flatMap((domain) => listingsOn(domain, on)))
const names = (some: ReadonlyArray<{ readonly ticker: string }>) => some.map(({ ticker }) => ticker)

// Whoever tries the service compares its answers with those of the documents: a change belongs into CHANGELOG.md.
it("the generated venue is the same in each release", () => {
  const hours = Array.from({ length: 60 }, (_, at) => Date.UTC(2026, 8, 10) + at * hour)
  const domainsAt = <A>(look: (domain: (typeof domains)[number], at: number) => A) =>
    digest(hours.map((at) => domains.map((domain) => look(domain, at))))
  const books = (models: (of: number) => ReadonlyArray<number>) =>
    digest(
      listings
        .filter((_, at) => at % 5 === 0)
        .map((listing) =>
          drawBooks(listing, models(listing.contracts.length), (listing.opensAt + listing.closesAt) / 2),
        ),
    )
  assert.deepStrictEqual(
    {
      listings: domains.map((domain) => digest(listings.filter((listing) => listing.domain === domain))),
      playoffs: digest(["2026-12-28", "2027-01-16", "2027-02-14"].map((on) => listingsOn("nfl", on))),
      captured: digest(listings.map(findCaptureTime)),
      even: books((of) => Array.from({ length: of }, () => 1_000_000 / of)),
      sure: books((of) => Array.from({ length: of }, (_, at) => (at === 0 ? 1_000_000 : 0))),
      slight: books((of) => Array.from({ length: of }, (_, at) => (at === 1 ? 960_000 : 8_000))),
      trading: domainsAt((domain, at) => names(listTrading(domain, at))),
      awaiting: domainsAt((domain, at) => names(listAwaiting(domain, at))),
      settled: domains.map((domain) => digest(names(listSettled(domain, Date.UTC(2026, 8, 10, 14))))),
    },
    {
      awaiting: "d49fa1fa",
      captured: "59883b9b",
      even: "8fb1be8e",
      listings: ["bc8a3456", "afea02d6", "1e3c44b2", "58466525"],
      playoffs: "d1852eb4",
      settled: ["bff1e57b", "2b23513e", "6e127a48", "2d62f36d"],
      slight: "55639cdc",
      sure: "ddb0969f",
      trading: "48b5c5b6",
    },
  )
})
