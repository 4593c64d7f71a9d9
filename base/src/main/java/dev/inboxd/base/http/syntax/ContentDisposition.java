package dev.inboxd.base.http.syntax;

import java.nio.charset.StandardCharsets;

/** The header field that offers a body as a file (RFC 6266). */
public final class ContentDisposition {
    private ContentDisposition() {}

    /**
     * A value for {@code Content-Disposition}.
     *
     * @param filename any text; anything but plain ASCII uses the extended form (RFC 8187)
     */
    public static String attachment(String filename) {
        StringBuilder plain = new StringBuilder();
        StringBuilder extended = new StringBuilder();
        for (byte octet : filename.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xFF);
            boolean token = c < 0x80 && (Character.isLetterOrDigit(c) || ".-_".indexOf(c) >= 0);
            extended.append(token ? String.valueOf(c) : String.format("%%%02X", octet));
        }
        for (int i = 0; i < filename.length(); i++) {
            char c = filename.charAt(i);
            plain.append(c >= ' ' && c < 0x7F && c != '"' && c != '\\' && c != '%' ? c : '_');
        }
        return "attachment; filename=\"" + plain + "\"; filename*=UTF-8''" + extended;
    }
}
