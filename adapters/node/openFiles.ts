import { report } from "node:process"

/** Files that the store, upstreams, receivers of webhooks and the log need beside the connections of clients. */
const reserved = 128

interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } }
}

/** How many files the process may have open, where the system says so. */
const limit = (): number | undefined => {
  // The report would look up the names of every peer.
  Object.assign(report, { excludeNetwork: true })
  const soft = (report.getReport() as Report).userLimits?.open_files?.soft
  return typeof soft === "number" ? soft : undefined
}

/**
 * Connections for which there are files: beyond them nobody could be served, and nobody told.
 *
 * @param wanted what the operator asks for
 */
export const connections = (wanted: number, files = limit()): number =>
  files === undefined ? wanted : Math.min(wanted, Math.max(Math.floor(files / 2), files - reserved))
