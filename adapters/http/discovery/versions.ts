import type * as Catalogue from "../../../core/endpoint/Catalogue.ts"
import changelog from "./changelog.json" with { type: "json" }

/** One version of the schemas, with what it brought. */
export interface Version {
  readonly version: string
  /** The day of its release, YYYY-MM-DD; left out until then. */
  readonly date?: string
  readonly added: ReadonlyArray<string>
  readonly changed: ReadonlyArray<string>
  readonly deprecated: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

/** Newest first. Written by `npm run schemas`; a test holds it against the schemas. */
export const versions = changelog as ReadonlyArray<Version>

/** The version of the schemas that this server publishes. */
export const current: string = versions[0]!.version

/** What is deprecated, with its end. */
const endings = (catalogue: Catalogue.Any): ReadonlyArray<string> => {
  const rows = catalogue.entries.flatMap(({ endpoint: { path, deprecation } }) =>
    deprecation === undefined ? [] : [`- \`${path}\` since ${deprecation.since}, gone after ${deprecation.sunset}`],
  )
  return rows.length === 0 ? ["Nothing is deprecated."] : rows
}

/** The changelog of the schemas, for people and for agents. */
export const markdown = (catalogue: Catalogue.Any): string => {
  const section = (title: string, rows: ReadonlyArray<string>) =>
    rows.length === 0 ? [] : [`### ${title}`, "", ...rows.map((row) => `- ${row}`), ""]
  return [
    "# Changelog of the schemas",
    "",
    "Versions follow Semantic Versioning. Breaking changes are announced at least 90 days before, here and by the",
    "headers `Deprecation` and `Sunset`. The schemas are published under the MIT licence.",
    "",
    "## Deprecated",
    "",
    ...endings(catalogue),
    "",
    ...versions.flatMap(({ version, date, added, changed, deprecated, removed }) => [
      `## ${version}, ${date ?? "unreleased"}`,
      "",
      ...section("Added", added),
      ...section("Changed", changed),
      ...section("Deprecated", deprecated),
      ...section("Removed", removed),
    ]),
  ].join("\n")
}
