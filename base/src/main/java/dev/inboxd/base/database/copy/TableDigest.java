package dev.inboxd.base.database.copy;

/**
 * What two copies of a table have in common.
 *
 * @param table its name
 * @param rows how many rows
 * @param bytes of the rows
 * @param sha256 of all rows in the order of the key, in lower-case hexadecimal
 */
public record TableDigest(String table, long rows, long bytes, String sha256) {}
