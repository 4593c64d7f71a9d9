package dev.inboxd.smtp.client;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads replies (RFC 5321 §4.2) of a host that is not trusted to keep to the syntax. */
public final class ReplyReader {
    private static final int MAX_LINE = 2_048; // RFC 5321 §4.5.3.1.5 says 512, and hosts send more
    private static final int MAX_LINES = 100;
    private static final int MAX_TEXT = 1_000;

    private final Octets octets;
    private final byte[] line = new byte[MAX_LINE];

    /** A source of octets, one at a time; -1 at the end. */
    public interface Octets {
        int next() throws IOException;
    }

    /** The lines of a reply, without the code. */
    public record Lines(int code, List<String> lines) {
        public ServerReply reply() {
            var status = enhancedStatus(lines.getFirst());
            var text = new StringBuilder();
            for (var line : lines) {
                var words = status != null && line.startsWith(status)
                        ? line.substring(status.length()).strip()
                        : line;
                text.append(text.isEmpty() || words.isEmpty() ? "" : " ").append(words);
            }
            int end = Math.min(text.length(), MAX_TEXT);
            if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
                end--;
            }
            return new ServerReply(code, status, text.substring(0, end));
        }

        /**
         * The enhanced status code that a line begins with (RFC 2034 §4): class "." subject "." detail. The class must
         * be that of the code; null otherwise.
         */
        private @Nullable String enhancedStatus(String line) {
            int end = line.indexOf(' ');
            var word = end < 0 ? line : line.substring(0, end);
            var parts = word.split("\\.", -1);
            boolean status = parts.length == 3
                    && parts[0].equals(String.valueOf(code / 100))
                    && isNumber(parts[1])
                    && isNumber(parts[2]);
            return status ? word : null;
        }

        private static boolean isNumber(String text) {
            return !text.isEmpty() && text.length() <= 3 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        }
    }

    public ReplyReader(Octets octets) {
        this.octets = octets;
    }

    /**
     * Reads the next reply to its last line.
     *
     * @throws ProtocolException when the reply is not SMTP, or too long
     * @throws EOFException when the host closed the connection
     */
    public Lines read() throws IOException {
        var lines = new ArrayList<String>();
        int code = 0;
        int blank = 0; // some hosts send blank lines in the answer to EHLO
        while (lines.size() < MAX_LINES) {
            var line = line();
            if (line.isEmpty() && ++blank < MAX_LINES) {
                continue;
            }
            int lineCode = code(line);
            if (!lines.isEmpty() && lineCode != code) {
                throw new ProtocolException("The lines of the reply have different codes");
            }
            code = lineCode;
            lines.add(line.length() > 4 ? line.substring(4).strip() : "");
            if (line.length() == 3 || line.charAt(3) == ' ') {
                return new Lines(code, lines);
            }
        }
        throw new ProtocolException("The reply has over " + MAX_LINES + " lines");
    }

    private static int code(String line) throws ProtocolException {
        boolean wellFormed = line.length() >= 3
                && line.charAt(0) >= '2'
                && line.charAt(0) <= '5'
                && isDigit(line.charAt(1))
                && isDigit(line.charAt(2))
                && (line.length() == 3 || line.charAt(3) == ' ' || line.charAt(3) == '-');
        if (!wellFormed) {
            throw new ProtocolException("The host does not speak SMTP");
        }
        return Integer.parseInt(line, 0, 3, 10);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Reads a line, ended by CRLF or a bare LF, without its end. Control characters become spaces. */
    private String line() throws IOException {
        int length = 0;
        for (int octet = octets.next(); octet != '\n'; octet = octets.next()) {
            if (octet < 0) {
                throw new EOFException("The host closed the connection");
            }
            if (length == MAX_LINE) {
                throw new ProtocolException("A line of the reply has over " + MAX_LINE + " octets");
            }
            line[length++] = (byte) octet;
        }
        char[] text = new String(line, 0, length, StandardCharsets.UTF_8).toCharArray();
        for (int i = 0; i < text.length; i++) {
            text[i] = Character.isISOControl(text[i]) ? ' ' : text[i];
        }
        return new String(text).stripTrailing();
    }
}
