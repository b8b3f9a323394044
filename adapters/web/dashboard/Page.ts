import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { VNode } from "preact"
import type { Account } from "../../../core/account/AccountStore.ts"
import type { Calls } from "../../../core/account/Calls.ts"
import type { Keyring } from "../../../core/account/Keyring.ts"
import type { Names } from "../../../core/account/Names.ts"
import type { PlatformCrypto } from "../../../core/account/PlatformCrypto.ts"
import type { Usage } from "../../../core/account/Usage.ts"
import type { BaseUrl } from "../../../core/call/BaseUrl.ts"
import type { LaneSets } from "../../../core/endpoint/LaneSets.ts"
import type { Failure } from "../../../core/Failure.ts"
import type { Gateway } from "../../../core/gateway/Gateway.ts"
import type { Installation } from "../../../core/operation/Installation.ts"
import type { Session } from "../../../core/people/Session.ts"
import type { Captures } from "../../../core/record/captures/Captures.ts"
import type { RecordLog } from "../../../core/record/log/RecordLog.ts"
import type * as AdminOperation from "../../admin/AdminOperation.ts"

export type Services =
  | AdminOperation.Services
  | BaseUrl
  | Calls
  | Captures
  | Gateway
  | Installation
  | Keyring
  | LaneSets
  | Names
  | PlatformCrypto
  | RecordLog
  | Usage

/** A form that was sent and refused: its values and the failure, shown at its fields. */
export interface Sent {
  readonly action: string
  readonly values: URLSearchParams
  readonly failure: Failure
}

/** The actions that a person may not take on a page, and who may. */
export interface Barred {
  /** The names of the actions. */
  readonly actions: ReadonlyArray<string>
  /** What they do, such as `create an API key`. */
  readonly does: ReadonlyArray<string>
  /** Names of the account's owners. */
  readonly owners: ReadonlyArray<string>
}

/** One request of a signed-in person. */
export interface Visit {
  readonly session: Session
  readonly actor: AdminOperation.Actor
  /** The account that is shown; absent: an operator without one. */
  readonly account?: Account
  /** The `:names` of the page's path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Proves that a form is from this session's page. */
  readonly formToken: string
  /** Makes a form's action happen once. */
  readonly formId: string
  /** The origin under which the browser sees the server. */
  readonly origin: string
  /** Where programs find the server. */
  readonly baseUrl: string
  /** Whether the server has a path. */
  readonly served: (path: string) => boolean
  readonly sent?: Sent
  /** Actions of the page that this person may not run: their forms are not shown. Absent: none. */
  readonly barred?: Barred
  /** What this person has just done by a form, such as `alert created`. */
  readonly did?: string | undefined
  /** Epoch milliseconds. */
  readonly now: number
}

export type AccountVisit = Visit & { readonly account: Account }

export interface View {
  /** Without the product's name. */
  readonly title: string
  /** The page's main action, beside its title. */
  readonly action?: { readonly href: string; readonly label: string }
  readonly body: VNode
  /** Absent: 200. */
  readonly status?: number
  /** Other origins to which its forms lead. */
  readonly formsTo?: ReadonlyArray<string>
}

/** A file of a page. Nothing of it is in memory but the piece that is being sent. */
export interface Download {
  /** The value of `Content-Type`. */
  readonly type: string
  readonly fileName: string
  /** Fails before anything is sent if the page's address asks for something that is not there. */
  readonly open: (visit: AccountVisit) => Effect.Effect<Stream.Stream<string, Failure>, Failure, Services>
}

/** The end of an action: another page, or an answer that is shown once, such as a key. */
export type Done = { readonly to: string } | View

/** The effect of a form. */
export interface Action {
  /** Says who may run it, and what it does; absent: everybody who sees the page. */
  readonly verb?: Pick<AdminOperation.Any, "leastRole" | "summary">
  /** Runs with the form's values; the actor in the visit has the form's id. */
  readonly run: (visit: Visit, values: URLSearchParams) => Effect.Effect<Done, Failure, Services>
}

/** A page of the dashboard: its content and the actions of its forms. */
export interface Page {
  readonly path: `/dashboard${string}`
  /** In the navigation; absent: not there. */
  readonly label?: string
  /** Its figures are of live keys, of test keys or of both, as its address says. */
  readonly hasModes?: boolean
  /** Whom it is for: members of an account, or operators alone. */
  readonly audience: "account" | "operator" | "person"
  readonly view: (visit: Visit) => Effect.Effect<View, Failure, Services>
  /**
   * Finds what the page is about, such as the key of its path, and fails where the account has no such thing: then its
   * forms do nothing either. Absent: the page is about the account.
   */
  readonly about?: (visit: Visit) => Effect.Effect<unknown, Failure, Services>
  /** By the name that a form gives. */
  readonly actions?: Readonly<Record<string, Action>>
  /** Files by the ending that is added to the path; only of an account's page. */
  readonly downloads?: Readonly<Record<`.${string}`, Download>>
}

export const ofAccount = (
  page: Omit<Page, "audience" | "view"> & {
    readonly view: (visit: AccountVisit) => Effect.Effect<View, Failure, Services>
  },
): Page => ({
  ...page,
  audience: "account",
  // The application answers a visit without an account itself.
  view: (visit) => page.view(visit as AccountVisit),
})

/** The path of a page, its `:names` filled in from a visit. */
export const pathTo = ({ path }: Page, { params }: Pick<Visit, "params">): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
