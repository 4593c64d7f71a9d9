package dev.inboxd.base.database.embedded;

import dev.inboxd.base.io.FileFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The PostgreSQL cluster in the data folder. {@code initdb} creates it once, whole or not at all.
 *
 * @param layout paths in the data folder
 * @param programs PostgreSQL's programs
 * @param account the user they run as
 */
record Cluster(Layout layout, PostgresPrograms programs, ServerUser account) {
    /**
     * The database of the service and the role that owns it. The role is no superuser: an SQL injection stays inside
     * this database.
     */
    static final String NAME = "inboxd";

    private static final String SUPERUSER = "postgres";
    private static final int PASSWORD_BYTES = 24;
    private static final int WITH_IO_WORKERS = 18;

    /**
     * Creates the cluster when there is none, refuses one of another major version, and writes the settings of this
     * start.
     */
    static Cluster open(Layout layout, PostgresPrograms programs, ServerUser account) {
        Cluster cluster = new Cluster(layout, programs, account);
        try {
            account.enter(layout.data());
            account.enter(programs.folder());
            if (Files.exists(layout.cluster())) {
                cluster.check();
            } else {
                if (layout.suffix().isEmpty()) {
                    cluster.refuseOtherVersions();
                }
                cluster.create();
            }
            Files.writeString(layout.cluster().resolve("postgresql.conf"), cluster.settings());
            return cluster;
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "The database folder " + layout.cluster() + " cannot be used: " + FileFailure.words(e), e);
        }
    }

    String password() {
        try {
            return Files.readString(layout.password()).strip();
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "The database's password cannot be read from " + layout.password()
                            + ". Restore that file from the backup of the data folder.",
                    e);
        }
    }

    /**
     * The command line of a server on this cluster. Settings that must never be switched off are given here, where no
     * file overrides them.
     */
    List<String> serverCommand(ServerTie tie, int port) {
        List<String> command = new ArrayList<>(List.of(programs.postgres().toString()));
        command.addAll(List.of("-D", layout.cluster().toString(), "-p", Integer.toString(port)));
        for (String setting : List.of(
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "fsync=on",
                "full_page_writes=on",
                "synchronous_commit=on")) {
            command.addAll(List.of("-c", setting));
        }
        return tie.command(account.prefix(), command);
    }

    private void check() throws IOException {
        String version =
                Files.readString(layout.cluster().resolve("PG_VERSION")).strip();
        if (!version.equals(Integer.toString(layout.version()))) {
            throw otherVersion(layout.cluster(), version);
        }
        account.own(layout.cluster());
    }

    private void refuseOtherVersions() throws IOException {
        try (var siblings = Files.newDirectoryStream(layout.data(), "postgres-[0-9]*")) {
            for (Path sibling : siblings) {
                Path version = sibling.resolve("PG_VERSION");
                // What a killed first start left is no cluster yet, and is deleted.
                if (!sibling.equals(layout.unfinishedCluster()) && Files.exists(version)) {
                    throw otherVersion(sibling, Files.readString(version).strip());
                }
            }
        }
    }

    private static EmbeddedPostgresException otherVersion(Path folder, String version) {
        return new EmbeddedPostgresException(
                folder + " was written by PostgreSQL " + version + ", and this inboxd brings"
                        + " PostgreSQL " + Layout.MAJOR_VERSION
                        + ", which cannot read it. inboxd serve upgrades a folder of an"
                        + " earlier version, whose programs are kept beside it; else use the inboxd that wrote it.");
    }

    private void create() throws IOException {
        Path unfinished = layout.unfinishedCluster();
        // The initdb of a killed start may still write there.
        new OrphanProcesses(unfinished).kill();
        DurableFolders.delete(unfinished);
        if (!Files.exists(layout.password())) {
            byte[] random = new byte[PASSWORD_BYTES];
            new SecureRandom().nextBytes(random);
            DurableFolders.writePrivate(layout.password(), HexFormat.of().formatHex(random) + "\n");
        }
        account.own(layout.password());
        DurableFolders.createPrivate(unfinished);
        account.own(unfinished);
        // The built-in collation is the same on every machine. LC_CTYPE is not C: the full-text parser asks it which
        // characters are letters, and under C takes every character beyond ASCII for one, so that "café—crème" would
        // be one word.
        List<String> initdb = new ArrayList<>(List.of(
                programs.initdb().toString(),
                "--pgdata=" + unfinished,
                "--username=" + SUPERUSER,
                "--auth=scram-sha-256",
                "--pwfile=" + layout.password(),
                "--encoding=UTF8",
                "--data-checksums",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--no-instructions"));
        initdb.addAll(Platform.current().localeOptions());
        run(initdb, "");
        run(List.of(programs.postgres().toString(), "--single", "-D", unfinished.toString(), SUPERUSER), roles());
        DurableFolders.rename(unfinished, layout.cluster());
    }

    private void run(List<String> program, String input) throws IOException {
        ProcessRunner.run(account.command(program), input);
    }

    /** One statement per line, as the single-user mode requires. The password is hexadecimal. */
    private String roles() {
        return """
                create role %1$s login createdb password '%2$s'
                grant pg_monitor to %1$s
                create database %1$s owner %1$s
                """.formatted(NAME, password());
    }

    private String settings() throws IOException {
        try (InputStream in = Objects.requireNonNull(Cluster.class.getResourceAsStream("postgresql.conf"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> layout.version() >= WITH_IO_WORKERS || !line.startsWith("io_"))
                    .collect(Collectors.joining("\n", "", "\n"));
        }
    }
}
