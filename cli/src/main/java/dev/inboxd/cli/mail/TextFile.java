package dev.inboxd.cli.mail;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What a file says, when it is text: in UTF-8, or as its byte order mark tells (RFC 3629 §6, RFC 2781 §3.2). */
final class TextFile {
    private TextFile() {}

    /** The text in UTF-8, without a byte order mark. */
    static byte[] plain(byte[] content) {
        if (startsWith(content, 0xEF, 0xBB, 0xBF)) {
            return Arrays.copyOfRange(content, 3, content.length);
        }
        if (startsWith(content, 0xFF, 0xFE)) {
            return decoded(content, StandardCharsets.UTF_16LE);
        }
        return startsWith(content, 0xFE, 0xFF) ? decoded(content, StandardCharsets.UTF_16BE) : content;
    }

    private static byte[] decoded(byte[] content, Charset charset) {
        return new String(content, 2, content.length - 2, charset).getBytes(StandardCharsets.UTF_8);
    }

    private static boolean startsWith(byte[] content, int... octets) {
        for (int i = 0; i < octets.length; i++) {
            if (content.length <= i || (content[i] & 0xFF) != octets[i]) {
                return false;
            }
        }
        return true;
    }
}
