package dev.inboxd.fuzz;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.page.PageSeal;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressHeader;
import dev.inboxd.mail.address.AddressList;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.Author;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.arc.ArcCheck;
import dev.inboxd.mail.auth.AuthResultsFilterStream;
import dev.inboxd.mail.auth.AuthResultsParser;
import dev.inboxd.mail.auth.AuthenticationResults;
import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.RawHeader;
import dev.inboxd.mail.dkim.DkimCheck;
import dev.inboxd.mail.dkim.HeaderFields;
import dev.inboxd.mail.dkim.VerificationInput;
import dev.inboxd.mail.dmarc.AuthenticatedDomain;
import dev.inboxd.mail.dmarc.DmarcCheck;
import dev.inboxd.mail.message.AttachmentPart;
import dev.inboxd.mail.message.Defect;
import dev.inboxd.mail.message.HeaderField;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import dev.inboxd.mail.message.PartReader;
import dev.inboxd.mail.reply.ExtractedReply;
import dev.inboxd.mail.report.DsnAction;
import dev.inboxd.mail.report.Report;
import dev.inboxd.mail.report.ReportReader;
import dev.inboxd.mail.smtp.DotReader;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpPath;
import dev.inboxd.mail.spam.SpamAnalysis;
import dev.inboxd.mail.spf.SpfCheck;
import dev.inboxd.mail.spf.SpfIdentity;
import dev.inboxd.mail.text.HtmlText;
import dev.inboxd.queue.ReturnPaths;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is done with an input, and what must hold whatever it is. Beside that: no exception that is not meant for it.
 */
final class FuzzTargets {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final PageSeal SEAL = new PageSeal(List.of(new byte[32]), () -> NOW);

    private static final ReturnPaths RETURN_PATHS = new ReturnPaths(List.of(new byte[32]));

    private FuzzTargets() {}

    /** One address; what is understood is written so that it is understood the same again. */
    static void address(FuzzInput in) {
        String text = in.text();
        try {
            AddrSpec address = AddrSpec.parse(text);
            hold(AddrSpec.parse(address.toString()).equals(address), "another address when written: " + address);
            hold(address.toString().chars().noneMatch(c -> c < ' ' || c == 0x7F), "a control character in an address");
        } catch (AddressSyntaxException malformed) {
            hold(malformed.getMessage() != null, "refused without a reason");
        }
        try {
            var _ = AddressList.parse(text);
        } catch (AddressSyntaxException malformed) {
            hold(malformed.getMessage() != null, "refused without a reason");
        }
    }

    /** An address field of a received message. */
    static void addressField(FuzzInput in) {
        hold(
                AddressHeader.parse(in.text(), UnaryOperator.identity()).size() <= AddressHeader.MAX_ADDRESSES,
                "too many");
    }

    /** The encoded words of a subject, and of a name. */
    static void encodedWords(FuzzInput in) {
        String words = in.latin().replace("\r", "").replace("\n", "\r\n ");
        ParsedMessage parsed = parse(("Subject: " + words + "\r\nFrom: " + words + " <a@b.test>\r\n\r\n")
                .getBytes(StandardCharsets.ISO_8859_1));
        clean(parsed.subject());
        parsed.addresses().from().forEach(address -> clean(address.name()));
    }

    /** A whole message with its attachments, as it is stored and shown. */
    static void message(FuzzInput in) {
        byte[] octets = in.rest();
        ParsedMessage parsed = parse(octets);
        clean(parsed.subject());
        clean(parsed.body().text());
        clean(parsed.body().html());
        parsed.headers().forEach(field -> clean(field.value()));
        for (AttachmentPart part : parsed.body().attachments()) {
            clean(part.filename());
            try (InputStream content = PartReader.open(new ByteArrayInputStream(octets), part.index())) {
                hold(content.readAllBytes().length == part.size(), "an attachment of another size than was said");
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** A message that may be a report, and reports that we make of what others said. */
    static void report(FuzzInput in) {
        String said = in.text();
        String wanted = in.text();
        byte[] octets = in.rest();
        ParsedMessage parsed = parse(octets);
        ReportReader.Parts parts = index -> PartReader.open(new ByteArrayInputStream(octets), index);
        clean(ReportReader.original(parsed, parts).messageId());
        ReportReader.read(parsed, parts).ifPresent(report -> {
            if (report instanceof Report.Delivery delivery) {
                hold(!delivery.recipients().isEmpty() && delivery.recipients().size() <= 100, "too few or too many");
                delivery.recipients().forEach(each -> clean(each.diagnostic()));
            }
        });
        if (SmtpCommand.parse(line("RCPT TO:<jo@b.test> " + wanted), 0, line("RCPT TO:<jo@b.test> " + wanted).length)
                instanceof SmtpCommand.Rcpt rcpt) {
            byte[] made = DsnFuzz.of(rcpt.dsn(), said, octets);
            ParsedMessage again = parse(made);
            hold(
                    again.headers().stream()
                            .map(HeaderField::name)
                            .toList()
                            .equals(List.of(
                                    "Date", "From", "To", "Subject", "Message-ID", "MIME-Version", "Content-Type")),
                    "a field of somebody else's");
            Report read = ReportReader.read(again, index -> PartReader.open(new ByteArrayInputStream(made), index))
                    .orElseThrow();
            hold(
                    read instanceof Report.Delivery delivery
                            && delivery.recipients().size() == 1
                            && delivery.recipients().getFirst().action() == DsnAction.FAILED,
                    "another report than was made");
        }
    }

    private static byte[] line(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A message that a program submits: what is taken for sound is read alike, and has one author whom all see. */
    static void submitted(FuzzInput in) {
        String author = in.text().replace("\r", "").replace("\n", "");
        AddrSpec sole = Author.of(author);
        if (sole != null) {
            List<String> read = AddressHeader.parse(author, UnaryOperator.identity()).stream()
                    .map(MailAddress::address)
                    .toList();
            // Written in another form, perhaps: a quoted local part, a domain in U-labels.
            hold(read.size() == 1 && AddrSpec.parse(read.getFirst()).equals(sole), "another author: " + read);
        }
        hold(!Author.namesAnother(author.replaceAll("[@\uFF20\uFE6B]", ""), "jo@b.test"), "an address without @");
        byte[] octets = in.rest();
        try {
            RawHeader header = RawHeader.read(AttachmentContent.of(octets));
            if (header != null && header.isSound()) {
                ParsedMessage parsed = parse(header.octets());
                hold(!parsed.defects().contains(Defect.MALFORMED_HEADER), "a sound header that ends early");
                hold(
                        parsed.defects().contains(Defect.TOO_MANY_HEADERS)
                                || parsed.headers().size() == header.fields().size(),
                        "other fields than were seen");
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** A local part that nobody signed leads nowhere. */
    static void returnPath(FuzzInput in) {
        hold(RETURN_PATHS.read(in.text()).isEmpty(), "a return path that was never signed is believed");
    }

    /** The judgement of a message. */
    static void spam(FuzzInput in) {
        SpamAnalysis found = SpamAnalysis.of(parse(in.rest()), new SpamAnalysis.Context(NOW, false, true));
        hold(found.features().size() <= 2_049, "more features than are kept");
    }

    static void spf(FuzzInput in) {
        HostileDns dns = new HostileDns(in.latin(), in.latin());
        String sender = in.text();
        SpfCheck check =
                new SpfCheck(dns, SpfIdentity.of(InetAddress.ofLiteral("192.0.2.1"), "h.test", sender + "@x.test"));
        Objects.requireNonNull(check.outcome());
        var _ = check.explanation("mx.test", NOW);
        // Ten terms of a record and ten hosts each, the client's names, and the explanation (RFC 7208 §4.6.4).
        hold(dns.asked() <= 140, "too many questions: " + dns.asked());
    }

    static void signatures(FuzzInput in) {
        HostileDns dns = new HostileDns(in.latin(), in.latin());
        try {
            VerificationInput message = VerificationInput.read(new ByteArrayInputStream(in.rest()));
            DkimCheck dkim = new DkimCheck(message, NOW);
            ArcCheck arc = new ArcCheck(message);
            message.readBody();
            hold(dkim.results(dns).size() <= DkimCheck.MOST_SIGNATURES + 1, "too many results");
            Objects.requireNonNull(arc.result(dns));
            hold(dns.asked() <= 200, "too many questions: " + dns.asked());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    static void dmarc(FuzzInput in) {
        HostileDns dns = new HostileDns(in.latin(), in.latin());
        String domain = in.latin().replaceAll("[^a-z.-]", "");
        Objects.requireNonNull(new DmarcCheck(dns)
                .result("a." + domain + ".test", List.of(new AuthenticatedDomain("b.test", true)), List.of()));
        hold(dns.asked() <= 20, "too many questions: " + dns.asked());
    }

    /** Nothing that speaks in our name is left in a header (attack A12). */
    static void results(FuzzInput in) {
        String value = in.text();
        var _ = AuthResultsParser.claims(value, "mx.test");
        var _ = AuthResultsParser.read(value);
        byte[] message = (AuthenticationResults.NAME + ":" + value).getBytes(StandardCharsets.UTF_8);
        try (InputStream stripped = new AuthResultsFilterStream(new ByteArrayInputStream(message), "mx.test")) {
            String left = new String(stripped.readAllBytes(), StandardCharsets.ISO_8859_1);
            int end = left.startsWith("\r\n") ? -2 : left.indexOf("\r\n\r\n");
            String header = end == -1 ? left : left.substring(0, end + 2);
            hold(
                    new HeaderFields(header)
                            .all("authentication-results").stream()
                                    .noneMatch(field -> AuthResultsParser.claims(field.value(), "mx.test")),
                    "results in our name are left");
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    static void html(FuzzInput in) {
        hold(HtmlText.render(in.text()).indexOf('\r') < 0, "a CR in lines");
    }

    static void reply(FuzzInput in) {
        String text = in.text();
        ExtractedReply extracted = ExtractedReply.of(text, in.text(), false);
        hold(extracted.text() == null || extracted.text().length() <= text.length() + 16, "more than there was");
        var _ = ExtractedReply.of(null, text, false);
    }

    /** Lines of a dialogue and the data between them; no path that is understood has a control character. */
    static void dialogue(FuzzInput in) {
        byte[] line = in.piece();
        if (SmtpCommand.parse(line, 0, line.length) instanceof SmtpCommand.Rcpt rcpt) {
            SmtpPath path = rcpt.forwardPath();
            hold(
                    (path.localPart() + path.domain()).chars().noneMatch(Character::isISOControl),
                    "a control character in a path");
        }
        byte[] data = in.rest();
        DotReader whole = new DotReader();
        ByteArrayOutputStream once = new ByteArrayOutputStream();
        int end = whole.read(data, 0, data.length, (buffer, from, to) -> once.write(buffer, from, to - from));
        DotReader pieces = new DotReader();
        ByteArrayOutputStream apart = new ByteArrayOutputStream();
        int at = 0;
        while (at < data.length && pieces.state() == DotReader.State.OPEN) {
            at = pieces.read(data, at, at + 1, (buffer, from, to) -> apart.write(buffer, from, to - from));
        }
        hold(whole.state() == pieces.state() && at == end, "the data end elsewhere when they come in pieces");
        // Of data that end the session nothing is kept, however much was handed on before.
        boolean kept = whole.state() == DotReader.State.OPEN || whole.state() == DotReader.State.END;
        hold(!kept || Arrays.equals(once.toByteArray(), apart.toByteArray()), "other data when they come in pieces");
        hold(whole.state() != DotReader.State.END || endsWithDot(data, end), "an end that none is");
    }

    private static boolean endsWithDot(byte[] data, int end) {
        String before = new String(data, 0, end, StandardCharsets.ISO_8859_1);
        return before.equals(".\r\n") || before.endsWith("\r\n.\r\n");
    }

    /** What is read is written so that it is read the same again. */
    static void json(FuzzInput in) {
        Object value;
        try {
            value = Json.parse(in.rest());
        } catch (Problem refused) {
            return;
        }
        hold(Objects.equals(Json.parse(Json.write(value)), value), "another value when written");
    }

    static void cursor(FuzzInput in) {
        try {
            SEAL.open(List.of("GET /v0/inboxes"), in.text());
            throw new AssertionError("a token that was never sealed is opened");
        } catch (Problem refused) {
            hold(refused.code().toString() != null, "refused without a code");
        }
    }

    private static ParsedMessage parse(byte[] octets) {
        return MessageParser.parse(new ByteArrayInputStream(octets));
    }

    /** What a database or a reader of JSON would refuse is in no text that is shown. */
    private static void clean(@Nullable String text) {
        if (text != null) {
            hold(text.indexOf(0) < 0, "U+0000 in shown text");
            hold(StandardCharsets.UTF_8.newEncoder().canEncode(text), "half a surrogate pair in shown text");
        }
    }

    private static void hold(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }
}
