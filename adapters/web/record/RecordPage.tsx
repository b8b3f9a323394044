/** @jsxRuntime automatic @jsxImportSource preact */
import type * as Endpoint from "../../../core/endpoint/Endpoint.ts"
import { type endpoints, verifierPath } from "../../../core/record/log/endpoints.ts"
import { count } from "../../../core/text.ts"
import { iso } from "../../../core/time.ts"
import type { Site } from "../../server/http/Site.ts"
import { recordScript } from "../view/assets.ts"
import { timeText } from "../view/dates.ts"
import { page } from "../view/Page.tsx"
import { Code, Facts, Figure, Table } from "../view/parts.tsx"
import { Entries, Sentence } from "./Entries.tsx"
import type { Entry } from "./readEntries.ts"

export const path = "/record"

interface ProofProps {
  readonly found: Inclusion
  readonly leaf: string
  readonly base: string
  readonly entry: Entry | undefined
}

/** Longest name of a leaf that the form takes; that of the API's parameter. */
export const longest = 200

type Inclusion = Endpoint.Results<(typeof endpoints)["inclusion"]>
type Checkpoint = Endpoint.Results<(typeof endpoints)["checkpoint"]>

/** Before `/v1/proof` and the page's own proofs while the log is a demonstration. */
export const demoBase: string = `${path}/demo`

/** Marks everything that the demonstration log shows. */
const demoNotice = "Sample data, not a track record."

export interface Props {
  readonly site: Site
  readonly baseUrl: string
  /** Whether the log is generated. */
  readonly isDemo: boolean
  /** The list; absent while a demonstration is generated, and on the page of one leaf. */
  readonly list?: Omit<Parameters<typeof Entries>[0], "base">
  /** The requested leaf as an entry of the list. */
  readonly entry?: Entry
  /** Absent: none has been signed yet. */
  readonly checkpoint: Checkpoint | undefined
  /** The leaf that the reader looks up: its position, hash or id. */
  readonly leaf: string
  /** The proof of that leaf, or the reason why it could not be made. Absent: the reader looks up no leaf. */
  readonly found?: Inclusion | { readonly problem: string }
}

const Question = ({ leaf, problem }: { readonly leaf: string; readonly problem: string | undefined }) => (
  <form class="ask" method="get" action={path}>
    <label for="leaf">Entry number, hash or id</label>
    <span>
      <input
        id="leaf"
        name="leaf"
        value={leaf}
        maxLength={longest}
        required
        spellcheck={false}
        autocomplete="off"
        {...(problem === undefined ? {} : { "aria-invalid": "true", "aria-describedby": "problem" })}
      />
      <button type="submit">Verify</button>
    </span>
    {problem !== undefined && (
      <p id="problem" class="notice">
        {problem}
      </p>
    )}
  </form>
)

const Proof = ({ found, leaf, base, entry }: ProofProps) => {
  const { position, id, hash, text, sealed_until } = found.leaf
  return (
    <section>
      <h2>Entry {count(position)}</h2>
      {entry !== undefined && entry._tag !== "Sealed" && (
        <p>
          <time datetime={iso(entry.at)}>{timeText(entry.at)}</time> · <Sentence entry={entry} />
        </p>
      )}
      <div role="status" data-leaf={leaf} data-proofs={base}>
        <p class="soft">Automatic checks need JavaScript: these are the service's own figures.</p>
      </div>
      <Facts
        of={{
          Id: <code>{id}</code>,
          Hash: <code>{hash}</code>,
          Root: (
            <>
              <code>{found.root}</code>, of the first {count(found.size)} entries
            </>
          ),
        }}
      />
      {text === undefined ? (
        <p>
          Sealed until {sealed_until === undefined ? "its close" : timeText(Date.parse(sealed_until))}. Its hash is
          public already.
        </p>
      ) : (
        <details>
          <summary>The exact text that is hashed</summary>
          <Code text={text} label="Text" />
        </details>
      )}
      {found.proof.length > 0 && (
        <details>
          <summary>Proof: {found.proof.length} hashes</summary>
          <Table
            caption="Hashes of the proof, lowest first"
            columns={["Level", "Hash"]}
            rows={found.proof.map((each, level) => [level, <code key={each}>{each}</code>])}
          />
        </details>
      )}
    </section>
  )
}

const commands = (baseUrl: string, verifier: string, leaf: string): string =>
  [
    `curl ${baseUrl}/v1/proof/checkpoint > kept.txt`,
    `curl "${baseUrl}/v1/proof/inclusion?leaf=${encodeURIComponent(leaf)}"`,
    `curl -O ${verifier}`,
    `node verifier.mjs --url ${baseUrl} --checkpoint kept.txt`,
  ].join("\n")

/** The terms of the record and their meanings. */
const glossary = {
  Entry: "A prediction, a result or a correction, as exact text. Its hash changes if one letter does.",
  Checkpoint:
    "A signed statement, each minute while the log grows: it states the log's size and its root hash. The root is one hash over all entries in order, so that it changes if any entry does.",
  "Inclusion proof": "The few hashes that lead from an entry to the root: the entry is in the log that was signed.",
  "Consistency proof": "The hashes that lead from an older root to a newer one: nothing before was changed or removed.",
  Sealed: "Until its market closes, the text of a sold prediction belongs to its buyer. Its hash is public at once.",
}

const limits = [
  "It shows that an entry was not changed after its checkpoint was signed, not that the prediction was good.",
  "The times are the signer's own. A checkpoint that you saved yourself proves the order from then on.",
  "A second history, shown to other readers, cannot be seen from one place. Save checkpoints and the key, and compare them with others.",
]

const Newest = ({ checkpoint }: { readonly checkpoint: Checkpoint | undefined }) =>
  checkpoint === undefined ? (
    <p>None has been signed yet. The first follows within a minute of the first entry.</p>
  ) : (
    <div class="says">
      <Figure name="Entries">{count(checkpoint.size)}</Figure>
      <Figure name="Last signed">
        <time datetime={checkpoint.signed_at}>{timeText(Date.parse(checkpoint.signed_at), true)}</time>
      </Figure>
    </div>
  )

/** Lists the record in words, shows the proof of an entry, which the reader's browser checks, and explains both. */
export const recordPage = ({ site, baseUrl, isDemo, checkpoint, leaf, found, list, entry }: Props): string => {
  const problem = found !== undefined && "problem" in found ? found.problem : undefined
  const base = isDemo ? demoBase : ""
  const isPending = isDemo && leaf === "" && (list === undefined || list.page.looked[1] === 0)
  return page(
    {
      title: "The record",
      description: "Each prediction, recorded before its outcome and verified in your browser.",
      path,
      script: recordScript,
    },
    site,
    <>
      <div class="columns opening">
        <div>
          <h1>The record</h1>
          <p class="lead">
            Every prediction that is sold or scored is written down before its outcome, in a log that can only grow. You
            need not take our word for it: your browser verifies the entries.
          </p>
          {isDemo && <p class="badge test">{demoNotice}</p>}
        </div>
        <section class="subject">
          <Newest checkpoint={checkpoint} />
          <Question leaf={leaf} problem={problem} />
          {leaf !== "" && (
            <p>
              <a href={path}>Newest entries</a>
            </p>
          )}
        </section>
      </div>
      {found !== undefined && !("problem" in found) && <Proof found={found} leaf={leaf} base={base} entry={entry} />}
      {isPending ? (
        <p>The demonstration is being generated, which takes some seconds: load the page again.</p>
      ) : (
        list !== undefined && <Entries {...list} base={base} />
      )}
      <section>
        <h2>Check it yourself</h2>
        <div class="folded">
          {checkpoint !== undefined && (
            <details>
              <summary>The newest checkpoint</summary>
              <Code text={checkpoint.note} />
              <p>
                Public key: <code>{checkpoint.key}</code>
              </p>
            </details>
          )}
          <details>
            <summary>The verifier, for your machine</summary>
            <p>
              The verifier is one file without dependencies for Node 20. It reads the whole record again, and shares no
              code with this service or with this page.
            </p>
            <Code text={commands(`${baseUrl}${base}`, `${baseUrl}${verifierPath}`, leaf === "" ? "0" : leaf)} />
          </details>
          <details>
            <summary>Glossary</summary>
            <Facts of={glossary} />
          </details>
          <details>
            <summary>Limits of the proof</summary>
            <ul>
              {limits.map((each) => (
                <li key={each}>{each}</li>
              ))}
            </ul>
          </details>
        </div>
      </section>
    </>,
  )
}
