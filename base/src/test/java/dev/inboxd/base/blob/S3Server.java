package dev.inboxd.base.blob;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

/** An S3 server with one bucket, in a Java of its own, whose libraries never meet ours. */
public final class S3Server implements AutoCloseable {
    private static final Path PROGRAM = Path.of("target", "tools", "s3proxy.jar");
    private static final String ADDRESS = "127.0.0.1:";

    private final Process process;
    private final Path settings;
    private final int port;

    private S3Server(Process process, Path settings) throws IOException {
        this.process = process;
        this.settings = settings;
        BufferedReader output = process.inputReader();
        this.port = port(output);
        Thread.ofVirtual().start(() -> output.lines().forEach(_ -> {})); // a full pipe would stop it
    }

    /** Starts one on a free port, whose content is gone with it; it is ready on return. */
    public static S3Server start() throws IOException, InterruptedException {
        return start("transient-nio2", Path.of("unused"), 0);
    }

    /**
     * Starts one whose content is in a folder and outlives it; it is ready on return.
     *
     * @param port 0 for any free one
     */
    public static S3Server start(Path folder, int port) throws IOException, InterruptedException {
        return start("filesystem-nio2", folder, port);
    }

    private static S3Server start(String provider, Path folder, int port) throws IOException, InterruptedException {
        if (!Files.exists(PROGRAM)) {
            throw new IllegalStateException(PROGRAM + " is missing; mvn generate-test-resources brings it");
        }
        Path settings = Files.createTempFile("s3proxy", ".properties");
        Files.writeString(settings, """
                s3proxy.endpoint=http://127.0.0.1:%d
                s3proxy.authorization=none
                jclouds.provider=%s
                jclouds.filesystem.basedir=%s
                jclouds.identity=local
                jclouds.credential=local
                """.formatted(port, provider, folder));
        S3Server server = new S3Server(
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Xmx128m",
                                "-XX:+UseSerialGC",
                                "-jar",
                                PROGRAM.toString(),
                                "--properties",
                                settings.toString())
                        .redirectErrorStream(true)
                        .start(),
                settings);
        HttpRequest bucket = HttpRequest.newBuilder(URI.create("http://" + ADDRESS + server.port + "/mail"))
                .PUT(BodyPublishers.noBody())
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            client.send(bucket, BodyHandlers.discarding());
        }
        return server;
    }

    /** A place of its own in the bucket, as the setting INBOXD_BLOB_URL names it. */
    public String url(String prefix) {
        return "s3://key:secret@mail/" + prefix + "?endpoint=http://" + ADDRESS + port;
    }

    /** Where its bucket is, without a key: as the setting wants it. */
    public String setting() {
        return "s3://mail/prefix?endpoint=http://" + ADDRESS + port;
    }

    public int port() {
        return port;
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.delete(settings);
    }

    /** Its log names the free port that it found. */
    private static int port(BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            int at = line.indexOf(ADDRESS);
            if (line.contains("Started") && at >= 0) {
                String rest = line.substring(at + ADDRESS.length());
                return Integer.parseInt(rest.substring(0, rest.indexOf('}')));
            }
        }
        throw new IllegalStateException("The S3 server did not start");
    }
}
