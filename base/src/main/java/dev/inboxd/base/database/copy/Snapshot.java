package dev.inboxd.base.database.copy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.migration.Migrations;
import dev.inboxd.base.vault.Vault;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An installation's database at one moment, while the service goes on writing: one transaction of the level repeatable
 * read, which writes nothing and holds no lock that a statement of the service waits for. As long as it is open, rows
 * that are changed or deleted stay on the disk beside their later versions. Not thread-safe.
 *
 * <p>On Citus the moment is the same for all rows that lie on one node, so for all of an organization; between nodes it
 * differs by the time that it takes to reach them.
 */
public final class Snapshot implements AutoCloseable {
    private static final int FETCH = 1_000;
    /** The three columns that name blobs; {@code Retention} looks for the same. */
    private static final String BLOBS = """
            select distinct b.organization_id, b.blob collate "C" as blob from (
                select c.organization_id, c.blob from message_content c where c.blob is not null
                union all select p.organization_id, p.blob from message_piece p
                union all select f.organization_id, f.blob from draft_attachment f where f.blob is not null) b
            order by 1, 2""";

    /**
     * Asks each shard: a node of Citus takes its snapshot at the first question, which may come hours later without
     * this one. An organization is on one node.
     */
    private static final String EVERYWHERE = "select o.organization_id from organization o limit 1";

    private final Connection connection;
    private final List<TableLayout> tables;
    private final List<String> migrations;
    /** Whose rows alone they are; null: those of all. */
    private final @Nullable UUID organization;

    private Snapshot(Connection connection, @Nullable UUID organization) {
        this.connection = connection;
        this.organization = organization;
        this.migrations = Migrations.history(connection);
        if (organization == null && !migrations.isEmpty()) {
            reachEveryNode();
        }
        this.tables = TableLayout.of(connection).stream()
                .filter(table -> organization == null || isMoved(table))
                .toList();
    }

    private void reachEveryNode() {
        try (Statement statement = connection.createStatement()) {
            statement.execute(EVERYWHERE);
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /** The marks of an organization say something of the installation that it is in. */
    private static boolean isMoved(TableLayout table) {
        return table.isOfOrganizations() && !table.table().equals("organization_mark");
    }

    /**
     * Takes a snapshot now.
     *
     * @throws DatabaseFailure when the database does not answer
     */
    public static Snapshot of(Database.Location location) {
        return open(location, null);
    }

    /**
     * The same of one organization's rows alone: tables without any are left out.
     *
     * @throws DatabaseFailure when the database does not answer
     */
    public static Snapshot of(Database.Location location, UUID organization) {
        return open(location, organization);
    }

    private static Snapshot open(Database.Location location, @Nullable UUID organization) {
        Connection connection = CopyConnection.open(location);
        try {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setReadOnly(true);
            return new Snapshot(connection, organization);
        } catch (SQLException failure) {
            CopyConnection.close(connection);
            throw DatabaseFailure.of(failure);
        } catch (RuntimeException failure) {
            CopyConnection.close(connection);
            throw failure;
        }
    }

    /** The tables that a copy takes along, in the order of their names. */
    public List<TableLayout> tables() {
        return tables;
    }

    /** The migrations that made them: the name of each script and the checksum of its text, in the order they ran. */
    public List<String> migrations() {
        return migrations;
    }

    /**
     * Which installation this is.
     *
     * @param id of the installation
     * @param keyCheck its id, sealed: a master key that opens it opens the secrets
     * @param store the id of its blob store
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Identity(UUID id, byte[] keyCheck, UUID store) {}

    /** Which installation this is; empty when the service was never started on the database. */
    public Optional<Identity> identity() {
        try (PreparedStatement statement =
                        connection.prepareStatement("select installation_id, key_check, store_id from installation");
                ResultSet rows = statement.executeQuery()) {
            return rows.next()
                    ? Optional.of(new Identity(
                            rows.getObject("installation_id", UUID.class),
                            rows.getBytes("key_check"),
                            rows.getObject("store_id", UUID.class)))
                    : Optional.empty();
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    /**
     * Reads a table from its first to its last row, in the order of the primary key.
     *
     * @param sink gets the chunks one after another; each has some MB, and no more than one is in memory
     * @return the digest of the rows as they are: with their secrets sealed
     */
    public TableDigest read(TableLayout table, Consumer<RowChunk> sink) {
        DigestSum sum = new DigestSum(table.table());
        ChunkCutter cutter = new ChunkCutter(table, organization, sink);
        TableReader.forEachRow(connection, table, KeyRange.of(organization), row -> {
            sum.add(row.bytes());
            cutter.add(row);
        });
        cutter.end();
        return sum.sum();
    }

    /**
     * The digest of a table's rows with their secrets opened, to compare two installations that seal with different
     * keys.
     *
     * @param vault with the keys of both
     */
    public TableDigest digest(TableLayout table, Vault vault) {
        DigestSum sum = new DigestSum(table.table());
        KeyRange range = KeyRange.of(organization);
        TableReader.forEachRow(connection, table, range, row -> sum.add(SealedColumns.opened(table, row, vault)));
        return sum.sum();
    }

    /**
     * Tells which blobs the rows name, each once.
     *
     * @param sink gets the organization of a blob, and its name, in the order of their octets
     */
    public void blobs(BiConsumer<UUID, String> sink) {
        try (PreparedStatement statement = connection.prepareStatement(BLOBS)) {
            statement.setFetchSize(FETCH);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    sink.accept(rows.getObject("organization_id", UUID.class), rows.getString("blob"));
                }
            }
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        }
    }

    @Override
    public void close() {
        CopyConnection.close(connection);
    }
}
