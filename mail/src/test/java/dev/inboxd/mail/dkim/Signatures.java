package dev.inboxd.mail.dkim;

/** Signatures, looked at from other packages' tests. */
public final class Signatures {
    private Signatures() {}

    /** Whether the message's first field is a signature that holds under the key of a published record. */
    public static boolean verify(byte[] message, String dnsRecord) throws Exception {
        return DkimVerifier.verifies(message, dnsRecord);
    }
}
