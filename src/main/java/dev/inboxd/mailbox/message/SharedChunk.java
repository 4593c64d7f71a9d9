package dev.inboxd.mailbox.message;

/**
 * A stretch of a large message that lies in a blob of its own, which other messages may share: base64 in lines of one
 * length, kept decoded (docs/decisions/0014).
 *
 * @param position where it begins in the message
 * @param length its octets in the message, without the line end behind it
 * @param line the characters of its lines; the last may be shorter
 * @param size its octets decoded
 * @param blob the blob that holds these
 * @param sha256 digest of them; empty when it was read to be put together again
 * @param shared whether the blob was there before; then the transaction that stores the message makes sure that it
 *     still is
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SharedChunk(long position, long length, int line, long size, String blob, byte[] sha256, boolean shared) {
    /** What a reader needs of a piece, as {@link SharedChunkSql#OF_CONTENT} writes it. */
    static SharedChunk parse(String text) {
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
