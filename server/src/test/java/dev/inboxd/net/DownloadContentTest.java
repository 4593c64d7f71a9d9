package dev.inboxd.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A downloaded file is what it was before its server compressed it, or it is no file. */
final class DownloadContentTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final byte[] FILE =
            "the file itself, \u65e5\u672c ".repeat(500).getBytes(UTF_8);
    private static final int LIMIT = 100_000;

    private final FakeEndpoint endpoint = FakeEndpoint.start();
    private final SafeHttp http =
            new SafeHttp(TargetRules.DEVELOPMENT, new Dns(java.util.List.of(), Duration.ofSeconds(5)), "inboxd/test");

    @AfterEach
    void stop() throws IOException {
        http.close();
        endpoint.close();
    }

    @Test
    void theThreeCodingsAreUndoneHoweverTheyAreWritten() {
        byte[] gzip = gzip(FILE);
        assertThat(fetched("gzip", gzip)).isEqualTo(FILE);
        assertThat(fetched("X-Gzip", gzip)).isEqualTo(FILE);
        assertThat(fetched("identity, GZIP", gzip)).isEqualTo(FILE);
        assertThat(fetched("deflate", deflate(FILE, false))).isEqualTo(FILE);
        assertThat(fetched("deflate", deflate(FILE, true))).isEqualTo(FILE);
        assertThat(fetched("deflate, gzip", gzip(deflate(FILE, false)))).isEqualTo(FILE);
        assertThat(fetched("identity", FILE)).isEqualTo(FILE);
        assertThat(fetched("", FILE)).isEqualTo(FILE);
        assertThat(fetched("gzip", new byte[0])).isEmpty();
        assertThat(endpoint.take().fields()).containsEntry("accept-encoding", "identity");
    }

    @Test
    void aFileOfSeveralGzipMembersIsWhole() {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        members.writeBytes(gzip(Arrays.copyOf(FILE, 100)));
        members.writeBytes(gzip(Arrays.copyOfRange(FILE, 100, FILE.length)));
        assertThat(fetched("gzip", members.toByteArray())).isEqualTo(FILE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "zstd", "compress", "gzip, br", "gzip, gzip, gzip", "x"})
    void anyOtherCodingIsRefused(String coding) {
        assertThat(outcome(coding, gzip(FILE), OutputStream.nullOutputStream()))
                .isInstanceOfSatisfying(
                        HttpOutcome.NoResponse.class,
                        failed -> assertThat(failed.kind()).isEqualTo(HttpOutcome.Failure.BAD_RESPONSE));
    }

    @Test
    void contentThatIsNotAsItsCodingSaysIsNoFile() {
        byte[] gzip = gzip(FILE);
        byte[] flipped = gzip.clone();
        flipped[gzip.length - 6] ^= 1;
        for (byte[] broken : new byte[][] {FILE, Arrays.copyOf(gzip, gzip.length / 2), flipped, {31}}) {
            assertThat(outcome("gzip", broken, OutputStream.nullOutputStream()))
                    .isInstanceOf(HttpOutcome.NoResponse.class);
        }
        assertThat(outcome("deflate", Arrays.copyOf(deflate(FILE, true), 20), OutputStream.nullOutputStream()))
                .isInstanceOf(HttpOutcome.NoResponse.class);
    }

    @Test
    void aConnectionThatEndsBeforeTheFileIsTriedOnceMore() {
        byte[] file = gzip(FILE);
        endpoint.then(FakeEndpoint.reset(""));
        assertThat(fetched("gzip", file)).isEqualTo(FILE);
        endpoint.then(FakeEndpoint.hangUp(), FakeEndpoint.hangUp());
        assertThat(outcome("gzip", file, OutputStream.nullOutputStream()))
                .isInstanceOfSatisfying(
                        HttpOutcome.NoResponse.class,
                        failed -> assertThat(failed.kind()).isEqualTo(HttpOutcome.Failure.RESET));
        assertThat(fetched("gzip", file)).isEqualTo(FILE);
    }

    @Test
    void whatALittleBecomesIsLimitedToo() {
        byte[] bomb = gzip(gzip(new byte[20 << 20]));
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        assertThat(outcome("gzip, gzip", bomb, content))
                .isInstanceOfSatisfying(
                        HttpOutcome.Response.class,
                        cut -> assertThat(cut.truncated()).isTrue());
        assertThat(content.size()).isEqualTo(LIMIT);
    }

    private byte[] fetched(String coding, byte[] octets) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        assertThat(outcome(coding, octets, content)).isInstanceOf(HttpOutcome.Response.class);
        return content.toByteArray();
    }

    private HttpOutcome outcome(String coding, byte[] octets, OutputStream content) {
        endpoint.always(FakeEndpoint.raw("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: " + coding
                + "\r\nContent-Length: " + octets.length + "\r\n\r\n" + new String(octets, ISO_8859_1)));
        if (!(http.check(endpoint.url("/")) instanceof TargetCheck.Valid(Target target))) {
            throw new AssertionError();
        }
        try {
            return http.fetch(new FetchRequest(target, LONG, LIMIT), content);
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
    }

    private static byte[] gzip(byte[] octets) {
        return compressed(octets, out -> {
            try {
                return new GZIPOutputStream(out);
            } catch (IOException inMemory) {
                throw new UncheckedIOException(inMemory);
            }
        });
    }

    private static byte[] deflate(byte[] octets, boolean raw) {
        return compressed(octets, out -> new DeflaterOutputStream(out, new Deflater(9, raw)));
    }

    private static byte[] compressed(byte[] octets, UnaryOperator<OutputStream> coding) {
        ByteArrayOutputStream coded = new ByteArrayOutputStream();
        try (OutputStream out = coding.apply(coded)) {
            out.write(octets);
        } catch (IOException inMemory) {
            throw new UncheckedIOException(inMemory);
        }
        return coded.toByteArray();
    }
}
