package dev.inboxd.mail.message;

/**
 * Position of an entity that changes when its message is converted to 7-bit (RFC 2045 §6.4). Positions count octets
 * from the start of the message.
 *
 * @param header position of its header, and the fields that it lacks
 * @param body the first octet of its body
 * @param end behind the last octet of its body
 * @param eightBit octets of the body that are beyond ASCII; 0 for an entity that contains others
 */
public record EntityPosition(Header header, long body, long end, long eightBit) {
    /**
     * The header of an entity.
     *
     * @param end start of the empty line behind it
     * @param encoding start of the value of Content-Transfer-Encoding, or -1 when there is none to replace
     * @param encodingEnd behind that value
     * @param versioned false for a message without MIME-Version (RFC 2045 §4)
     * @param typed whether there is a Content-Type
     */
    public record Header(long end, long encoding, long encodingEnd, boolean versioned, boolean typed) {
        Header withoutEncoding() {
            return new Header(end, -1, -1, versioned, typed);
        }
    }

    /** Whether its body is content to encode, and does not contain other entities. */
    public boolean isLeaf() {
        return eightBit > 0;
    }
}
