package dev.inboxd.blob;

import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The contract against a real S3 server. */
final class S3BlobsTest implements BlobsContract {
    private static S3Server server;
    private Blobs blobs;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        server = S3Server.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Override
    public Blobs blobs() {
        return blobs;
    }

    @BeforeEach
    void open() {
        blobs = Blobs.at(server.url(UUID.randomUUID().toString()));
    }

    @AfterEach
    void close() {
        blobs.close();
    }
}
