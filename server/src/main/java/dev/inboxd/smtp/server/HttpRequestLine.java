package dev.inboxd.smtp.server;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Recognizes HTTP where SMTP is spoken. A web page can make its browser send a request to this port, whose body holds
 * commands; after the request's first line nothing may be read any more.
 */
final class HttpRequestLine {
    private static final List<byte[]> METHODS = List.of(
            octets("GET "),
            octets("HEAD "),
            octets("POST "),
            octets("PUT "),
            octets("DELETE "),
            octets("CONNECT "),
            octets("OPTIONS "),
            octets("TRACE "),
            octets("PATCH "),
            octets("PRI ")); // RFC 9113 §3.4
    /** RFC 9112 §3.2: every request has this field, also one whose method was longer than a command may be. */
    private static final byte[] HOST = octets("HOST:");

    private HttpRequestLine() {}

    /**
     * Whether a line, of which these octets have come, begins like a request (RFC 9112 §3): with a known method, with
     * any word before a path, or with the field Host.
     */
    static boolean begins(byte[] buffer, int from, int to) {
        for (byte[] method : METHODS) {
            if (isAt(method, buffer, from, to)) {
                return true;
            }
        }
        if (isAt(HOST, buffer, from, to)) {
            return true;
        }
        int word = from;
        while (word < to && buffer[word] > ' ') {
            word++;
        }
        return word > from
                && word + 1 < to
                && buffer[word] == ' '
                && (buffer[word + 1] == '/' || buffer[word + 1] == '*');
    }

    private static boolean isAt(byte[] upperCase, byte[] buffer, int from, int to) {
        boolean same = to - from >= upperCase.length;
        for (int i = 0; same && i < upperCase.length; i++) {
            int octet = buffer[from + i];
            same = (octet >= 'a' && octet <= 'z' ? octet - 0x20 : octet) == upperCase[i];
        }
        return same;
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
