package dev.inboxd.mail.charset;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;

/** Decodes HZ (RFC 1843), which the JDK does not have: GB 2312 in seven bits between tildes. */
final class Hz {
    private static final Charset GB = Charset.forName("GB18030");

    private Hz() {}

    static String decode(byte[] bytes, int length) {
        var octets = new ByteArrayOutputStream(length);
        boolean isShifted = false;
        for (int i = 0; i < length; i++) {
            byte octet = bytes[i];
            char next = octet == '~' && i + 1 < length ? (char) bytes[i + 1] : 0;
            if (next == '{' || next == '}') {
                isShifted = next == '{';
                i++;
            } else if (next == '~' && !isShifted) {
                octets.write('~');
                i++;
            } else if (next == '\n' && !isShifted) {
                i++; // the line goes on
            } else {
                isShifted &= octet != '\n';
                octets.write(isShifted && octet > ' ' ? octet | 0x80 : octet);
            }
        }
        return octets.toString(GB);
    }
}
