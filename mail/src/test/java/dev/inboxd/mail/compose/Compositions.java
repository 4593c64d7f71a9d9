package dev.inboxd.mail.compose;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compositions to start a test from. */
final class Compositions {
    static final Instant DATE = Instant.parse("2026-11-05T09:08:07Z");
    static final String ID = "<0190a1b2-c3d4@inboxd.example>";
    static final Mailbox AGENT = new Mailbox("Agent Smith", "agent@inboxd.example");
    static final Mailbox ANN = new Mailbox(null, "ann@example.org");

    private Compositions() {}

    static Composition text(String text) {
        return body(text, null);
    }

    static Composition body(@Nullable String text, @Nullable String html, OutgoingAttachment... attachments) {
        return new Composition(
                addresses(),
                new Composition.Identification(ID, List.of(), List.of()),
                "Hello",
                DATE,
                List.of(),
                new Composition.Body(text, html, List.of(attachments)));
    }

    static Composition.Addresses addresses() {
        return new Composition.Addresses(AGENT, List.of(ANN), List.of(), List.of());
    }

    static Composition subject(String subject) {
        return new Composition(
                addresses(),
                text("x").identification(),
                subject,
                DATE,
                List.of(),
                text("x").body());
    }

    static Composition addressed(Composition.Addresses addresses) {
        return new Composition(
                addresses,
                text("x").identification(),
                "Hello",
                DATE,
                List.of(),
                text("x").body());
    }

    static Composition ids(Composition.Identification ids) {
        return new Composition(
                addresses(), ids, "Hello", DATE, List.of(), text("x").body());
    }

    static Composition headers(CustomHeaderField... headers) {
        return new Composition(
                addresses(),
                text("x").identification(),
                "Hello",
                DATE,
                List.of(headers),
                text("x").body());
    }

    static OutgoingAttachment file(@Nullable String name, String mediaType, String content) {
        return new OutgoingAttachment(
                name, mediaType, false, null, AttachmentContent.of(content.getBytes(StandardCharsets.UTF_8)));
    }

    static OutgoingAttachment picture(String contentId) {
        return new OutgoingAttachment("logo.png", "image/png", true, contentId, AttachmentContent.of(new byte[] {
            (byte) 0x89, 'P', 'N', 'G', 13, 10
        }));
    }

    static String compose(Composition composition) {
        return new String(Composer.compose(composition).bytes(), StandardCharsets.UTF_8);
    }

    /** The header section with folds undone. */
    static String header(Composition composition) {
        var message = compose(composition);
        return message.substring(0, message.indexOf("\r\n\r\n"))
                .replace("\r\n ", " ")
                .replace("\r\n\t", "\t");
    }
}
