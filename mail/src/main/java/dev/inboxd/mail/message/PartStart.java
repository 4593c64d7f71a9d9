package dev.inboxd.mail.message;

import dev.inboxd.mail.charset.Charsets;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a part that is text, of a message or of one within it.
 *
 * @param filename safe to show; empty when the part has none
 * @param mediaType in lower case without parameters, as its sender wrote it
 * @param charset the label that its sender gave it, null when there is none
 * @param octets the beginning, decoded from the transfer encoding; the array is the reader's
 */
@SuppressWarnings("ArrayRecordComponent")
public record PartStart(
        String filename, String mediaType, @Nullable String charset, byte[] octets) {
    /**
     * What it says: by its byte order mark, else by its label and as UTF-8, where the two differ. What is malformed in
     * one must not hide what is not in the other.
     */
    public List<String> texts() {
        int mark = octets.length < 2 ? 0 : (octets[0] & 0xFF) << Byte.SIZE | (octets[1] & 0xFF);
        if (mark == 0xFEFF || mark == 0xFFFE) {
            return List.of(behindMark(mark == 0xFEFF ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE));
        }
        if (TextStart.isUtf16(octets)) {
            boolean little = TextStart.isLittleEndian(octets);
            return List.of(new String(octets, little ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE));
        }
        String labelled = Charsets.decodeBody(octets, octets.length, charset);
        return Stream.of(labelled, new String(octets, StandardCharsets.UTF_8))
                .distinct()
                .toList();
    }

    private String behindMark(Charset twoOctets) {
        return new String(octets, 2, octets.length - 2, twoOctets);
    }
}
