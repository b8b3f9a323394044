/** Name and version that the software reports to programs. A test keeps the version equal to the package's. */
export const name = "market-signals"
export const version = "0.4.0"
export const description =
  "Market data and model signals for software agents. Pay per call; predictions are recorded first and scored in public."
/** Whether this build is in the registries: set by the workflow that publishes it. Until then no document names a package there. */
export const isPublished: boolean = false
