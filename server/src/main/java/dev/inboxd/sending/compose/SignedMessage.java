package dev.inboxd.sending.compose;

import dev.inboxd.base.id.Digests;
import dev.inboxd.mail.compose.ComposedMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;

/**
 * A signed message. It is written anew for each read, so attachments of any size are never held in memory.
 *
 * @param signature the DKIM-Signature field with its CRLF
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SignedMessage(byte[] signature, ComposedMessage message) {
    /** Its length in octets. */
    public long length() {
        return signature.length + message.length();
    }

    /** Its octets from the start; may be opened again. */
    public InputStream open() {
        return new SequenceInputStream(new ByteArrayInputStream(signature), message.open());
    }

    /** The SHA-256 digest of all octets. */
    public byte[] sha256() {
        MessageDigest digest = Digests.sha256();
        digest.update(signature);
        try (OutputStream into = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            message.writeTo(into);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return digest.digest();
    }

    /** All octets in memory; for small messages. */
    public byte[] bytes() {
        try (InputStream in = open()) {
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
