package dev.inboxd.base.database.pool;

/**
 * The settings of each session with the database. They are made by SQL, because poolers refuse the start-up parameter
 * {@code options}; so a session must stay with its connection ({@code SessionCheck}).
 */
public final class SessionSettings {
    /**
     * For each new connection. Every statement finds its rows by key: a plan is made once for each connection, and must
     * be right although the tables it was made for are still empty, when scanning and hashing whole tables looks
     * cheapest. Citus must know the values of a statement to find the shard, which a generic plan does not have.
     */
    public static final String SQL = """
            select set_config('lock_timeout', '2000', false), set_config('statement_timeout', '30000', false),
                set_config('idle_in_transaction_session_timeout', '30000', false),
                set_config('synchronous_commit', 'on', false), set_config('jit', 'off', false),
                set_config('TimeZone', 'UTC', false), set_config('enable_seqscan', 'off', false),
                set_config('enable_hashjoin', 'off', false), set_config('enable_mergejoin', 'off', false),
                set_config('plan_cache_mode', case when exists (
                        select 1 from pg_catalog.pg_extension where extname = 'citus')
                    then 'auto' else 'force_generic_plan' end, false)""";

    private SessionSettings() {}
}
