package dev.inboxd.sending;

import dev.inboxd.mail.compose.ComposedMessage;
import dev.inboxd.platform.id.Digests;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;

/**
 * A message as it leaves, which is written anew each time it is read: attachments of any size are never held whole.
 *
 * @param signature the DKIM-Signature field with its line end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SignedMessage(byte[] signature, ComposedMessage message) {
    /** Octets in all. */
    long length() {
        return signature.length + message.length();
    }

    /** The octets from the start, as often as wanted. */
    InputStream open() {
        return new SequenceInputStream(new ByteArrayInputStream(signature), message.open());
    }

    /** Digest of all octets. */
    byte[] sha256() {
        MessageDigest digest = Digests.sha256();
        digest.update(signature);
        try (OutputStream into = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            message.writeTo(into);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return digest.digest();
    }

    /** All octets at once; for small ones. */
    byte[] bytes() {
        try (InputStream in = open()) {
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
