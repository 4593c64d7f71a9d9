package dev.inboxd.base.database.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The user that PostgreSQL's programs run as. They refuse to run as root, so root has two ways: a user namespace, in
 * which the process is nobody while the files stay root's; and, where the kernel or a container forbids namespaces, an
 * existing user, which then owns the files.
 *
 * @param prefix beginning of a command that runs as this user
 * @param name the user in words, for messages
 * @param uid owner of the files
 * @param gid group of the files
 */
record ServerUser(List<String> prefix, String name, int uid, int gid) {
    private static final int ROOT = 0;

    ServerUser {
        prefix = List.copyOf(prefix);
    }

    /** The best user for the user of this process. */
    static ServerUser current() {
        int uid = own("unix:uid");
        if (uid != ROOT) {
            return new ServerUser(List.of(), "user " + uid, uid, own("unix:gid"));
        }
        if (Platform.current().isMacos()) {
            throw new EmbeddedPostgresException(
                    "PostgreSQL does not run as root. Start inboxd as a normal user, or set INBOXD_DATABASE_URL.");
        }
        ServerUser namespace = new ServerUser(List.of("unshare", "--user"), "root in a user namespace", ROOT, ROOT);
        return namespace.works() ? namespace : service();
    }

    /** The user {@code postgres} or else {@code nobody}, to which root changes. */
    static ServerUser service() {
        return Stream.of("postgres", "nobody")
                .flatMap(ServerUser::lookUp)
                .filter(ServerUser::works)
                .findFirst()
                .orElseThrow(() -> new EmbeddedPostgresException(
                        "PostgreSQL does not run as root, and neither a user namespace nor the account postgres or"
                                + " nobody can be used here. Start inboxd as a normal user, or set"
                                + " INBOXD_DATABASE_URL."));
    }

    /** The command line that runs a program as this user. */
    List<String> command(List<String> program) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(program);
        return command;
    }

    /**
     * Changes the owner of a file, or of a folder with its content, to this user; does nothing when it is the owner
     * already.
     */
    void own(Path tree) throws IOException {
        if (!Files.exists(tree) || ownerOf(tree) == uid) {
            return;
        }
        if (own("unix:uid") != ROOT) {
            throw new EmbeddedPostgresException(tree + " belongs to another account (uid " + ownerOf(tree)
                    + "). Start inboxd under that account, or give the folder to this one with chown.");
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            // The top folder last: an interrupted walk is then repeated.
            for (Path path : paths.toList().reversed()) {
                Files.setAttribute(path, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
                Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
            }
        }
    }

    /** Lets another user enter the folder, without letting it list the folder. */
    void enter(Path folder) throws IOException {
        if (uid == own("unix:uid")) {
            return;
        }
        var permissions = Files.getPosixFilePermissions(folder);
        if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
            Files.setPosixFilePermissions(folder, permissions);
        }
        for (Path parent = folder.getParent(); parent != null; parent = parent.getParent()) {
            if (!Files.getPosixFilePermissions(parent).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                throw new EmbeddedPostgresException("PostgreSQL runs here as " + name + ", which cannot enter "
                        + parent + ". Choose a data folder anyone may reach, such as /var/lib/inboxd"
                        + " (INBOXD_DATA_DIR).");
            }
        }
    }

    private boolean works() {
        return ProcessRunner.succeeds(command(List.of("true")));
    }

    private static Stream<ServerUser> lookUp(String account) {
        try {
            return Files.readAllLines(Path.of("/etc/passwd")).stream()
                    .map(line -> line.split(":", -1))
                    .filter(fields -> fields.length == 7 && fields[0].equals(account))
                    .map(fields -> changingTo(account, Integer.parseInt(fields[2]), Integer.parseInt(fields[3])));
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    private static ServerUser changingTo(String account, int uid, int gid) {
        List<String> prefix = List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--clear-groups");
        return new ServerUser(prefix, "account " + account, uid, gid);
    }

    /** The user or group of this process, where there is no {@code /proc} by a file that it makes. */
    private static int own(String attribute) {
        Path process = Path.of("/proc/self");
        try {
            if (Files.exists(process)) {
                return attribute(process, attribute);
            }
            Path file = Files.createTempFile("inboxd", null);
            try {
                return attribute(file, attribute);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new EmbeddedPostgresException("No file can be made in the folder for temporary files: " + e, e);
        }
    }

    private static int ownerOf(Path path) {
        return attribute(path, "unix:uid");
    }

    private static int attribute(Path path, String attribute) {
        try {
            return (Integer) Files.getAttribute(path, attribute);
        } catch (IOException e) {
            throw new EmbeddedPostgresException("The owner of " + path + " cannot be read: " + e.getMessage(), e);
        }
    }
}
