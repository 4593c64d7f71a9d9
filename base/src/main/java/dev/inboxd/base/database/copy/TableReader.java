package dev.inboxd.base.database.copy;

import dev.inboxd.base.database.DatabaseFailure;
import dev.inboxd.base.database.copy.RowReader.CopyRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyInputStream;

/** Reads the rows of a range as they come from the database; one is in memory at a time. */
final class TableReader {
    private TableReader() {}

    static void forEachRow(Connection connection, TableLayout table, KeyRange range, Consumer<CopyRow> sink) {
        try (PGCopyInputStream in =
                new PGCopyInputStream(connection.unwrap(PGConnection.class), table.reading(range))) {
            RowReader rows = new RowReader(in, table.columns().size());
            rows.skipHead();
            for (CopyRow row = rows.next(); row != null; row = rows.next()) {
                sink.accept(row);
            }
            if (in.read() >= 0) { // to the end, or the connection is left in the middle of the copy
                throw new CopyException("The database sent more than rows.");
            }
        } catch (SQLException failure) {
            throw DatabaseFailure.of(failure);
        } catch (IOException failure) {
            if (failure.getCause() instanceof SQLException cause) {
                throw DatabaseFailure.of(cause);
            }
            throw new UncheckedIOException(failure);
        }
    }
}
