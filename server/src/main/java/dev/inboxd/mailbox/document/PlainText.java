package dev.inboxd.mailbox.document;

import dev.inboxd.mail.text.HtmlText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Text and HTML files. They are decoded in this process, because text cannot expand or run anything. */
public final class PlainText {
    /** The octets of the longest text: four for each character. */
    public static final int MOST_OCTETS = 4 * LimitedText.MOST;

    private PlainText() {}

    /** The beginning of a text file. */
    static String text(InputStream in) throws IOException {
        String text = decoded(in.readNBytes(MOST_OCTETS));
        return text.substring(0, Math.min(text.length(), LimitedText.MOST));
    }

    /** The beginning of an HTML file as it is. */
    public static String source(InputStream in) throws IOException {
        return decoded(in.readNBytes(MOST_OCTETS));
    }

    /** The visible text at the beginning of an HTML file. */
    static String html(InputStream in) throws IOException {
        String text = HtmlText.render(decoded(in.readNBytes(MOST_OCTETS)));
        return text.substring(0, Math.min(text.length(), LimitedText.MOST));
    }

    /**
     * Decodes by the byte order mark; else as UTF-8 if it is valid, else as windows-1252, the encoding of most old
     * files.
     */
    private static String decoded(byte[] octets) {
        if (startsWith(octets, 0xFE, 0xFF)) {
            return new String(octets, 2, octets.length - 2, StandardCharsets.UTF_16BE);
        }
        if (startsWith(octets, 0xFF, 0xFE)) {
            return new String(octets, 2, octets.length - 2, StandardCharsets.UTF_16LE);
        }
        int start = startsWith(octets, 0xEF, 0xBB, 0xBF) ? 3 : 0;
        CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
        CharBuffer text = CharBuffer.allocate(octets.length);
        // A character that the limit cuts in two is no error, so the decoder is not informed that the input ends here.
        CoderResult result = utf8.decode(ByteBuffer.wrap(octets, start, octets.length - start), text, false);
        return result.isError()
                ? new String(octets, Charset.forName("windows-1252"))
                : text.flip().toString();
    }

    private static boolean startsWith(byte[] octets, int... mark) {
        for (int i = 0; i < mark.length; i++) {
            if (i >= octets.length || (octets[i] & 0xFF) != mark[i]) {
                return false;
            }
        }
        return true;
    }
}
