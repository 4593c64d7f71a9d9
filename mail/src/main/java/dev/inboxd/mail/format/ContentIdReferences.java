package dev.inboxd.mail.format;

import dev.inboxd.mail.io.Hex;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/** Collects, in one pass, the content ids in {@code cid:} URLs of an HTML body (RFC 2392 §2). */
public final class ContentIdReferences {
    private static final int MAX_LENGTH = 998;
    private static final int MAX_REFERENCES = 10_000;

    private ContentIdReferences() {}

    /** The ids, without the brackets of the field. */
    public static Set<String> in(String html) {
        var ids = new HashSet<String>();
        int end = 0;
        int references = 0;
        for (int colon = html.indexOf(':'); colon >= 0 && references < MAX_REFERENCES; colon = html.indexOf(':', end)) {
            end = colon + 1;
            // RFC 3986 §3.1: a scheme has no case.
            if (!html.regionMatches(true, colon - 3, "cid", 0, 3)) {
                continue;
            }
            references++;
            int max = Math.min(html.length(), end + MAX_LENGTH);
            while (end < max && html.charAt(end) > ' ' && "\"'<>)".indexOf(html.charAt(end)) < 0) {
                end++;
            }
            var id = html.substring(colon + 1, end);
            ids.add(id.indexOf('%') < 0 ? id : unescaped(id));
        }
        return ids;
    }

    private static String unescaped(String id) {
        var bytes = id.getBytes(StandardCharsets.UTF_8);
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            int octet = bytes[i] == '%' && i + 2 < bytes.length ? Hex.octet(bytes[i + 1], bytes[i + 2]) : -1;
            bytes[length++] = octet < 0 ? bytes[i] : (byte) octet;
            i += octet < 0 ? 0 : 2;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
