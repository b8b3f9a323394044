import { dirname, relative, resolve, sep } from "node:path"
import type { Plugin } from "vite"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { program as chromium } from "./bench/tools/chromium.ts"
import { kindsOf } from "./bench/tools/kinds.ts"
import { output, sources } from "./test/support/built.ts"
import { programs as postgres } from "./test/support/postgresServer.ts"
import { FailuresReporter } from "./test/support/reporter.ts"
import { loadsSqliteClient } from "./test/support/sqliteClient.ts"

/** Test files by the kind of what they need, so that no list has to name them. */
const kinds = kindsOf("test", process.env["PROOF"])

/** Suites that run over clients that are not ours too: of the lanes' repositories, the record and the feeds. */
const ofAnyClient: ReadonlyArray<string> = [
  "test/adapters/lanes/crypto/store/*.test.ts",
  "test/adapters/lanes/football/store/*.test.ts",
  "test/adapters/lanes/markets/store/*.test.ts",
  "test/adapters/lanes/weather/store/{Calibrations,ClimateReports,climateDays,climateIngest,Voids}.test.ts",
  "test/adapters/store/record/{LawScores,Outcomes,RecordLog,Settled,ShadowLog}.test.ts",
  "test/core/record/{captures/Captures,log/RecordLog}.test.ts",
  "test/adapters/lanes/feeds.test.ts",
  "test/adapters/store/engine/anyClient.test.ts",
]

/** Suites that run on both stores: with `npm test` on SQLite, with `npm run test:postgres` on PostgreSQL. */
const bothStores: ReadonlyArray<string> = [
  "test/adapters/store/account/{AgentStore,Names,accounts,agentKeys,agents,keyReads,perAccount}.test.ts",
  "test/adapters/store/audit/{Calls,Usage,usageSpans}.test.ts",
  "test/adapters/store/chaos/*.test.ts",
  "test/adapters/store/events/*.test.ts",
  "test/adapters/store/money/{Orders,idempotency,law,ledger,walletLow,wallets}.test.ts",
  "test/adapters/store/schema/migrate.test.ts",
  "test/adapters/store/upkeep/{Installation,JobRuns,LaneDays,gauges,sweeps}.test.ts",
  ...ofAnyClient,
  "test/core/people/{People,signIn}.test.ts",
  "test/core/gateway/payment.test.ts",
  "test/adapters/admin/lists.test.ts",
  "test/adapters/web/dashboard/live/reading.test.ts",
  "test/services/nul.test.ts",
]

const hasPostgres = postgres() !== undefined || process.env["TEST_DATABASE_URL"] !== undefined
if (!hasPostgres && process.argv.some((argument) => argument.startsWith("postgres"))) {
  process.stdout.write("Skipped: no PostgreSQL: npm run test:install, or set TEST_DATABASE_URL.\n")
}

if (!loadsSqliteClient && process.argv.includes("client")) {
  process.stdout.write("Skipped: better-sqlite3 12, which @effect/sql-sqlite-node loads, ends Node 24.19 and later.\n")
}

const hasChromium = chromium() !== undefined
if (!hasChromium && process.argv.includes("browser")) {
  process.stdout.write(
    "Skipped: no Chromium. Install Debian's package chromium-headless-shell, or name the program in CHROMIUM.\n",
  )
}

/** Files that take longest: one of them that comes last leaves the other processes idle for a minute or two. */
const slow =
  /(package|liveDay|turns|services\/cache|train\/baseball|x402Kills|topUp|browser\/(pages|keyboard|dashboard)|python|demoRecord|damaged|archiveKills)\.test\.ts$/

class SlowFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification): boolean => slow.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

/**
 * The tests import the sources as the JavaScript that was compiled before the run, natively: a third of the time that
 * Vitest takes to transform and evaluate them for each process. Its own way remains where it has to know what a test
 * file imports, or has to instrument it.
 */
const compiled = (): Plugin => {
  let active = false
  return {
    name: "compiled sources",
    enforce: "pre",
    configureVitest: ({ vitest }) => {
      const { watch, changed, related, coverage } = vitest.config
      active = !watch && !changed && related === undefined && !coverage.enabled
    },
    resolveId: (source, importer) => {
      if (!active || importer === undefined || !/^\..*\.tsx?$/.test(source)) return
      const file = relative(import.meta.dirname, resolve(dirname(importer), source))
      return sources.includes(file.split(sep)[0]!) ? output(file) : undefined
    },
  }
}

export default defineConfig({
  plugins: [compiled()],
  test: {
    globalSetup: ["test/support/built.ts"],
    setupFiles: ["test/support/setUp.ts"],
    server: { deps: { external: [/\/var\/built\//] } },
    reporters: [new FailuresReporter()],
    // What a test prints is shown where it fails.
    silent: "passed-only",
    testTimeout: 120_000,
    hookTimeout: 60_000,
    minWorkers: 3,
    maxWorkers: 3,
    // Processes load the sources once, not each file anew.
    isolate: false,
    // Programs that a test starts make nothing ahead of their calls: it takes them seconds of processor time each.
    env: { WARM_UP: "no" },
    sequence: { sequencer: SlowFirst },
    poolOptions: { forks: { execArgv: ["--max-semi-space-size=64"] } },
    projects: [
      { extends: true, test: { name: "unit", include: kinds.unit } },
      { extends: true, test: { name: "service", include: kinds.service } },
      { extends: true, test: { name: "proof", include: kinds.proof } },
      {
        extends: true,
        test: {
          name: "browser",
          include: hasChromium ? ["test/long/browser/**/*.test.ts"] : [],
          globalSetup: ["test/long/browser/support/setup.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: hasPostgres ? ["test/adapters/store/**/postgres/**/*.test.ts", ...bothStores] : [],
          globalSetup: ["test/support/postgresSetup.ts"],
          env: { TEST_STORE: "postgres" },
        },
      },
      {
        extends: true,
        test: {
          name: "client",
          include: loadsSqliteClient ? ofAnyClient : [],
          env: { TEST_CLIENT: "sql-sqlite-node" },
        },
      },
      {
        extends: true,
        test: {
          name: "postgres-client",
          include: hasPostgres ? ofAnyClient : [],
          globalSetup: ["test/support/postgresSetup.ts"],
          env: { TEST_STORE: "postgres", TEST_CLIENT: "sql-pg" },
        },
      },
    ],
  },
})
