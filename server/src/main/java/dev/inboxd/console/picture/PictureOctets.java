package dev.inboxd.console.picture;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * The parts of a picture file that make up the picture. Colour profiles, comments, previews and what follows the end
 * are left out: their readers have had faults, and nobody sees them.
 */
final class PictureOctets {
    /** Passes over a JPEG; each costs time, and ten are usual. */
    private static final int MOST_SCANS = 32;

    private static final Set<String> DRAWN = Set.of("IHDR", "PLTE", "tRNS", "IDAT", "IEND");
    private static final int START_OF_SCAN = 0xDA;
    private static final int END_OF_IMAGE = 0xD9;

    private PictureOctets() {}

    /** The format by the first octets: {@code png}, {@code jpeg}, {@code gif}, or empty. */
    static String format(byte[] picture) {
        if (begins(picture, 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n')) {
            return "png";
        }
        if (begins(picture, 0xFF, 0xD8, 0xFF)) {
            return "jpeg";
        }
        return begins(picture, 'G', 'I', 'F', '8') ? "gif" : "";
    }

    private static boolean begins(byte[] octets, int... signature) {
        for (int i = 0; i < signature.length; i++) {
            if (i >= octets.length || (octets[i] & 0xFF) != signature[i]) {
                return false;
            }
        }
        return true;
    }

    /** The picture alone; empty when the file does not keep to its format. */
    static byte[] bare(String format, byte[] picture) {
        return switch (format) {
            case "png" -> png(picture);
            case "jpeg" -> jpeg(picture);
            default -> picture;
        };
    }

    /** The chunks that are drawn (PNG §5.3). */
    private static byte[] png(byte[] picture) {
        ByteArrayOutputStream bare = new ByteArrayOutputStream(picture.length);
        bare.write(picture, 0, 8);
        int at = 8;
        while (at + 12 <= picture.length) {
            long length = number(picture, at, 4);
            if (length > picture.length - at - 12) {
                return new byte[0];
            }
            String type = new String(picture, at + 4, 4, StandardCharsets.ISO_8859_1);
            int chunkLength = (int) length + 12;
            if (DRAWN.contains(type)) {
                bare.write(picture, at, chunkLength);
            }
            at += chunkLength;
            if (type.equals("IEND")) {
                return bare.toByteArray();
            }
        }
        return new byte[0];
    }

    /** The segments that are drawn (ITU-T T.81 §B.1): no application's but JFIF's and Adobe's, and no comment. */
    private static byte[] jpeg(byte[] picture) {
        ByteArrayOutputStream bare = new ByteArrayOutputStream(picture.length);
        bare.write(picture, 0, 2);
        int at = 2;
        int scans = 0;
        while (at + 4 <= picture.length && (picture[at] & 0xFF) == 0xFF) {
            int marker = picture[at + 1] & 0xFF;
            if (marker == END_OF_IMAGE) {
                break;
            }
            int end = at + 2 + (int) number(picture, at + 2, 2);
            if (end > picture.length || end < at + 4) {
                return new byte[0];
            }
            if (marker == START_OF_SCAN) {
                end = endOfScan(picture, end);
                scans++;
            }
            boolean isMetadata = marker == 0xFE || (marker >= 0xE1 && marker <= 0xEF && marker != 0xEE);
            if (!isMetadata) {
                bare.write(picture, at, end - at);
            }
            at = end;
        }
        bare.write(0xFF);
        bare.write(END_OF_IMAGE);
        return scans == 0 || scans > MOST_SCANS ? new byte[0] : bare.toByteArray();
    }

    /** Where the next marker stands: within a scan FF is followed by 00, or by the mark of an interval. */
    private static int endOfScan(byte[] picture, int from) {
        for (int i = from; i + 1 < picture.length; i++) {
            int next = picture[i + 1] & 0xFF;
            if ((picture[i] & 0xFF) == 0xFF && next != 0 && next != 0xFF && (next < 0xD0 || next > 0xD7)) {
                return i;
            }
        }
        return picture.length;
    }

    private static long number(byte[] octets, int at, int count) {
        long number = 0;
        for (int i = 0; i < count; i++) {
            number = number << 8 | (octets[at + i] & 0xFF);
        }
        return number;
    }
}
