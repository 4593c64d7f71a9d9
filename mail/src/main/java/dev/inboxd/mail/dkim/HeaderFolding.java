package dev.inboxd.mail.dkim;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Folds the long tags of a signature (RFC 5322 §2.1.1). */
public final class HeaderFolding {
    private static final int LINE = 76;

    private HeaderFolding() {}

    /** The h= tag, on as many lines of its own as it needs. */
    public static String names(List<String> names) {
        var out = new StringBuilder();
        var line = new StringBuilder(" h=" + names.getFirst());
        for (var name : names.subList(1, names.size())) {
            line.append(':');
            if (line.length() + name.length() + 1 > LINE) {
                out.append(line).append("\r\n");
                line = new StringBuilder(" ");
            }
            line.append(name);
        }
        return out.append(line).toString();
    }

    /** The value of b=. */
    public static String base64(byte[] signature) {
        var encoder = Base64.getMimeEncoder(LINE - 4, "\r\n ".getBytes(StandardCharsets.US_ASCII));
        return new String(encoder.encode(signature), StandardCharsets.US_ASCII);
    }
}
