/**
 * Imported first by every program: files that it creates are readable by their owner only, since store, keys and
 * exports are confidential.
 */
process.umask(0o077)
