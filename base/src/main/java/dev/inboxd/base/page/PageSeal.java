package dev.inboxd.base.page;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Hmac;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates and opens page tokens: a cursor and its expiry, with an HMAC-SHA-256 (RFC 2104) over both and over the list
 * request they belong to. A token of another request, another key, another day or with another byte does not open.
 * Thread-safe.
 */
public final class PageSeal {
    private static final Duration VALID = Duration.ofHours(24);
    // RFC 2104 §5: half the output is enough.
    private static final int TAG = 16;
    private static final int LONGEST = 4096;

    private final List<Hmac> keys;
    private final InstantSource clock;

    /** @param keys each at least 32 bytes, the same on all nodes: the first makes tokens, each of them opens them */
    public PageSeal(List<byte[]> keys, InstantSource clock) {
        if (keys.isEmpty() || keys.stream().anyMatch(key -> key.length < 32)) {
            throw new IllegalArgumentException("a key must have 32 bytes or more");
        }
        this.keys = Hmac.of(keys);
        this.clock = clock;
    }

    /**
     * The token for the page behind a cursor.
     *
     * @param walk everything the token is bound to: route, organization, path, filters, direction
     */
    public String seal(List<String> walk, Cursor cursor) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(bytes)) {
            data.writeLong(clock.instant().plus(VALID).getEpochSecond());
            for (String key : cursor.keys()) {
                write(data, key);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        byte[] content = bytes.toByteArray();
        byte[] token = Arrays.copyOf(keys.getFirst().tag(signed(walk, content), TAG), TAG + content.length);
        System.arraycopy(content, 0, token, TAG, content.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /**
     * The cursor in a token.
     *
     * @param walk as at the sealing
     * @throws Problem {@code validation_error} with the path {@code page_token}, whatever the reason
     */
    public Cursor open(List<String> walk, String token) {
        Cursor cursor = tryOpen(walk, token);
        if (cursor == null) {
            throw Problem.invalid("page_token", "page_token is not valid here or has expired; begin without it");
        }
        return cursor;
    }

    private @Nullable Cursor tryOpen(List<String> walk, String token) {
        byte[] bytes = token.length() > LONGEST ? null : decode(token);
        if (bytes == null || bytes.length < TAG) {
            return null;
        }
        byte[] content = Arrays.copyOfRange(bytes, TAG, bytes.length);
        byte[] tag = Arrays.copyOf(bytes, TAG);
        byte[] signed = signed(walk, content);
        if (keys.stream().noneMatch(key -> key.verifies(signed, tag))) {
            return null;
        }
        // The bytes behind this line are authentic.
        try (DataInputStream data = new DataInputStream(new ByteArrayInputStream(content))) {
            if (clock.instant().getEpochSecond() >= data.readLong()) {
                return null;
            }
            List<String> keys = new ArrayList<>();
            while (data.available() > 0) {
                keys.add(new String(data.readNBytes(data.readInt()), StandardCharsets.UTF_8));
            }
            return new Cursor(keys);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Accepts one spelling per token: the decoder alone would ignore the unused bits of the last character. */
    private static byte @Nullable [] decode(String token) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(token);
            String canonical = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
            return canonical.equals(token) ? bytes : null;
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }

    private static byte[] signed(List<String> walk, byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(bytes)) {
            data.writeInt(walk.size());
            for (String step : walk) {
                write(data, step);
            }
            data.write(content);
            return bytes.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Writes the length first, so that no two lists of texts give the same bytes. */
    private static void write(DataOutputStream data, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        data.writeInt(bytes.length);
        data.write(bytes);
    }
}
