package dev.inboxd.mail.spam;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.message.Defect;
import dev.inboxd.mail.message.ParsedMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Matches the {@link SpamRule}s about fields, texts and attachments of a message. */
final class SpamRuleMatcher {
    /** Anywhere in the text or the HTML, on a line of its own or not. */
    static final String TEST_TEXT = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";

    /** A sender gives up within five days (RFC 5321 §4.5.4.1); the rest allows for wrong clocks. */
    private static final Duration LATEST = Duration.ofDays(10);

    private static final Duration EARLIEST = Duration.ofDays(2);

    private static final int SHOUTED = 8;
    private static final Set<Defect> AMBIGUITIES = EnumSet.of(
            Defect.DUPLICATE_FIELD,
            Defect.DUPLICATE_CONTENT_FIELD,
            Defect.DUPLICATE_BOUNDARY,
            Defect.ENCODED_MULTIPART);
    private static final Set<String> PROGRAMS = Set.of(
            "exe", "scr", "com", "pif", "bat", "cmd", "vbs", "vbe", "js", "jse", "wsf", "wsh", "hta", "lnk", "cpl",
            "jar", "msi", "ps1", "reg");

    private SpamRuleMatcher() {}

    static Set<SpamRule> of(ParsedMessage message, Instant at) {
        Set<SpamRule> facts = EnumSet.noneOf(SpamRule.class);
        note(
                facts,
                SpamRule.TEST,
                has(message.body().text(), TEST_TEXT) || has(message.body().html(), TEST_TEXT));
        Instant date = message.date();
        note(facts, SpamRule.NO_DATE, date == null);
        note(
                facts,
                SpamRule.ANOTHER_TIME,
                date != null && (date.isBefore(at.minus(LATEST)) || date.isAfter(at.plus(EARLIEST))));
        authors(facts, message);
        subject(facts, message);
        note(
                facts,
                SpamRule.DISGUISED_WORDS,
                Homoglyphs.isIn(message.body().text()) || Homoglyphs.isIn(message.subject()));
        note(facts, SpamRule.AMBIGUOUS, message.defects().stream().anyMatch(AMBIGUITIES::contains));
        note(
                facts,
                SpamRule.RUNS_WHEN_OPENED,
                message.body().attachments().stream().anyMatch(part -> isProgram(part.filename())));
        return facts;
    }

    private static void authors(Set<SpamRule> facts, ParsedMessage message) {
        List<MailAddress> from = message.addresses().from();
        note(
                facts,
                SpamRule.NO_AUTHOR,
                from.isEmpty() || from.getFirst().domain().isEmpty());
        for (MailAddress author : from) {
            note(facts, SpamRule.NAME_IS_OTHER_ADDRESS, claimsOther(author));
            List<MailAddress> answers = message.addresses().replyTo();
            note(
                    facts,
                    SpamRule.ANSWERS_ELSEWHERE,
                    !answers.isEmpty()
                            && !answers.getFirst().domain().isEmpty()
                            && !related(answers.getFirst().domain(), author.domain()));
        }
    }

    private static void subject(Set<SpamRule> facts, ParsedMessage message) {
        String subject = message.subject();
        if (subject == null) {
            return;
        }
        long letters = subject.chars().filter(c -> Character.isUpperCase(c)).count();
        note(
                facts,
                SpamRule.SHOUTED_SUBJECT,
                letters >= SHOUTED && subject.chars().noneMatch(Character::isLowerCase));
        note(
                facts,
                SpamRule.PRETENDED_ANSWER,
                subject.regionMatches(true, 0, "re:", 0, 3)
                        && message.identification().inReplyTo().isEmpty()
                        && message.identification().references().isEmpty());
    }

    private static boolean claimsOther(MailAddress author) {
        String name = author.name();
        int at = name == null ? -1 : name.indexOf('@');
        if (name == null || at <= 0) {
            return false;
        }
        int end = at + 1;
        while (end < name.length()
                && (Character.isLetterOrDigit(name.charAt(end)) || "-.".indexOf(name.charAt(end)) >= 0)) {
            end++;
        }
        String domain = name.substring(at + 1, end).toLowerCase(Locale.ROOT);
        return domain.indexOf('.') > 0 && !related(domain, author.domain());
    }

    /**
     * Whether two domains share their last two labels. Without a list of public suffixes this is a hint, not a proof.
     */
    static boolean related(String first, String second) {
        return lastLabels(first).equalsIgnoreCase(lastLabels(second));
    }

    private static String lastLabels(String domain) {
        int dot = domain.lastIndexOf('.');
        int before = dot <= 0 ? -1 : domain.lastIndexOf('.', dot - 1);
        return domain.substring(before + 1);
    }

    private static boolean isProgram(@Nullable String name) {
        return name != null
                && PROGRAMS.contains(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    }

    private static boolean has(@Nullable String text, String sought) {
        return text != null && text.contains(sought);
    }

    private static void note(Set<SpamRule> facts, SpamRule fact, boolean holds) {
        if (holds) {
            facts.add(fact);
        }
    }
}
