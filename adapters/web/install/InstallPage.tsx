/** @jsxRuntime automatic @jsxImportSource preact */
import { Fragment } from "preact"
import { count } from "../../../core/text.ts"
import { type Client, type FileName, filePath, files, path } from "../../describe/clients.ts"
import { guidePath } from "../../describe/guides.ts"
import type { Site } from "../../server/http/Site.ts"
import { pageScript } from "../view/assets.ts"
import { page } from "../view/Page.tsx"
import { Code, Inline, numeric, Table, Tabs } from "../view/parts.tsx"
import type { Handed } from "./handed.ts"

/** What to copy for a client. */
const Steps = ({ client: { about, install, text, lang, link } }: { readonly client: Client }) => (
  <>
    <p>
      <Inline text={about} />
      {link !== undefined && (
        <>
          {" "}
          <a href={link.href}>{link.label}</a>
        </>
      )}
    </p>
    {install !== undefined && <Code text={install} lang="sh" />}
    <Code text={text} lang={lang} />
  </>
)

/** The clients of a server, one at a time. */
export const ClientTabs = ({ id, all }: { readonly id: string; readonly all: ReadonlyArray<Client> }) => (
  <Tabs
    id={id}
    label="Clients"
    panels={all.map((client) => [client.name, <Steps key={client.name} client={client} />])}
  />
)

const contents: Readonly<Record<FileName, string>> = {
  bridge:
    "The tools over standard input and output, for clients that start a command: one package without dependencies",
  extension: "The same as an extension of Claude Desktop and other desktop clients, with this server filled in",
  package: "The whole package: server, command line, client and the core to embed, for Node 20, 22 and 24",
  wheel: "The client for Python",
  notebook: "A notebook: settled contracts, scores of the models and the market, and of a forecast of your own",
  bill: "The packages of others in these programs (CycloneDX)",
  sums: "SHA-256 of each file: sha256sum --check --ignore-missing SHA256SUMS",
}

interface Props {
  readonly all: ReadonlyArray<Client>
  readonly handed: ReadonlyArray<Handed>
  readonly site: Site
}

/** How each client uses this server, and the files that it hands out. */
export const installPage = ({ all, handed, site }: Props): string =>
  page(
    {
      title: "Install",
      description: "A line to copy for each client, and this server's own package, bridge, extension and wheel.",
      path,
      script: pageScript,
    },
    site,
    <>
      <h1>Install</h1>
      <p class="lead">
        Everything comes from this server, in its own version. The lines have the demo key, which is free and answers
        sample data: put your own in its place.
      </p>
      {all.map((client) => (
        <section key={client.name}>
          <h2 id={client.name.toLowerCase().replaceAll(" ", "-")}>{client.name}</h2>
          <Steps client={client} />
        </section>
      ))}
      {site.served(guidePath("mcp")) && (
        <p>
          With the AI SDK, LangChain or OpenAI's Agents SDK:{" "}
          <a href={`${guidePath("mcp")}#in-a-program`}>in a program</a>.
        </p>
      )}
      {handed.length > 0 && (
        <section class="listing">
          <h2 id="files">Files</h2>
          <Table
            caption="Files of this server"
            isCards
            columns={["File", numeric("Bytes"), "Content and SHA-256"]}
            rows={handed.map(({ name, bytes, sha256 }) => [
              <a key={name} href={filePath(name)}>
                {files[name]}
              </a>,
              count(bytes.length),
              <Fragment key={name}>
                {contents[name]}
                <br />
                <small>
                  <code>{sha256}</code>
                </small>
              </Fragment>,
            ])}
          />
          {handed.every(({ name }) => name !== "package") && (
            <p class="soft">
              This server runs from its sources. After <code>npm run build</code>, one that is started by{" "}
              <code>node dist/services/cli.js serve</code> hands out the package too.
            </p>
          )}
        </section>
      )}
    </>,
  )
