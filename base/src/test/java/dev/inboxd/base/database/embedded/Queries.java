package dev.inboxd.base.database.embedded;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Plain statements on a server. */
final class Queries {
    private Queries() {}

    static Connection connect(EmbeddedPostgres postgres) throws SQLException {
        return connect(postgres.jdbcUrl(), postgres.user(), postgres.password());
    }

    static Connection connect(String url, String user, String password) throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    static void run(EmbeddedPostgres postgres, String... statements) throws SQLException {
        try (Connection connection = connect(postgres)) {
            run(connection, statements);
        }
    }

    static void run(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    static String ask(EmbeddedPostgres postgres, String query) throws SQLException {
        try (Connection connection = connect(postgres)) {
            return ask(connection, query);
        }
    }

    static String ask(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
