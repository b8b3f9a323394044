/** The addresses of pages and documents that several places link to. */

export { errorPath, errorsPath } from "../../core/endpoint/path.ts"

/** The page with the state of sources and lanes. */
export const statusPath = "/status"

export const docsPath = "/docs"

/** The reference of a group of operations. */
export const groupDocsPath = (group: string): string => `${docsPath}/${group}`

/** The page that says how to get an API key. */
export const getKeyPath = "/get-a-key"

/** An agent's starting point. */
export const capabilitiesPath = "/.well-known/agent-capabilities"

export const openapiPath = "/openapi.json"
export const llmsTxtPath = "/llms.txt"
export const llmsFullTxtPath = "/llms-full.txt"
export const schemasPath = "/schemas/v1"
export const schemaChangelogPath = "/schemas/changelog"
