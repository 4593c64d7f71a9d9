package dev.inboxd.smtp.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The PROXY protocol header (HAProxy, versions 1 and 2), which a proxy sends before the octets of its client. */
final class ProxyHeader {
    /** Version 2, §2.2: twelve octets that neither version 1 nor SMTP begins with. */
    private static final byte[] SIGNATURE = {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};

    private static final int LONGEST_LINE = 107; // §2.1, with its CRLF
    /** Addresses have 36 octets at most; the rest is room for the TLVs of a proxy. */
    private static final int LONGEST_BLOCK = 4_096;

    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;

    private ProxyHeader() {}

    /**
     * Reads the header; blocks.
     *
     * @return the client's address; null when the connection is the proxy's own (LOCAL), or the client is UNKNOWN
     * @throws ProtocolException when the header is missing or malformed; the connection must then be closed without a
     *     reply (§2)
     */
    static @Nullable InetAddress read(SmtpConnection connection) throws IOException {
        byte[] first = octets(connection, SIGNATURE.length);
        return Arrays.equals(first, SIGNATURE) ? block(connection) : line(connection, first);
    }

    private static @Nullable InetAddress line(SmtpConnection connection, byte[] first) throws IOException {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        octets.writeBytes(first);
        byte last = 0;
        while (last != '\n' && octets.size() < LONGEST_LINE) {
            byte[] next = octets(connection, 1);
            last = next[0];
            octets.writeBytes(next);
        }
        String line = octets.toString(StandardCharsets.US_ASCII);
        if (!line.startsWith("PROXY ") || !line.endsWith("\r\n")) {
            throw new ProtocolException("No PROXY header");
        }
        List<String> words = List.of(line.strip().split(" ", -1));
        if (words.size() > 1 && words.get(1).equals("UNKNOWN")) {
            return null; // §2.1: whatever follows is to be ignored
        }
        boolean ipv6 = words.size() == 6 && words.get(1).equals("TCP6");
        if (words.size() != 6 || !(ipv6 || words.get(1).equals("TCP4"))) {
            throw new ProtocolException("Bad PROXY header");
        }
        return address(words.get(2), ipv6);
    }

    private static InetAddress address(String text, boolean ipv6) throws ProtocolException {
        try {
            InetAddress address = InetAddress.ofLiteral(text);
            if (ipv6 == (text.indexOf(':') >= 0)) {
                return address;
            }
        } catch (IllegalArgumentException noAddress) {
            // refused below
        }
        throw new ProtocolException("Bad address in the PROXY header");
    }

    private static @Nullable InetAddress block(SmtpConnection connection) throws IOException {
        byte[] head = octets(connection, 4);
        int command = head[0] & 0xff;
        int family = head[1] & 0xff;
        int length = ((head[2] & 0xff) << 8) | (head[3] & 0xff);
        int size = family == 0x11 ? 4 : family == 0x21 ? 16 : 0; // TCP over IPv4, over IPv6
        boolean valid = command == LOCAL || command == PROXY;
        if (!valid || length > LONGEST_BLOCK || (command == PROXY && size > 0 && length < 2 * size + 4)) {
            throw new ProtocolException("Bad PROXY header");
        }
        byte[] body = octets(connection, length);
        return command == LOCAL || size == 0 ? null : InetAddress.getByAddress(Arrays.copyOf(body, size));
    }

    private static byte[] octets(SmtpConnection connection, int count) throws IOException {
        ByteArrayOutputStream octets = new ByteArrayOutputStream(count);
        connection.octets(
                count,
                (buffer, from, to) -> octets.write(buffer, from, to - from),
                new MinimumDataRate(System::nanoTime));
        return octets.toByteArray();
    }
}
