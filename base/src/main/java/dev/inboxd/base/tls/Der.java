package dev.inboxd.base.tls;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Encodes the few ASN.1 values of a certificate in DER (ITU-T X.690). */
final class Der {
    private static final DateTimeFormatter GENERALIZED_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int UTC_TIME_ENDS = 2050;

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return tagged(0x30, parts);
    }

    static byte[] set(byte[]... parts) {
        return tagged(0x31, parts);
    }

    static byte[] integer(byte[] twosComplement) {
        return tagged(0x02, twosComplement);
    }

    static byte[] utf8(String text) {
        return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] bits(byte[] octets) {
        return tagged(0x03, new byte[] {0}, octets);
    }

    static byte[] octets(byte[] octets) {
        return tagged(0x04, octets);
    }

    /** An object identifier; all arcs after the second must be below 2^21. */
    static byte[] oid(int first, int second, int... others) {
        ByteArrayOutputStream arcs = new ByteArrayOutputStream();
        arcs.write(first * 40 + second);
        for (int arc : others) {
            for (int shift = 14; shift > 0; shift -= 7) {
                if (arc >> shift != 0) {
                    arcs.write(((arc >> shift) & 0x7f) | 0x80);
                }
            }
            arcs.write(arc & 0x7f);
        }
        return tagged(0x06, arcs.toByteArray());
    }

    /** RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050. */
    static byte[] time(Instant time) {
        String text = GENERALIZED_TIME.format(time);
        boolean utcTime = time.atZone(ZoneOffset.UTC).getYear() < UTC_TIME_ENDS;
        byte[] digits = (utcTime ? text.substring(2) : text).getBytes(StandardCharsets.US_ASCII);
        return tagged(utcTime ? 0x17 : 0x18, digits);
    }

    /** Any value: tag octet, length, then the parts one after another. */
    static byte[] tagged(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(tag);
        if (content.size() < 0x80) {
            value.write(content.size());
        } else {
            int octets = content.size() < 0x100 ? 1 : 2; // certificates of this program stay far below 64 KiB
            value.write(0x80 | octets);
            for (int shift = (octets - 1) * 8; shift >= 0; shift -= 8) {
                value.write(content.size() >> shift);
            }
        }
        value.writeBytes(content.toByteArray());
        return value.toByteArray();
    }
}
