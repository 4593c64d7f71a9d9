package dev.inboxd.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Who we are at another server.
 *
 * @param user the name
 * @param password the password
 */
public record Credentials(String user, Secret password) {
    /** Reads the user part of a URL, {@code user:password} with percent escapes (RFC 3986 §3.2.1). */
    static Credentials parse(String userInfo) {
        int colon = userInfo.indexOf(':');
        return colon < 0
                ? new Credentials(decode(userInfo), new Secret(""))
                : new Credentials(
                        decode(userInfo.substring(0, colon)), new Secret(decode(userInfo.substring(colon + 1))));
    }

    /** Percent escapes only: a plus sign is itself in a URL outside of forms. */
    static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
