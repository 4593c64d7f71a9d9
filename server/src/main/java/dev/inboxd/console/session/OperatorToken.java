package dev.inboxd.console.session;

import dev.inboxd.base.id.Digests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What opens the open console to the person who started the server: other users and programs of the machine reach it,
 * too.
 *
 * @param value kept in the data folder, so that it stays over restarts
 * @param file where it is kept
 */
public record OperatorToken(String value, Path file) {
    private static final int SHOWN_DIGEST = 8;

    /** Whether somebody has it; takes the same time whatever is wrong. */
    boolean is(@Nullable String candidate) {
        return candidate != null && MessageDigest.isEqual(octets(value), octets(candidate));
    }

    /** The name of the cookie that keeps it: browsers send a host's cookies to all of its ports, and so to others. */
    String cookie() {
        return "inboxd-operator-"
                + HexFormat.of().formatHex(Digests.sha256(value)).substring(0, SHOWN_DIGEST);
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Without the value. */
    @Override
    public String toString() {
        return "OperatorToken[file=" + file + "]";
    }
}
