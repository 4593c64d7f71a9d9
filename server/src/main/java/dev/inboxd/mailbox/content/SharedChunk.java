package dev.inboxd.mailbox.content;

/**
 * A base64 stretch of a large message in a blob of its own, which messages may share: lines of one length, stored
 * decoded (docs/decisions/0014).
 *
 * @param position offset of its first octet in the message
 * @param length its octets in the message, without the line end after it
 * @param line characters of its lines; the last may be shorter
 * @param size octets after decoding
 * @param blob name of the blob with the decoded octets
 * @param sha256 digest of the decoded octets; empty when it was read to restore the message
 * @param shared whether the blob existed before; then the transaction that stores the message checks that it still
 *     exists
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SharedChunk(long position, long length, int line, long size, String blob, byte[] sha256, boolean shared) {
    /** A chunk with the fields that a reader needs, as {@link SharedChunkSql#OF_CONTENT} writes them. */
    public static SharedChunk parse(String text) {
        String[] words = text.split(" ", -1);
        return new SharedChunk(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Integer.parseInt(words[2]),
                Long.parseLong(words[3]),
                words[4],
                new byte[0],
                true);
    }
}
