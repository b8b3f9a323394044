import { report } from "node:process"

/** Open files reserved for the store, upstreams, webhooks and the log, in addition to client connections. */
const reservedFiles = 128

interface Report {
  readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } }
}

/** The limit of open files of the process; undefined if unknown. */
const readLimit = (): number | undefined => {
  // Otherwise the report looks up the host name of every peer.
  Object.assign(report, { excludeNetwork: true })
  const soft = (report.getReport() as Report).userLimits?.open_files?.soft
  return typeof soft === "number" ? soft : undefined
}

/**
 * The limit of client connections that the open-file limit allows. Beyond it, connections could not even be refused.
 *
 * @param wanted the configured limit
 */
export const limitConnections = (wanted: number, files = readLimit()): number =>
  files === undefined ? wanted : Math.min(wanted, Math.max(Math.floor(files / 2), files - reservedFiles))
