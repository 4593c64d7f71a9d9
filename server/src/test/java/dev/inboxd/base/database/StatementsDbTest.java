package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.TestPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every statement of the program is understood by the server that the tests run on: 18 as it is bundled, and 15. */
class StatementsDbTest {
    @Test
    void everyStatementIsPrepared() throws IOException, SQLException {
        List<String> refused = new ArrayList<>();
        Database.Location location = TestPostgres.migrated();
        try (Connection connection =
                DriverManager.getConnection(location.url(), location.user(), location.password())) {
            for (String sql : StatementTexts.listed()) {
                describe(connection, sql, refused);
            }
        }
        assertThat(refused).isEmpty();
    }

    @Test
    void aStatementThatIsNotUnderstoodIsFound() throws SQLException {
        List<String> refused = new ArrayList<>();
        Database.Location location = TestPostgres.migrated();
        try (Connection connection =
                DriverManager.getConnection(location.url(), location.user(), location.password())) {
            describe(connection, "select no_such_column from inbox where inbox_id = ?", refused);
        }
        assertThat(refused).hasSize(1);
    }

    /** Asks for the types of the parameters: the server reads and plans the statement, and runs nothing. */
    private static void describe(Connection connection, String sql, List<String> refused) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(sql)) {
            assertThat(prepared.getParameterMetaData()).isNotNull();
        } catch (SQLException refusal) {
            refused.add(refusal.getMessage() + ": " + sql);
        }
    }
}
