import type * as Catalogue from "../../core/endpoint/Catalogue.ts"
import changelog from "./changelog.json" with { type: "json" }

/** One version of the schemas and its changes. */
export interface Version {
  readonly version: string
  /** Release day, YYYY-MM-DD; absent before the release. */
  readonly date?: string
  readonly added: ReadonlyArray<string>
  readonly changed: ReadonlyArray<string>
  readonly deprecated: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
}

/** Newest first. After the first release `npm run schemas` adds to it; a test compares it with the schemas. */
export const versions = changelog as ReadonlyArray<Version>

export const schemasVersion: string = versions[0]!.version

/** The release day of the current version; `unreleased`: its schemas may still change. */
export const schemasReleaseDay: string = versions[0]!.date ?? "unreleased"

const deprecationLines = (catalogue: Catalogue.Any): ReadonlyArray<string> => {
  const rows = catalogue.entries.flatMap(({ endpoint: { path, deprecation } }) =>
    deprecation === undefined ? [] : [`- \`${path}\` since ${deprecation.since}, removed after ${deprecation.sunset}`],
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
    ...(versions.some(({ date }) => date !== undefined)
      ? []
      : [
          `${schemasVersion} is not released yet. Until its release the schemas may change without notice, as they have before.`,
        ]),
    "Versions follow Semantic Versioning. From the release of 1.0.0 on breaking changes are announced at least 90 days",
    "ahead, here and in the headers `Deprecation` and `Sunset`. Minor versions add fields to answers, and values to those that",
    "name them, such as codes, events and assets: readers accept what they do not know. The schemas are published under the MIT",
    "licence.",
    "",
    "## Deprecated",
    "",
    ...deprecationLines(catalogue),
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
