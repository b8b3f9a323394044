/**
 * What a store is exact by, set at every open, since they are properties of the connection. FULL: a commit that returned is
 * durable; a reopened WAL file starts at NORMAL. Recursive triggers: without them INSERT OR REPLACE deletes rows of
 * append-only tables.
 */
export const exactness: ReadonlyArray<string> = ["synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON"]
