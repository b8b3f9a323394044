/** @jsxRuntime automatic @jsxImportSource preact */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { topUpPath } from "../../../../core/account/Quote.ts"
import type * as Catalogue from "../../../../core/endpoint/Catalogue.ts"
import type { NewKey } from "../../../admin/shapes.ts"
import { verbs as verbsOf } from "../../../admin/verbs.ts"
import { clients, keyPlace } from "../../../describe/clients.ts"
import type { Call } from "../../../describe/operation.ts"
import { ok, waiting } from "../../condition/Condition.ts"
import { chooseShown } from "../../docs/reference/samples.ts"
import { ClientTabs } from "../../install/InstallPage.tsx"
import { State } from "../../view/parts.tsx"
import { createAction } from "../listing.tsx"
import { Unless } from "../live/Live.tsx"
import * as values from "../live/values.ts"
import { ofAccount, type Page, type View, type Visit } from "../Page.ts"
import { Environment, Secret } from "../parts.tsx"
import { path as walletPath } from "./wallet.tsx"

/** The lines of all clients, with a key in them. */
const settings = (call: Call | undefined, { baseUrl, served }: Visit, key: string) => (
  <ClientTabs id="connect" all={clients({ baseUrl, key, call, served })} />
)

/** A new key, shown once, with the prices of its calls and the settings of programs that use it. */
export const newKey = (catalogue: Catalogue.Any, title: string) => {
  const endpoint = chooseShown(catalogue)
  return (
    { key, id, environment }: Pick<Schema.Schema.Encoded<typeof NewKey>, "key" | "id" | "environment">,
    visit: Visit,
  ): View => ({
    title,
    body: (
      <>
        <Secret text={key}>Save this key now. Only its hash is stored, and no page shows it again.</Secret>
        <p>
          <Environment name={environment} /> key, filled in below.{" "}
          {environment === "test" ? (
            "Its calls are free and answer sample data."
          ) : (
            <>
              Its calls are charged to the <a href={walletPath}>wallet</a>: <a href={topUpPath}>top up</a>.
            </>
          )}{" "}
          <a href={`/dashboard/keys/${id}`}>View key</a>
        </p>
        <div class="first-call">
          <Unless is={values.keyUse({ id })} isShown={false}>
            <State is={ok("It works: first call received")} />
          </Unless>
          <p>
            <State is={waiting("Waiting for the first call")} /> Run one of these: it shows here within seconds.
          </p>
        </div>
        {settings(endpoint, visit, key)}
      </>
    ),
  })
}

/** Settings to copy. A new key comes with its own. */
export const connectPage = (catalogue: Catalogue.Any): Page =>
  ofAccount({
    path: "/dashboard/connect",
    label: "Connect",
    view: (visit) =>
      Effect.succeed({
        title: "Connect",
        ...createAction("/dashboard/keys", "key", verbsOf(catalogue).keysCreate, visit),
        body: (
          <>
            <p>
              Copy a snippet and replace <code>{keyPlace}</code>, or create a key, and it is filled in.
            </p>
            {settings(chooseShown(catalogue), visit, keyPlace)}
          </>
        ),
      }),
  })
