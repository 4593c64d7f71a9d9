package dev.inboxd.base.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

    @Test
    void aServerThatIsAwayIsAProblemForNowAndDeletingIsLeftToTheSweep() {
        BlobKey key = BlobKey.random(new UUID(1, 2));
        try (Blobs away = Blobs.at("s3://key:secret@bucket?endpoint=http://127.0.0.1:1")) {
            assertThatThrownBy(() -> away.put(key, new ByteArrayInputStream(new byte[1]), 1))
                    .isInstanceOfSatisfying(
                            Problem.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
            assertThatThrownBy(() -> away.open(key))
                    .isInstanceOfSatisfying(
                            Problem.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
            away.delete(key);
        }
    }

    @AfterEach
    void close() {
        blobs.close();
    }
}
