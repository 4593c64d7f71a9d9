package dev.inboxd.mailbox.search;

import dev.inboxd.mail.text.TextFolding;
import dev.inboxd.mail.text.Words;
import dev.inboxd.mailbox.search.segment.TermCollector;
import dev.inboxd.mailbox.search.segment.TermKey;
import dev.inboxd.mailbox.thread.MailFilter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the index has of every message that a filter of senders, recipients and subjects keeps: runs of letters of such
 * a substring are parts of words there. So a rare sender is found among however many messages with a frequent word.
 */
final class HeaderParts {
    /** Each is one more look-up in each segment; the others are looked for in the rows. */
    private static final int MOST = 12;

    private HeaderParts() {}

    /** The keys that such a message has all of; some others have them, too. */
    static List<TermKey.Range> of(MailFilter.Texts texts) {
        Set<TermKey.Range> parts = new LinkedHashSet<>();
        Stream.of(texts.senders(), texts.recipients(), texts.subject())
                .flatMap(List::stream)
                .forEach(substring -> parts.addAll(of(substring)));
        return parts.stream().limit(MOST).toList();
    }

    private static List<TermKey.Range> of(String substring) {
        Set<TermKey.Range> parts = new LinkedHashSet<>();
        Words words = new Words(TextFolding.composed(substring));
        while (words.next()) {
            // In scripts without spaces a mark behind the substring may be part of its last letter.
            if (!words.unspaced() && words.folded().length() >= TermCollector.PART) {
                parts.addAll(new SearchQuery.Word(words.folded().toString(), false, false).header());
            }
        }
        return List.copyOf(parts);
    }
}
