package dev.inboxd.base.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The part that a PostgreSQL server has in a replication, as the role sees it.
 *
 * @param isStandby whether it is a standby, which takes no changes
 * @param synchronousNames its setting {@code synchronous_standby_names}; empty when commits wait for no standby
 * @param connected how many standbys and other readers of its log are connected
 * @param synchronous how many of them a commit waits for, or could wait for
 * @param unseen how many of them the role may not look at; {@code pg_monitor} lets it
 */
public record Replication(boolean isStandby, String synchronousNames, int connected, int synchronous, int unseen) {
    private static final String ASK = """
            select pg_is_in_recovery() as standby, current_setting('synchronous_standby_names') as names,
                count(*)::int4 as connected, count(*) filter (where sync_state in ('sync', 'quorum'))::int4 as sync,
                count(*) filter (where sync_state is null)::int4 as unseen
            from pg_stat_replication""";

    /**
     * Queries a server.
     *
     * @throws ServerInfo.UnavailableException when it is unreachable, refuses the login, or does not answer
     */
    public static Replication of(Database.Location location) throws ServerInfo.UnavailableException {
        try (Connection connection = DriverManager.getConnection(location.url(), ConnectionFailure.login(location));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(ASK)) {
            row.next();
            return new Replication(
                    row.getBoolean("standby"),
                    row.getString("names"),
                    row.getInt("connected"),
                    row.getInt("sync"),
                    row.getInt("unseen"));
        } catch (SQLException failure) {
            throw new ServerInfo.UnavailableException(ConnectionFailure.words(location, failure), failure);
        }
    }
}
