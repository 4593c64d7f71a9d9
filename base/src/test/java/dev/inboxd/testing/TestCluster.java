package dev.inboxd.testing;

import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Databases of tests on a Citus cluster: each is made on every node. */
final class TestCluster {
    private static final int TRIES = 20;

    private TestCluster() {}

    /** Connects to a database of a node. */
    interface Connector {
        Connection connect(String node, String database) throws SQLException;
    }

    /**
     * Makes a database on every node, with the extension and its nodes, and drops it when this Java ends.
     *
     * @param nodes URLs up to the name of a database, the coordinator first
     * @param home a database that is there
     * @param like empty, or what names the database that is copied
     */
    static void make(List<String> nodes, Connector connector, String home, String name, String like)
            throws SQLException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> drop(nodes, connector, home, name)));
        for (String node : nodes) {
            copy(connector, node, home, name, like);
            if (like.isEmpty()) {
                run(connector, node, name, "create extension citus");
            }
        }
        if (like.isEmpty()) {
            for (int i = 0; i < nodes.size(); i++) {
                URI node = URI.create(nodes.get(i).replaceFirst("^jdbc:", ""));
                String function = i == 0 ? "citus_set_coordinator_host" : "citus_add_node";
                run(
                        connector,
                        nodes.getFirst(),
                        name,
                        "select %s('%s', %d)".formatted(function, node.getHost(), node.getPort()));
            }
        }
    }

    /** The daemon of the extension may still be connected to the database that is copied. */
    private static void copy(Connector connector, String node, String home, String name, String like)
            throws SQLException {
        String original = like.replaceFirst("^ template ", "");
        for (int tries = 1; true; tries++) {
            try {
                run(
                        connector,
                        node,
                        home,
                        "select pg_terminate_backend(a.pid) from pg_stat_activity a where a.datname = '" + original
                                + "'",
                        "set citus.enable_create_database_propagation = off",
                        "create database " + name + like);
                return;
            } catch (SQLException inUse) {
                if (tries == TRIES || !"55006".equals(inUse.getSQLState())) {
                    throw inUse;
                }
            }
        }
    }

    private static void run(Connector connector, String node, String database, String... statements)
            throws SQLException {
        try (Connection connection = connector.connect(node, database);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Drops a database on every node, if it is there; connections to it are closed. */
    static void drop(List<String> nodes, Connector connector, String home, String name) {
        nodes.forEach(node -> drop(connector, node, home, name));
    }

    private static void drop(Connector connector, String node, String home, String name) {
        try {
            run(connector, node, home, "drop database if exists " + name + " with (force)");
        } catch (SQLException left) {
            System.err.println("the database " + name + " is left: " + left.getMessage());
        }
    }
}
