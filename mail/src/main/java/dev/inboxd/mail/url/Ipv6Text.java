package dev.inboxd.mail.url;

import org.jspecify.annotations.Nullable;

/** Parses IPv6 addresses (RFC 4291 §2.2) without a zone: an address with a zone is local by definition. */
public final class Ipv6Text {
    private final String text;
    private final byte[] address = new byte[16];
    private int position;
    private int written;
    private int gap = -1;

    private Ipv6Text(String text) {
        this.text = text;
    }

    /** The sixteen octets, or null when the text is not exactly one address. */
    public static byte @Nullable [] parse(String text) {
        Ipv6Text reader = new Ipv6Text(text);
        return reader.read() ? reader.expanded() : null;
    }

    /** The text of an address (RFC 5952 §4): the longest run of two zero groups or more is left out. */
    public static String compressed(byte[] address) {
        int[] groups = new int[8];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = (address[2 * i] & 0xff) << 8 | (address[2 * i + 1] & 0xff);
        }
        int start = -1;
        int longest = 1;
        for (int i = 0, zeros = 0; i < groups.length; i++) {
            zeros = groups[i] == 0 ? zeros + 1 : 0;
            if (zeros > longest) {
                longest = zeros;
                start = i - zeros + 1;
            }
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < groups.length; i++) {
            if (i == start) {
                text.append("::");
                i += longest - 1;
            } else {
                text.append(i == 0 || (i == start + longest && start >= 0) ? "" : ":")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }

    private boolean read() {
        if (text.startsWith("::")) {
            gap = 0;
            position = 2;
        }
        while (position < text.length()) {
            if (endsInIpv4()) {
                return gap >= 0 ? written < 16 : written == 16;
            }
            if (written == 16 || !group() || !separator()) {
                return false;
            }
        }
        return gap >= 0 ? written < 16 : written == 16;
    }

    /** One to four hexadecimal digits. */
    private boolean group() {
        int value = 0;
        int start = position;
        while (position < text.length() && position - start < 4 && hexadecimal(text.charAt(position)) >= 0) {
            value = (value << 4) | hexadecimal(text.charAt(position++));
        }
        address[written++] = (byte) (value >> 8);
        address[written++] = (byte) value;
        return position > start;
    }

    /** Reads what may follow a group: the end, a colon and another group, or the one {@code ::}. */
    private boolean separator() {
        if (position == text.length()) {
            return true;
        }
        if (text.charAt(position++) != ':' || position == text.length()) {
            return false;
        }
        if (text.charAt(position) == ':') {
            boolean first = gap < 0;
            gap = written;
            position++;
            return first;
        }
        return true;
    }

    /** RFC 4291 §2.2 (3): the last 32 bits may be written as four decimal numbers. */
    private boolean endsInIpv4() {
        String suffix = text.substring(position);
        if (suffix.indexOf('.') < 0 || suffix.indexOf(':') >= 0 || written > 12 || !isDottedDecimal(suffix)) {
            return false;
        }
        byte[] tail = Ipv4Text.parse(suffix);
        if (tail == null) {
            return false;
        }
        System.arraycopy(tail, 0, address, written, 4);
        written += 4;
        position = text.length();
        return true;
    }

    private static boolean isDottedDecimal(String text) {
        int dots = 0;
        boolean leading = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean zeroPrefixed = leading && c == '0' && i + 1 < text.length() && text.charAt(i + 1) != '.';
            if (zeroPrefixed || (c != '.' && (c < '0' || c > '9'))) {
                return false;
            }
            dots += c == '.' ? 1 : 0;
            leading = c == '.';
        }
        return dots == 3;
    }

    private byte[] expanded() {
        if (gap < 0) {
            return address;
        }
        byte[] full = new byte[16];
        System.arraycopy(address, 0, full, 0, gap);
        System.arraycopy(address, gap, full, 16 - (written - gap), written - gap);
        return full;
    }

    private static int hexadecimal(char c) {
        return c < 128 ? Character.digit(c, 16) : -1;
    }
}
