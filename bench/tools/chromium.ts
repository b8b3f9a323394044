import { accessSync, constants } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"

const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Chromium on this machine: the one that `CHROMIUM` names, else one of the system's packages. Undefined: there is none. */
export const program = (environment: NodeJS.ProcessEnv = process.env): string | undefined => {
  const asked = environment["CHROMIUM"]
  const folders = (environment["PATH"] ?? "").split(delimiter).filter(isAbsolute)
  const places = [...folders, "/usr/bin"].flatMap((folder) => names.map((name) => join(folder, name)))
  return (asked === undefined || asked === "" ? places : [asked]).find(isProgram)
}

/** The sandbox needs rights that containers lack; the tests and the pictures visit our own pages alone. */
export const flags: ReadonlyArray<string> = ["--no-sandbox", "--disable-dev-shm-usage"]
