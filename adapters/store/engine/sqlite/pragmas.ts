/**
 * Pragmas that correctness needs, set at every open, since they belong to the connection. FULL: a commit that returned is
 * durable; a reopened WAL file starts at NORMAL. Recursive triggers: without them INSERT OR REPLACE deletes rows of
 * append-only tables.
 */
export const exactness: ReadonlyArray<string> = ["synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON"]
