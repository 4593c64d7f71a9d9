package dev.inboxd.smtp.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The header that a proxy writes before what its client says: the PROXY protocol (HAProxy), versions 1 and 2. */
final class ProxyHeader {
    /** Version 2, §2.2: twelve octets that no version 1 and no SMTP begins with. */
    private static final byte[] SIGNATURE = {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};

    private static final int LONGEST_LINE = 107; // §2.1, with its CRLF
    /** Addresses of 36 octets at most, and room for what a proxy adds to them. */
    private static final int LONGEST_BLOCK = 4_096;

    private static final int LOCAL = 0x20;
    private static final int PROXY = 0x21;

    private ProxyHeader() {}

    /**
     * Reads the header.
     *
     * @return the client's address; null when the proxy speaks for itself, or says that it does not know
     * @throws ProtocolException when there is none; the connection must be closed then, without a word (§2)
     */
    static @Nullable InetAddress read(SmtpConnection wire) throws IOException {
        byte[] first = octets(wire, SIGNATURE.length);
        return Arrays.equals(first, SIGNATURE) ? block(wire) : line(wire, first);
    }

    private static @Nullable InetAddress line(SmtpConnection wire, byte[] first) throws IOException {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        octets.writeBytes(first);
        byte last = 0;
        while (last != '\n' && octets.size() < LONGEST_LINE) {
            byte[] next = octets(wire, 1);
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
            // said below
        }
        throw new ProtocolException("Bad address in the PROXY header");
    }

    private static @Nullable InetAddress block(SmtpConnection wire) throws IOException {
        byte[] head = octets(wire, 4);
        int command = head[0] & 0xff;
        int family = head[1] & 0xff;
        int length = ((head[2] & 0xff) << 8) | (head[3] & 0xff);
        int size = family == 0x11 ? 4 : family == 0x21 ? 16 : 0; // TCP over IPv4, over IPv6
        boolean known = command == LOCAL || command == PROXY;
        if (!known || length > LONGEST_BLOCK || (command == PROXY && size > 0 && length < 2 * size + 4)) {
            throw new ProtocolException("Bad PROXY header");
        }
        byte[] rest = octets(wire, length);
        return command == LOCAL || size == 0 ? null : InetAddress.getByAddress(Arrays.copyOf(rest, size));
    }

    private static byte[] octets(SmtpConnection wire, int count) throws IOException {
        ByteArrayOutputStream octets = new ByteArrayOutputStream(count);
        wire.octets(
                count,
                (buffer, from, to) -> octets.write(buffer, from, to - from),
                new MinimumDataRate(System::nanoTime));
        return octets.toByteArray();
    }
}
