package dev.inboxd.mail.compose;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** A text body with CRLF line ends (RFC 2046 §4.1.1) in the encoding that suits it best. */
final class TextPart {
    /** RFC 5322 §2.1.1: lines should have no more characters than this. */
    private static final int SHORT_LINE = 78;

    private TextPart() {}

    /** The leaf of the text; no line of it may begin with {@code delimiter}. */
    static MimePart of(String subtype, String text, String delimiter) {
        return of(new ParameterField("Content-Type", "text/" + subtype).with("charset", "utf-8"), text, delimiter);
    }

    /** The leaf of a calendar (RFC 6047 §2.4: the method is a parameter too). */
    static MimePart of(CalendarPart calendar, String delimiter) {
        var type = new ParameterField("Content-Type", "text/calendar")
                .with("charset", "utf-8")
                .with("method", calendar.method());
        return of(type, calendar.text(), delimiter);
    }

    private static MimePart of(ParameterField type, String text, String delimiter) {
        var octets = withCrlf(text).getBytes(StandardCharsets.UTF_8);
        if (isShortAscii(octets) && !text.contains(delimiter)) {
            return new MimePart.Leaf(List.of(type), TransferEncoding.SEVEN_BIT, AttachmentContent.of(octets));
        }
        var quoted = QuotedPrintable.of(octets);
        if (quoted.length <= TransferEncoding.base64Length(octets.length)) {
            return new MimePart.Leaf(List.of(type), TransferEncoding.QUOTED_PRINTABLE, AttachmentContent.of(quoted));
        }
        return new MimePart.Leaf(List.of(type), TransferEncoding.BASE64, AttachmentContent.of(octets));
    }

    private static String withCrlf(String text) {
        var out = new StringBuilder(text.length() + text.length() / 16);
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' && i > 0 && text.charAt(i - 1) == '\r') {
                start = i + 1; // behind the line end that was just written
            } else if (c == '\r' || c == '\n') {
                out.append(text, start, i).append("\r\n");
                start = i + 1;
            }
        }
        return out.append(text, start, text.length()).toString();
    }

    private static boolean isShortAscii(byte[] text) {
        int column = 0;
        for (int i = 0; i < text.length; i++) {
            byte c = text[i];
            if (c == '\r' || c == '\n') {
                column = 0;
                continue;
            }
            boolean plain = (c >= ' ' && c < 0x7f) || c == '\t';
            boolean from = column == 0 && TransferEncoding.startsWith(text, i, TransferEncoding.FROM);
            if (!plain || from || ++column > SHORT_LINE) {
                return false;
            }
        }
        return true;
    }
}
