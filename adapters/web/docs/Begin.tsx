/** @jsxRuntime automatic @jsxImportSource preact */
import { demoKey } from "../../../core/account/ApiKey.ts"
import { clients, path as installPath } from "../../describe/clients.ts"
import type { Call } from "../../describe/operation.ts"
import type { Site } from "../../server/http/Site.ts"
import { ClientTabs } from "../install/InstallPage.tsx"

interface Props {
  readonly site: Site
  readonly baseUrl: string
  /** The call that is shown. */
  readonly call: Call | undefined
}

/** Settings and programs to copy. */
export const Begin = ({ site: { served }, baseUrl, call }: Props) => (
  <section>
    <h2>Begin</h2>
    <ClientTabs id="begin" all={clients({ baseUrl, key: demoKey, call, served })} />
    {served(installPath) && (
      <p class="soft">
        <a href={installPath}>All on one page</a>, with the files of this server.
      </p>
    )}
  </section>
)
