package dev.inboxd.fuzz;

import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.SevenBitConversion;
import dev.inboxd.mail.message.MessageParser;
import dev.inboxd.mail.message.ParsedMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** A submitted message in 7-bit form: ASCII throughout, as long as was said, and with the same texts as before. */
final class SevenBitFuzz {
    private SevenBitFuzz() {}

    static void check(FuzzInput in) {
        byte[] octets = in.rest();
        AttachmentContent given = AttachmentContent.of(octets);
        try {
            AttachmentContent converted = SevenBitConversion.of(given);
            if (!converted.equals(given)) {
                same(octets, converted);
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void same(byte[] before, AttachmentContent converted) throws IOException {
        byte[] after;
        try (InputStream in = converted.open()) {
            after = in.readAllBytes();
        }
        hold(after.length == converted.length(), "another length than was said");
        for (byte octet : after) {
            hold(octet >= 0, "an octet that is not ASCII");
        }
        ParsedMessage was = MessageParser.parse(new ByteArrayInputStream(before));
        ParsedMessage is = MessageParser.parse(new ByteArrayInputStream(after));
        hold(Objects.equals(was.body().text(), is.body().text()), "another text");
        hold(Objects.equals(was.body().html(), is.body().html()), "another HTML");
        hold(was.body().attachments().size() == is.body().attachments().size(), "other attachments");
    }

    private static void hold(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }
}
