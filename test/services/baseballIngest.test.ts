import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { afterAll } from "vitest"
import { csvOf, inningsHead, logLine, logOf, oddsHead, oddsRows, withInnings } from "../support/baseballFiles.ts"
import { commandLine } from "../support/commandLine.ts"
import { makeFolder, removeFolder } from "../support/store.ts"

describe.sequential("ingest baseball", { timeout: 30_000 }, () => {
  const folder = makeFolder()
  const file = join(folder, "store.db")
  const { cli, parsed } = commandLine(file)
  afterAll(() => removeFolder(folder))

  const rows = oddsRows(2).slice(0, 6)
  const write = (name: string, text: string | Uint8Array): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const odds = write("odds.csv", csvOf(oddsHead, rows))
  const innings = write("innings.csv.gz", gzipSync(csvOf(inningsHead, withInnings(rows))))
  mkdirSync(join(folder, "logs"))
  write("logs/GL2021.TXT", logOf([logLine({ 1: "20210401" })]))
  write("logs/gl2022.txt.gz", gzipSync(logOf([logLine(), logLine({ 1: "20220402" })])))
  write("logs/team_codes.txt", "chn : Chicago Cubs\n")

  const counted = (): ReadonlyArray<unknown> => {
    const db = new Database(file, { readonly: true })
    const counts = ["odds", "innings", "game_logs", "files"].map((table) =>
      db.prepare(`SELECT COUNT(*) FROM baseball_${table}`).pluck().get(),
    )
    db.close()
    return counts
  }

  it("stores files and folders, and says what each has changed", async () => {
    const line = `ingest baseball --odds ${odds} --innings ${innings} --gamelogs ${join(folder, "logs")}`
    const { code, stdout, stderr } = await cli(line)
    assert.deepStrictEqual([code, stderr], [0, ""])
    assert.match(
      stdout,
      /^odds\.csv: 6 rows, 6 added, 0 changed \(\d+ rows\/s\)\ninnings\.csv\.gz: 6 rows, .*\nGL2021\.TXT: 1 rows, 1 added, .*\ngl2022\.txt\.gz: 2 rows, .*\n4 files: 4 read, 0 refused$/,
    )
    assert.deepStrictEqual(counted(), [6, 6, 3, 4])
    const { files, stored, refused } = await parsed(line)
    assert.deepStrictEqual([files, refused], [4, []])
    for (const { added, changed, withdrawn } of stored) assert.deepStrictEqual([added, changed, withdrawn], [0, 0, 0])
    assert.deepStrictEqual(counted(), [6, 6, 3, 4])
  })

  it("refuses a file whole, by name, line and column; the others are stored", async () => {
    const bad = write(
      "bad.csv",
      csvOf(
        oddsHead,
        rows.map((cells, at) => (at === 4 ? cells.with(5, "?") : cells)),
      ),
    )
    const more = write("GL2023.TXT", logOf([logLine({ 1: "20230401" })]))
    const { code, stdout, stderr } = await cli(`ingest baseball --odds ${bad} --gamelogs ${more}`)
    assert.strictEqual(code, 1)
    assert.match(stdout, /2 files: 1 read, 1 refused$/)
    assert.strictEqual(stderr, 'bad.csv: line 6, away, "?" is no team code.')
    assert.deepStrictEqual(counted(), [6, 6, 4, 5])
  })

  it.each([
    ["ingest baseball", /Name at least one file: --odds FILE, --innings FILE or --gamelogs FILE/],
    [`ingest baseball --odds ${join(folder, "none.csv")}`, /none\.csv/],
    // A file that is named is read, whatever it is called.
    [`ingest baseball --gamelogs ${join(folder, "logs", "team_codes.txt")}`, /team_codes\.txt: line 1, .*161/],
  ])("says why nothing is done: %s", async (line, message) => {
    const { code, stderr } = await cli(line)
    assert.strictEqual(code, 1)
    assert.match(stderr, message)
    assert.notMatch(stderr, /\n {4}at |\[object /)
    assert.deepStrictEqual(counted(), [6, 6, 4, 5])
  })
})
