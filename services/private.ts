/**
 * Imported before anything else by what runs as a program of its own: whatever it makes is for its owner alone. The
 * store, its log, the keys and the exports all hold what others have no business with.
 */
process.umask(0o077)
