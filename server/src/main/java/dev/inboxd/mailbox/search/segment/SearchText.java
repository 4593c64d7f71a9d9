package dev.inboxd.mailbox.search.segment;

import dev.inboxd.mail.text.HtmlText;
import dev.inboxd.mail.text.TextFolding;
import dev.inboxd.mailbox.content.MessageDeflation;
import dev.inboxd.mailbox.content.ReadableContent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** The indexed text of a message: the beginning of its text, in NFC, with single spaces; and its stored form. */
public final class SearchText {
    /** The length of the indexed text; the rest of a message is not searched. */
    static final int LONGEST = 100_000;

    private SearchText() {}

    /** The indexed text: the extracted reply, else the plain text, else the visible text of the HTML (mail.md §17). */
    public static String of(ReadableContent shown) {
        String extracted = shown.extractedText();
        String html = shown.html() == null ? "" : shown.html();
        String written = extracted != null ? extracted : shown.text();
        String text = written != null ? written : HtmlText.render(html);
        return collapsed(TextFolding.composed(text.substring(0, Math.min(text.length(), LONGEST))));
    }

    /** The text with single spaces for white space, and none around it. */
    public static String collapsed(String text) {
        char[] characters = text.toCharArray(); // overwritten in place: the text only gets shorter
        int end = 0;
        boolean space = false;
        for (char c : characters) {
            if (isSpace(c)) {
                space = end > 0;
                continue;
            }
            if (space) {
                characters[end++] = ' ';
                space = false;
            }
            characters[end++] = c;
        }
        return end == characters.length ? text : new String(characters, 0, end);
    }

    private static boolean isSpace(char c) {
        return c <= ' ' || (c >= 0x7F && (Character.isWhitespace(c) || Character.isSpaceChar(c)));
    }

    /** The stored form. */
    public static byte[] deflated(String text) {
        return MessageDeflation.BARE.deflated(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The text of a stored form. */
    public static String inflated(byte[] stored) {
        Inflater inflater = new Inflater(true);
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(stored), inflater)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } finally {
            inflater.end();
        }
    }
}
