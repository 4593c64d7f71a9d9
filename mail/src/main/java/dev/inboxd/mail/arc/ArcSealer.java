package dev.inboxd.mail.arc;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.dkim.Canonicalization;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.mail.dkim.HeaderFields;
import dev.inboxd.mail.dkim.HeaderFolding;
import dev.inboxd.mail.dkim.VerificationInput;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Adds an ARC set to a message that is forwarded with changes (RFC 8617 §5.1), so that the next receiver learns the
 * results of the checks made here.
 *
 * @param domain d= in A-labels
 * @param selector s= under which the key is published
 * @param key the private key
 */
public record ArcSealer(String domain, String selector, DkimKey key) {
    /** Fields of a message signature, each covered once more often than it occurs. */
    private static final List<String> COVERED = List.of(
            "from",
            "to",
            "cc",
            "subject",
            "date",
            "message-id",
            "reply-to",
            "in-reply-to",
            "references",
            "mime-version",
            "content-type",
            "content-transfer-encoding",
            "dkim-signature");

    /**
     * The fields to put on top of the message.
     *
     * @param message the message as it leaves, its body read after {@link VerificationInput#needWhole}
     * @param chainResult the result of its chain when it was received
     * @param results the value of Authentication-Results, which begins with this server's name; folded or not, with or
     *     without a final CRLF
     * @param now the time of the seal
     * @return three fields with their CRLFs; empty when the chain is already broken for good or too long (§5.1)
     * @throws IllegalStateException when the body was read without {@link VerificationInput#needWhole}
     */
    public String seal(VerificationInput message, ArcResult chainResult, String results, Instant now) {
        List<ArcSet> sets = Objects.requireNonNullElse(ArcChain.of(message.header()), List.of());
        boolean ended =
                !sets.isEmpty() && "fail".equals(sets.getLast().sealTags().get("cv"));
        if (ended
                || sets.size() >= ArcChain.MOST_INSTANCES
                || (sets.isEmpty() && chainResult.outcome() != AuthResult.NONE)) {
            return "";
        }
        int instance = sets.size() + 1;
        HeaderFields.Field said = field("ARC-Authentication-Results: i=" + instance + "; " + results.strip() + "\r\n");
        HeaderFields.Field signature = signature(message, instance, now);
        boolean holds = chainResult.outcome() == AuthResult.PASS || chainResult.outcome() == AuthResult.NONE;
        String status = instance == 1 ? "none" : holds ? "pass" : "fail";
        String unsealed = "ARC-Seal: i=" + instance + "; a=" + key.algorithm().tag() + "; cv=" + status + "; t="
                + now.getEpochSecond() + ";\r\n d=" + domain + "; s=" + selector + ";\r\n b=";
        StringBuilder signed = new StringBuilder();
        // §5.1.2: the seal of a chain that fails covers its own set alone.
        for (ArcSet before : status.equals("fail") ? List.<ArcSet>of() : sets) {
            before.appendWhole(signed);
        }
        new ArcSet(instance, said, signature, field(unsealed)).appendBeforeSeal(signed);
        signed.append(Canonicalization.RELAXED.header(unsealed));
        return unsealed + base64(signed) + "\r\n" + signature.raw() + said.raw();
    }

    private HeaderFields.Field signature(VerificationInput message, int instance, Instant now) {
        List<String> names = new ArrayList<>();
        StringBuilder signed = new StringBuilder();
        for (String name : COVERED) {
            for (HeaderFields.Field field : message.header().lastFirst(name)) {
                names.add(name);
                signed.append(Canonicalization.RELAXED.header(field.raw())).append("\r\n");
            }
            names.add(name);
        }
        String unsigned = "ARC-Message-Signature: i=" + instance + "; a="
                + key.algorithm().tag()
                + "; c=relaxed/relaxed; t=" + now.getEpochSecond() + ";\r\n d=" + domain + "; s=" + selector + ";\r\n"
                + HeaderFolding.names(names) + ";\r\n bh=" + Base64.getEncoder().encodeToString(message.wholeBody())
                + ";\r\n b=";
        signed.append(Canonicalization.RELAXED.header(unsigned));
        return field(unsigned + base64(signed) + "\r\n");
    }

    private String base64(StringBuilder signed) {
        return HeaderFolding.base64(key.sign(signed.toString().getBytes(StandardCharsets.ISO_8859_1)));
    }

    private static HeaderFields.Field field(String raw) {
        return new HeaderFields(raw)
                .all(raw.substring(0, raw.indexOf(':')).toLowerCase(Locale.ROOT))
                .getFirst();
    }
}
