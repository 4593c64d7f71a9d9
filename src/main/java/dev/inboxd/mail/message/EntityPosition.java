package dev.inboxd.mail.message;

/**
 * Where an entity lies that is written otherwise when its message is to be 7-bit (RFC 2045 §6.4). Places count octets
 * from the start of the message.
 *
 * @param header what its header lacks, and where
 * @param body the first octet of its body
 * @param end behind the last octet of its body
 * @param eightBit how many octets of the body are beyond ASCII; none are counted of what contains other entities
 */
public record EntityPosition(Header header, long body, long end, long eightBit) {
    /**
     * The header of an entity.
     *
     * @param end where the empty line behind it begins
     * @param encoding where the value of Content-Transfer-Encoding begins, or -1 when there is none to be replaced
     * @param encodingEnd behind that value
     * @param versioned false for a message without MIME-Version (RFC 2045 §4)
     * @param typed whether there is a Content-Type
     */
    public record Header(long end, long encoding, long encodingEnd, boolean versioned, boolean typed) {
        Header withoutEncoding() {
            return new Header(end, -1, -1, versioned, typed);
        }
    }

    /** Whether its body is octets to encode, and no other entities. */
    public boolean isLeaf() {
        return eightBit > 0;
    }
}
