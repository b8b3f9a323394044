import * as Config from "effect/Config"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Place } from "../../adapters/store/engine/opening.ts"
import { consent, integerBetween, parsed, positiveInteger, refuseMisspelled, secret, variable } from "./values.ts"

/**
 * The store of `sqlite:` and a path (`sqlite::memory:` exists as long as the process), or of the URL of a PostgreSQL
 * database that several nodes share.
 */
export const parsePlace = (url: string): Place | undefined => {
  const file = /^sqlite:(.+)$/s.exec(url)?.[1]
  if (file !== undefined) return { _tag: "Sqlite", file }
  const isPostgres = /^postgres(ql)?:\/\//.test(url) && URL.canParse(url)
  return isPostgres ? { _tag: "Postgres", url: Redacted.make(url) } : undefined
}

/** Never quotes the value, which may contain a password. */
export const expectedPlace = "Expected sqlite:<path> or postgres://<user>@<host>/<database>."

/** The file of the store, below the working directory of a server. */
export const defaultFile = "var/market-signals.db"

/** The store, its limits and its keys. */
export const store = {
  place: variable(
    "DATABASE_URL",
    parsed(Config.string, parsePlace, expectedPlace),
    "the store: sqlite:<path> or postgres://…; if it is set, the first start creates no account",
    { defaultText: `sqlite:${defaultFile}` },
  ),
  password: variable(
    "DATABASE_PASSWORD",
    secret,
    "password of the role in DATABASE_URL, if the URL has none; as for every secret here, DATABASE_PASSWORD_FILE may name a file that has it",
  ),
  reserveMb: variable(
    "DISK_RESERVE_MB",
    integerBetween(0),
    "when fewer megabytes are free on the store's disk, calls without a charge are only counted; 0: always stored",
    { default: 256 },
  ),
  perAccount: variable(
    "MAX_PER_ACCOUNT",
    positiveInteger,
    "maximum number per account of usable keys, of agents and of open invitations",
    { default: 250 },
  ),
  auditMonths: variable(
    "AUDIT_MONTHS",
    integerBetween(2),
    "months of the audit trail to keep, including the current one; at least 2",
    { default: 13 },
  ),
  recordKeyFile: variable(
    "RECORD_KEY_FILE",
    Config.nonEmptyString,
    "file of the key that signs checkpoints; made by the first start, readable only by its owner",
    { defaultText: "next to the SQLite file" },
  ),
  recordKeyNew: consent(
    "RECORD_KEY_NEW",
    "yes: a record whose key is lost continues with a new one; the change is public",
  ),
  secretsKeyFile: variable(
    "SECRETS_KEY_FILE",
    Config.nonEmptyString,
    "file of the key that encrypts secrets in the store; made by the first start",
    { defaultText: "next to the SQLite file" },
  ),
  secretsKeyNew: consent(
    "SECRETS_KEY_NEW",
    "yes: a lost key is replaced by a new one; then rotate the secret of every webhook",
  ),
}

/** The store that the variables name, with its password. */
export const placeIn = (given: Option.Option<Place>, password: Option.Option<Redacted.Redacted>): Place => {
  const store = Option.getOrElse(given, (): Place => ({ _tag: "Sqlite", file: defaultFile }))
  if (store._tag === "Sqlite" || Option.isNone(password)) return store
  const url = new URL(Redacted.value(store.url))
  if (url.password === "") url.password = encodeURIComponent(Redacted.value(password.value))
  return { ...store, url: Redacted.make(url.href) }
}

/** The store, for programs that need no other setting. */
export const configuredPlace = Config.all([store.place.config, store.password.config]).pipe(
  Config.map(([given, password]) => placeIn(given, password)),
  Config.mapOrFail(refuseMisspelled([store.place.name, store.password.name])),
)
