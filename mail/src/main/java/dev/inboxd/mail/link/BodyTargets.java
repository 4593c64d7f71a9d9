package dev.inboxd.mail.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the links of a body lead, as its Markdown shows it: the target of one that proves something stays byte for
 * byte, whatever members of its query usually track a reader (markdown.md §3).
 */
public final class BodyTargets {
    private static final int LONGEST = 200;
    private static final int MOST_LINES = 400;

    private final Supplier<List<SeenLine>> body;
    private final String subject;
    private final boolean numbersLinks;
    private @Nullable ShownLinks links;
    private @Nullable Set<Integer> proving;

    /**
     * Those of a body.
     *
     * @param body its lines, read at most once, and only where a target depends on the words of the mail
     * @param subject of the mail; null when there is none
     * @param numbersLinks whether a target of more than 200 characters is its number among the links of the mail
     */
    public BodyTargets(Supplier<List<SeenLine>> body, @Nullable String subject, boolean numbersLinks) {
        this.body = body;
        this.subject = subject == null ? "" : subject;
        this.numbersLinks = numbersLinks;
    }

    /**
     * Where an address leads.
     *
     * @param address absolute, as the mail has it
     * @return the target, or {@code link:N}; null when it is none that is shown
     */
    public @Nullable String of(String address) {
        String plain = LinkTarget.of(address);
        if (plain == null) {
            return null;
        }
        String exact = LinkTarget.exact(address);
        String target = exact != null && !exact.equals(plain) && proves(plain) ? exact : plain;
        int number = numbersLinks && target.length() > LONGEST ? links().number(plain) : 0;
        return number > 0 ? "link:" + number : target;
    }

    private boolean proves(String plain) {
        int number = links().number(plain);
        Set<Integer> provingNumbers = proving;
        return number > 0 && provingNumbers != null && provingNumbers.contains(number);
    }

    /** The links of the body, read when they are first asked for. */
    private ShownLinks links() {
        ShownLinks cached = links;
        if (cached == null) {
            List<SeenLine> lines = body.get();
            cached = ShownLinks.of(lines);
            links = cached;
            List<String> words = new ArrayList<>(List.of(subject));
            lines.stream().limit(MOST_LINES).map(SeenLine::text).forEach(words::add);
            proving = MailLinks.proving(cached, words);
        }
        return cached;
    }
}
