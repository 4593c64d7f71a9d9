package dev.inboxd.outbound;

import dev.inboxd.outbound.mx.StsPolicy;
import dev.inboxd.smtp.client.EhloExtensions;
import dev.inboxd.smtp.client.ReplyReader;
import dev.inboxd.smtp.client.ServerReply;
import dev.inboxd.smtp.client.SmtpResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What must hold of whatever another server says when mail is brought to it. */
public final class OutboundFuzz {
    private OutboundFuzz() {}

    /** The record and the policy of MTA-STS: one that is understood names hosts, is bounded, and says when it ends. */
    public static void policy(String record, String policy) {
        StsPolicy.id(List.of(record))
                .ifPresent(id -> hold(
                        !id.isEmpty() && id.length() <= 32 && id.chars().allMatch(Character::isLetterOrDigit),
                        "a strange id: " + id));
        StsPolicy.parse(policy).ifPresent(found -> {
            hold(
                    found.mode() == StsPolicy.Mode.NONE || !found.hosts().isEmpty(),
                    "a policy under which nobody takes mail");
            hold(!found.maxAge().isNegative() && found.maxAge().toDays() <= 366, "a policy for longer than a year");
            String named = policy.toLowerCase(Locale.ROOT);
            hold(
                    !found.names("evil.test") || named.contains("evil.test") || named.contains("*.test"),
                    "a host it does not name");
        });
    }

    /** Replies: a failure or a code, on one clean line, and offers that can be asked for. */
    public static void replies(byte[] octets) {
        int[] at = {0};
        ReplyReader reader = new ReplyReader(() -> at[0] < octets.length ? octets[at[0]++] & 0xff : -1);
        List<ReplyReader.Lines> read = new ArrayList<>();
        try {
            while (read.size() < 100) {
                read.add(reader.read());
            }
        } catch (IOException ended) {
            hold(ended.getMessage() == null || ended.getMessage().length() < 4_096, "a failure that floods the log");
        }
        for (ReplyReader.Lines lines : read) {
            ServerReply reply = lines.reply();
            hold(reply.code() >= 200 && reply.code() <= 599, "no code of a reply: " + reply.code());
            hold(
                    reply.text().length() <= 1_000 && reply.text().chars().noneMatch(c -> c < ' ' || c == 0x7f),
                    "a text of several lines");
            hold(EhloExtensions.of(lines.lines()).maxSize() >= 0, "a size below nothing");
            RecipientOutcome outcome = RecipientOutcome.of(SmtpResult.refused(reply, true));
            hold(outcome.reply().length() <= 2_000, "a word that no row takes");
        }
    }

    private static void hold(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError(otherwise);
        }
    }
}
