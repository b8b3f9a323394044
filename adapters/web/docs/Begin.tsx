/** @jsxRuntime automatic @jsxImportSource preact */
import { demoKey } from "../../../core/account/ApiKey.ts"
import { docs } from "../../describe/describe.ts"
import * as Configuration from "../../describe/tools/configuration.ts"
import * as Protocol from "../../describe/tools/protocol.ts"
import type { Site } from "../../server/http/Site.ts"
import { Code, Tabs } from "../view/parts.tsx"
import { EditorLinks } from "./EditorLinks.tsx"

/** Settings and programs to copy. */
export const Begin = ({ site, baseUrl }: { readonly site: Site; readonly baseUrl: string }) => (
  <section>
    <h2>Three ways to begin</h2>
    <Tabs
      id="begin"
      label="Ways to begin"
      panels={[
        [
          "HTTP",
          <>
            <p>
              One GET with a key in the header. <a href={docs}>The reference</a> runs each endpoint and has it as curl,
              TypeScript, Python and MCP.
            </p>
            <Code
              text={`curl -H "Authorization: Bearer ${demoKey}" "${baseUrl}/v1/crypto/signal?asset=BTC"`}
              lang="sh"
            />
          </>,
        ],
        ...(site.served(Protocol.paths.streamable)
          ? [
              [
                "MCP",
                <>
                  <p>
                    Every endpoint as a tool, with its price. <EditorLinks baseUrl={baseUrl} />, or with Claude Code:
                  </p>
                  <Code text={Configuration.claudeCode(baseUrl, "$MARKET_SIGNALS_KEY")} lang="sh" />
                  <details>
                    <summary>Clients that start a command, such as Claude Desktop</summary>
                    <p>{Configuration.installFirst}</p>
                    <Code text={Configuration.textOf(Configuration.overStdio(baseUrl, Configuration.keyPlace))} />
                  </details>
                </>,
              ] as const,
            ]
          : []),
        [
          "Library",
          <>
            <p>The client, the command line and the core itself, for Node, Deno and browsers.</p>
            <Code
              text={`npm install ${Configuration.installable} effect@3\n\nimport { make } from "market-signals/client"`}
              lang="ts"
            />
          </>,
        ],
      ]}
    />
  </section>
)
