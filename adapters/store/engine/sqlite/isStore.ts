import { open } from "./driver.ts"

/** Whether a file is the database of a store. Nothing is written. */
export const isStore = (file: string): boolean => {
  const db = open(file, { readonly: true, fileMustExist: true })
  try {
    return db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").get() !== undefined
  } finally {
    db.close()
  }
}
