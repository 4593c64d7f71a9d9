import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code ./inboxd package}: makes {@code inboxd-VERSION-linux-PROCESSOR.tar.gz} of a checkout that is built, with the
 * Java that runs this. Two runs for one commit give the same bytes: nothing in the archive depends on when, where and
 * by whom it was made.
 */
final class Package {
    /** As in pom.xml, for a checkout without Git. */
    private static final long NO_COMMIT = 1_767_225_600L;

    private final Path root;
    private final Path jar;
    private final Path folder;

    private Package(Path root, Path jar, Path folder) {
        this.root = root;
        this.jar = jar;
        this.folder = folder;
    }

    /** Takes the root of the checkout and the folder for the archive. */
    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]).toAbsolutePath();
        Path target = Path.of(arguments[1]).toAbsolutePath();
        Path jar = jar(root.resolve("target"));
        String version = jar.getFileName().toString().replaceAll("^inboxd-|\\.jar$", "");
        String name = "inboxd-" + version + "-linux-" + processor();
        Path folder = target.resolve(name);
        delete(folder);
        new Package(root, jar, folder).fill();
        Path archive = target.resolve(name + ".tar.gz");
        TarGz.write(folder, archive, seconds(root));
        Files.writeString(archive.resolveSibling(name + ".tar.gz.sha256"), sum(archive) + "  " + name + ".tar.gz\n");
        delete(folder);
        System.out.println(archive + ", " + Files.size(archive) / 1_048_576 + " MB");
    }

    private static Path jar(Path target) throws IOException {
        try (var jars = Files.newDirectoryStream(target, "inboxd-*.jar")) {
            return jars.iterator().next();
        }
    }

    /** The processor of this machine, by the name that the field has for it. */
    private static String processor() {
        return switch (System.getProperty("os.arch")) {
            case "amd64" -> "x86_64";
            case String name -> name;
        };
    }

    /** The time of all files: of the commit, unless SOURCE_DATE_EPOCH says another. */
    private static long seconds(Path root) throws IOException, InterruptedException {
        String given = System.getenv("SOURCE_DATE_EPOCH");
        if (given != null) {
            return Long.parseLong(given);
        }
        try {
            Process git = new ProcessBuilder("git", "log", "-1", "--format=%ct")
                    .directory(root.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = git.inputReader().readAllAsString().strip();
            return git.waitFor() == 0 ? Long.parseLong(said) : NO_COMMIT;
        } catch (IOException noGit) {
            return NO_COMMIT;
        }
    }

    private void fill() throws IOException, InterruptedException {
        Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(folder.resolve("lib/lib"));
        Files.createDirectories(folder.resolve("share"));
        Files.createDirectories(folder.resolve("cache"));
        copy(root.resolve("deploy/launcher"), "bin/inboxd");
        Files.setPosixFilePermissions(folder.resolve("bin/inboxd"), PosixFilePermissions.fromString("rwxr-xr-x"));
        copy(root.resolve("deploy/start.sh"), "lib/start.sh");
        copy(jar, "lib/" + jar.getFileName());
        for (String shared : List.of(
                "inboxd.service",
                "Dockerfile",
                "compose.yaml",
                "Caddyfile",
                "kubernetes.yaml",
                "kubernetes-nodes.yaml")) {
            copy(root.resolve("deploy").resolve(shared), "share/" + shared);
        }
        new Pages(root.resolve("docs"), folder.resolve("share")).copy("operating.md");
        copy(root.resolve("LICENSE"), "LICENSE");
        Sbom sbom = Sbom.read(root.resolve("target/bom.json"));
        sbom.addRuntime();
        sbom.write(folder.resolve("share/inboxd.cdx.json"));
        new Licences(root.resolve("deploy/licences"), root.resolve("LICENSE"), folder.resolve("licences"))
                .collect(libraries(), sbom);
        link();
        Files.writeString(folder.resolve("SHA256SUMS"), sums());
    }

    /** Copies the jars that the program names as its class path, and returns where they are. */
    private List<Path> libraries() throws IOException {
        List<Path> copies = new ArrayList<>();
        try (JarFile program = new JarFile(jar.toFile())) {
            String path = program.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            for (String library : path.split(" ")) {
                copies.add(copy(jar.resolveSibling(library), "lib/" + library));
            }
        }
        return copies;
    }

    private Path copy(Path from, String to) throws IOException {
        return Files.copy(from, folder.resolve(to));
    }

    /** Makes the runtime: a Java of the modules in modules.txt, with the classes that every start needs archived. */
    private void link() throws IOException, InterruptedException {
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said, true);
        Path runtime = folder.resolve("runtime");
        int status = ToolProvider.findFirst("jlink")
                .orElseThrow(() -> new IOException("This Java has no jlink"))
                .run(
                        out,
                        out,
                        "--add-modules",
                        modules(),
                        "--no-header-files",
                        "--no-man-pages",
                        "--output",
                        runtime.toString());
        if (status != 0) {
            throw new IOException("jlink failed: " + said);
        }
        // One archive for the service, one for the processes that read documents, which have other headers of objects.
        Process service = dump(runtime, "-XX:+UseCompactObjectHeaders");
        Process documents = dump(runtime, "-XX:-UseCompactObjectHeaders");
        end(service);
        end(documents);
    }

    private static Process dump(Path runtime, String option) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                runtime.resolve("bin/java").toString(), "-XX:+UseSerialGC", option, "-Xshare:dump", "-Xlog:all=off");
        // The language of the environment would be in the archive.
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.redirectErrorStream(true).start();
    }

    private static void end(Process java) throws IOException, InterruptedException {
        String said = java.inputReader().readAllAsString();
        if (java.waitFor() != 0) {
            throw new IOException("Java's archive of classes cannot be made: " + said);
        }
    }

    private String modules() throws IOException {
        return Files.readAllLines(root.resolve("deploy/modules.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("\\s+")[1])
                .collect(Collectors.joining(","));
    }

    private String sums() throws IOException {
        StringBuilder sums = new StringBuilder();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList()) {
                sums.append(sum(file))
                        .append("  ")
                        .append(folder.relativize(file))
                        .append('\n');
            }
        }
        return sums.toString();
    }

    private static String sum(Path file) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failed) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
