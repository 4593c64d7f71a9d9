package dev.inboxd.sandbox.mail;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.screen.ScreenVerdict;
import dev.inboxd.mail.smtp.NullPath;
import dev.inboxd.mail.smtp.ReversePath;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.screening.Judgment;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a mail out of a request: as JSON, or as the mail itself with the other members in the query. */
final class MailRequest {
    /** Octets of a mail (sandbox.md §2). */
    static final int LARGEST = 40 << 20;

    private static final int MOST_RECIPIENTS = 100;
    private static final String RAW_TYPE = "message/rfc822";
    private static final List<String> IN_QUERY =
            List.of("inbox_id", "mail_from", "helo", "client_address", "authentication", "spam", "security");
    private static final String MODEL = "sandbox";

    private enum SecurityWord {
        CLEAR,
        REVIEW
    }

    private MailRequest() {}

    /**
     * The mail of a request.
     *
     * @param inbox the address of an inbox by its id or client_id
     * @param now the date of a mail that has none
     */
    static HandedMail read(Request request, Function<String, String> inbox, Instant now) {
        String type = Objects.requireNonNullElse(request.header("Content-Type"), "");
        boolean isRaw = type.toLowerCase(Locale.ROOT).startsWith(RAW_TYPE);
        JsonBody body = isRaw ? inQuery(request) : request.body();
        List<SmtpPath> to = to(body, inbox);
        HandedMail.Choices choices =
                new HandedMail.Choices(AuthenticationMember.read(body), body.flag("spam"), security(body));
        String helo = body.string("helo").max(255).as(MailRequest::host, "a name of a host");
        InetAddress client = body.string("client_address").as(MailRequest::literal, "an IP address");
        byte[] raw = isRaw ? request.octets() : raw(body);
        String mailFrom = body.string("mail_from").max(320).optional();
        if (raw != null) {
            body.check();
        }
        byte[] octets = lines(
                raw != null
                        ? raw
                        : ComposedMail.read(
                                body, to.stream().map(SmtpPath::address).toList(), now));
        if (octets.length > LARGEST) {
            throw Problem.of(ErrorCode.PAYLOAD_TOO_LARGE, "A mail may have at most " + LARGEST + " octets");
        }
        ReversePath path = mailFrom == null ? author(octets) : path(body, "mail_from", mailFrom);
        body.check();
        return new HandedMail(
                to,
                new HandedMail.Origin(
                        path,
                        Objects.requireNonNullElse(helo, "outside.test"),
                        Objects.requireNonNullElse(client, InetAddress.ofLiteral("192.0.2.1"))),
                octets,
                choices);
    }

    /** The members beside the octets of a mail. */
    private static JsonBody inQuery(Request request) {
        Map<String, Object> members = new LinkedHashMap<>();
        IN_QUERY.forEach(name -> {
            String value = request.query().text(name);
            if (value != null) {
                boolean isFlag = name.equals("spam") && (value.equals("true") || value.equals("false"));
                members.put(name, isFlag ? (Object) Boolean.valueOf(value) : value);
            }
        });
        List<String> to = request.query().list("to");
        if (!to.isEmpty()) {
            members.put("to", to);
        }
        return JsonBody.of(members, List.of(), new Faults());
    }

    private static List<SmtpPath> to(JsonBody body, Function<String, String> inbox) {
        String id = body.string("inbox_id").optional();
        List<String> named = body.strings("to").most(MOST_RECIPIENTS).list();
        if ((id == null) == named.isEmpty()) {
            body.fault("to", "A mail has either inbox_id or to");
            return List.of();
        }
        List<String> all = id == null ? named : List.of(inbox.apply(id));
        return all.stream()
                .map(text -> path(body, "to", text))
                .filter(SmtpPath.class::isInstance)
                .map(SmtpPath.class::cast)
                .distinct()
                .toList();
    }

    private static @Nullable Judgment security(JsonBody body) {
        SecurityWord word = body.choice(
                "security", SecurityWord.values(), choice -> choice.name().toLowerCase(Locale.ROOT));
        return word == null ? null : new Judgment(new ScreenVerdict(word == SecurityWord.REVIEW, List.of()), MODEL);
    }

    private static byte @Nullable [] raw(JsonBody body) {
        return body.string("raw").multiline().as(MailRequest::decoded, "base64");
    }

    private static byte @Nullable [] decoded(String text) {
        try {
            return Base64.getMimeDecoder().decode(text);
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    private static @Nullable String host(String text) {
        return text.chars().allMatch(c -> c > ' ' && c < 0x7F && "()<>@,;\\\"".indexOf(c) < 0) ? text : null;
    }

    private static @Nullable InetAddress literal(String text) {
        try {
            return InetAddress.ofLiteral(text);
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    private static ReversePath path(JsonBody body, String member, String text) {
        if (text.equals("<>")) {
            return NullPath.NULL;
        }
        try {
            AddrSpec address = AddrSpec.parse(text);
            return new SmtpPath(address.localPart(), address.domain());
        } catch (AddressSyntaxException malformed) {
            body.fault(member, String.valueOf(malformed.getMessage()));
            return NullPath.NULL;
        }
    }

    /** The author, or nobody. */
    private static ReversePath author(byte[] octets) {
        return MessageParser.parse(new ByteArrayInputStream(octets)).addresses().from().stream()
                .map(MailAddress::address)
                .map(MailRequest::parsed)
                .filter(Objects::nonNull)
                .findFirst()
                .<ReversePath>map(address -> new SmtpPath(address.localPart(), address.domain()))
                .orElse(NullPath.NULL);
    }

    private static @Nullable AddrSpec parsed(String address) {
        try {
            return AddrSpec.parse(address);
        } catch (AddressSyntaxException malformed) {
            return null;
        }
    }

    /** With CRLF at the end of each line: a file often has LF alone. */
    static byte[] lines(byte[] octets) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream(octets.length + octets.length / 32 + 2);
        int before = -1;
        for (byte octet : octets) {
            if (octet == '\n' && before != '\r') {
                lines.write('\r');
            } else if (before == '\r' && octet != '\n') {
                lines.write('\n');
            }
            lines.write(octet);
            before = octet;
        }
        if (before != '\n') {
            lines.writeBytes(before == '\r' ? new byte[] {'\n'} : new byte[] {'\r', '\n'});
        }
        return lines.toByteArray();
    }
}
