/** Version 12 of better-sqlite3 under the name that `driver.ts` looks for. */
declare module "better-sqlite3-node20" {
  import Database from "better-sqlite3"
  export default Database
}
