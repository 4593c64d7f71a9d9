package dev.inboxd.mail.dkim;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Signs for one domain with one key, or with two of different algorithms (RFC 8463 §3). Thread-safe.
 *
 * <pre>{@code var stream = signer.open(); message.writeTo(stream); byte[] field = stream.signature(now);   // goes on
 * top of the message }</pre>
 */
public final class DkimSigner {
    private static final Duration LIFETIME = Duration.ofDays(7); // limits replay

    /** Covered once more often than they occur, so that none can be added (RFC 6376 §8.15). */
    private static final List<String> OVERSIGNED = List.of(
            "From",
            "To",
            "Cc",
            "Subject",
            "Date",
            "Message-ID",
            "Reply-To",
            "In-Reply-To",
            "References",
            "MIME-Version",
            "Content-Type",
            "Content-Transfer-Encoding");

    /** Covered as often as they occur; RFC 8058 §4 requires it of the first two. */
    private static final List<String> SIGNED =
            List.of("List-Unsubscribe", "List-Unsubscribe-Post", "List-Id", "Auto-Submitted");

    private final String domain;
    private final String selector;
    private final DkimKey key;
    private final @Nullable DkimSigner withSecondKey;

    /**
     * A signer.
     *
     * @param domain the d= domain, in A-labels
     * @param selector the s= selector under which {@link DkimKey#dnsRecord} is published
     * @param key the private key
     * @throws IllegalArgumentException when domain or selector is not a host name
     */
    public DkimSigner(String domain, String selector, DkimKey key) {
        this(domain, selector, key, null);
    }

    private DkimSigner(String domain, String selector, DkimKey key, @Nullable DkimSigner beside) {
        this.domain = hostName(domain);
        this.selector = hostName(selector);
        this.key = key;
        this.withSecondKey = beside;
    }

    /**
     * A signer that makes both signatures: a receiver that cannot verify one verifies the other.
     *
     * @param second a signer with a key of the other algorithm, under a selector of its own
     * @return a new signer; neither of the two changes
     */
    public DkimSigner withSecondKey(DkimSigner second) {
        return new DkimSigner(domain, selector, key, second);
    }

    private static String hostName(String name) {
        boolean clean = !name.isEmpty()
                && name.length() <= 253
                && name.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || c == '-'
                                || c == '.'
                                || c == '_');
        if (!clean) {
            throw new IllegalArgumentException("Not a host name in A-labels");
        }
        return name;
    }

    /** Opens a stream to write one message to; its {@link SigningStream#signature} is the result. */
    public SigningStream open() {
        return new SigningStream(this);
    }

    /** The complete DKIM-Signature fields, each with its final CRLF (RFC 6376 §3.5 and §3.7). */
    byte[] sign(byte[] headerSection, byte[] bodyHash, Instant now) {
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        for (DkimSigner signer = this; signer != null; signer = signer.withSecondKey) {
            fields.writeBytes(signer.field(headerSection, bodyHash, now));
        }
        return fields.toByteArray();
    }

    private byte[] field(byte[] headerSection, byte[] bodyHash, Instant now) {
        var header = new HeaderFields(new String(headerSection, StandardCharsets.ISO_8859_1));
        var names = new ArrayList<String>();
        var signed = new StringBuilder();
        for (var name : OVERSIGNED) {
            cover(header, name, names, signed);
            names.add(name);
        }
        for (var name : SIGNED) {
            cover(header, name, names, signed);
        }
        var field = "DKIM-Signature: v=1; a=" + key.algorithm().tag() + "; c=relaxed/relaxed;"
                + "\r\n d=" + domain + "; s=" + selector + ";\r\n t="
                + now.getEpochSecond() + "; x=" + now.plus(LIFETIME).getEpochSecond() + ";\r\n"
                + HeaderFolding.names(names) + ";\r\n bh=" + Base64.getEncoder().encodeToString(bodyHash) + ";\r\n b=";
        signed.append(Canonicalization.RELAXED.header(field));
        var signature = key.sign(signed.toString().getBytes(StandardCharsets.ISO_8859_1));
        return (field + HeaderFolding.base64(signature) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static void cover(HeaderFields header, String name, List<String> names, StringBuilder signed) {
        for (var field : header.lastFirst(name.toLowerCase(Locale.ROOT))) {
            names.add(name);
            signed.append(Canonicalization.RELAXED.header(field.raw())).append("\r\n");
        }
    }
}
