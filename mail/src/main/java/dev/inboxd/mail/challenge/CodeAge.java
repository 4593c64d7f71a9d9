package dev.inboxd.mail.challenge;

import dev.inboxd.mail.link.WordTable;
import java.util.List;

/** What a mail says of a code in relation to another one: it replaces that, or is replaced by it. */
enum CodeAge {
    /** "Your old code 123456", "123456 is no longer valid". */
    OLD,
    /** Nothing. */
    UNSAID,
    /** "Your new code is 654321". */
    NEW;

    private static final List<String> AGES = List.of("old", "new");
    private static final List<String> BEHIND = List.of("old", "new", "gone");
    private static final List<String> CODE = List.of("code");
    /** Most words between such a word and the code. */
    private static final int FAR = 5;

    private static final int NEAR = 80;
    /** Most words between such a word and the one for a code. */
    private static final int MOST_BETWEEN = 2;

    /** What is said of what stands in a line, alone or not: a line above says it of what stands alone. */
    static CodeAge of(CodeLines lines, int at, CodeToken token, boolean alone) {
        CodeLine line = lines.get(at);
        WordTable.Place behind = line.after(token.end(), NEAR, BEHIND);
        if (behind != null && behind.list().equals("gone") && !isBetween(line, token.end(), behind.start())) {
            return OLD;
        }
        CodeAge age = before(line, token.start());
        if (age != UNSAID || !alone || at < 2) {
            return age;
        }
        CodeLine above = lines.get(at - 1);
        return above.tokens().isEmpty() ? before(above, above.text().length()) : UNSAID;
    }

    private static CodeAge before(CodeLine line, int at) {
        WordTable.Place word = line.before(at, NEAR, AGES);
        if (word == null || line.words(word.end(), at) > FAR || isBetween(line, word.end(), at)) {
            return UNSAID;
        }
        WordTable.Place code = line.before(at, at - word.start(), CODE);
        boolean isOfCode = code != null
                && line.words(word.end(), Math.max(word.end(), code.start())) <= MOST_BETWEEN
                && !line.isWithin(word.end(), Math.max(word.end(), code.start()), ":,;");
        boolean isDirect = line.words(word.end(), at) == 0;
        boolean isBehindCode = line.before(word.start(), 3, CODE) != null;
        return !isOfCode && !isDirect && !isBehindCode ? UNSAID : word.list().equals("old") ? OLD : NEW;
    }

    /** Whether something else that looks like a code stands in between. */
    private static boolean isBetween(CodeLine line, int from, int to) {
        return line.tokens().stream().anyMatch(token -> token.start() >= from && token.end() <= to && token.isDigits());
    }
}
