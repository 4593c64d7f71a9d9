package dev.inboxd.config;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/**
 * Our credentials at another server.
 *
 * @param user the user name
 * @param password the password
 */
public record Credentials(String user, Secret password) {
    /** Parses the user part of a URL, {@code user:password} with percent escapes (RFC 3986 §3.2.1). */
    static Credentials parse(String userInfo) {
        int colon = userInfo.indexOf(':');
        return colon < 0
                ? new Credentials(decode(userInfo), new Secret(""))
                : new Credentials(
                        decode(userInfo.substring(0, colon)), new Secret(decode(userInfo.substring(colon + 1))));
    }

    /** Decodes percent escapes only: in this part of a URL a plus sign is literal. */
    static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
