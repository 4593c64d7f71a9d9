package dev.inboxd.mail.link;

import dev.inboxd.mail.url.UrlEncoding;
import dev.inboxd.mail.url.WebAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An absolute address in a part of another one, encoded once or twice (markdown.md §3). */
final class WrittenTarget {
    private static final int SHORTEST = 10;

    private WrittenTarget() {}

    /**
     * The address.
     *
     * @param part a value of a query or a segment of a path, as it stands there
     * @return null when it holds none
     */
    static @Nullable String in(String part) {
        if (part.length() < SHORTEST) {
            return null;
        }
        String once = UrlEncoding.decoded(part);
        String target = asIs(once);
        if (target == null) {
            target = asIs(part);
        }
        if (target == null) {
            target = inCode(once);
        }
        if (target != null) {
            return target;
        }
        String twice = UrlEncoding.decoded(once);
        return twice.equals(once) ? null : asIs(twice);
    }

    /** What is no percent-encoding: the one of Proofpoint, or base64url, whose text may be encoded once more. */
    private static @Nullable String inCode(String once) {
        String defended = UrlDefense.decoded(once);
        if (defended != null) {
            return asIs(defended);
        }
        String plain = once.length() < SHORTEST || !beginsAsCode(once) ? null : base64(once);
        if (plain == null) {
            return null;
        }
        String target = asIs(plain);
        if (target == null) {
            target = asIs(UrlEncoding.decoded(plain));
        }
        if (target == null) {
            String inner = base64(plain);
            target = inner == null ? null : asIs(inner);
        }
        return target;
    }

    /** Whether it may be base64 of what begins as an address, or of such base64. */
    private static boolean beginsAsCode(String code) {
        String start = base64(code.substring(0, 4));
        String twice = start == null ? "" : start.toLowerCase(Locale.ROOT);
        return twice.equals("htt") || twice.equals("ahr") || twice.equals("shr") || twice.equals("sfr");
    }

    /** A text that is such an address: with a host of two labels, and without control characters. */
    static @Nullable String asIs(String text) {
        boolean begins = text.regionMatches(true, 0, "http://", 0, 7) || text.regionMatches(true, 0, "https://", 0, 8);
        if (!begins || text.chars().anyMatch(c -> c < ' ' || c == 0x7F || c == 0xFFFD)) {
            return null;
        }
        WebAddress address = WebAddress.parse(text);
        int dot = address == null ? -1 : address.host().indexOf('.');
        return dot > 0 && address != null && dot < address.host().length() - 1 ? text : null;
    }

    /** The text of base64 in either alphabet (RFC 4648 §4, §5), padded or not; null when it is no text. */
    static @Nullable String base64(String code) {
        StringBuilder plain = new StringBuilder(code.length());
        for (int i = 0; i < code.length() && code.charAt(i) != '='; i++) {
            char c = code.charAt(i);
            plain.append(c == '-' ? '+' : c == '_' ? '/' : c);
        }
        try {
            byte[] octets = Base64.getDecoder().decode(plain.toString());
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(octets))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException none) {
            return null;
        }
    }
}
