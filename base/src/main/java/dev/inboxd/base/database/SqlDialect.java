package dev.inboxd.base.database;

/**
 * What the text of a statement depends on beside its view.
 *
 * @param moved whether the clock is another than the database's
 * @param citus whether the database is a Citus cluster
 */
record SqlDialect(boolean moved, boolean citus) {
    /** Of a cluster, at its own time: the form in which tests look at statements. */
    static final SqlDialect CLUSTER = new SqlDialect(false, true);
}
