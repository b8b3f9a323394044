import { capitalize } from "../../core/text.ts"
import type { Variable } from "../../services/config/values.ts"
import { groups } from "../../services/config/variables.ts"

/** A meaning with a capital, unless it begins with a value. */
const toSentence = (meaning: string): string =>
  /^(yes|no|true|json|debug)\b/.test(meaning) ? meaning : capitalize(meaning)

const toLine = ({ name, meaning, defaultText, isSecret }: Variable): string =>
  `# ${toSentence(meaning)}.${defaultText === undefined ? "" : ` Default: ${defaultText}.`}\n#${name}=${isSecret ? "" : /^[\w.:/-]+$/.test(defaultText ?? "") ? defaultText : ""}`

/** `.env.example`: every variable with its meaning and default, none of them set. */
export const envExample = (): string =>
  [
    "# Settings of market-signals. Copy this file to .env, remove the # before what you set, and start with",
    "# node --env-file=.env services/start.mjs (in a checkout; Compose reads it by itself), commands with … cli COMMAND. `market-signals config show` shows what holds.",
    "",
    ...groups.flatMap(({ title, variables }) => [`# ${title}`, "", ...variables.flatMap((each) => [toLine(each), ""])]),
  ].join("\n")
