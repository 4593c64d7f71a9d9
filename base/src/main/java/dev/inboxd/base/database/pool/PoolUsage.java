package dev.inboxd.base.database.pool;

/**
 * How the connections of a node are used.
 *
 * @param active those in a transaction
 * @param idle the other open ones
 * @param waiting transactions that wait for one
 * @param most how many there may be
 */
public record PoolUsage(int active, int idle, int waiting, int most) {}
