package dev.inboxd.mail.challenge;

import dev.inboxd.mail.link.SeenLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The lines in which codes are looked for: the subject, and the first lines of a body. */
final class CodeLines {
    private static final int MOST = 400;
    private static final int MOST_CHARACTERS = 20_000;
    private static final int LEAST_SINGLES = 4;

    private final List<CodeLine> lines = new ArrayList<>();
    /** What the whole mail says, by the list of words; found when it is asked for. */
    private final Map<String, Boolean> said = new HashMap<>();

    private CodeLines(String subject, List<String> texts, List<Boolean> linked) {
        lines.add(line(CodeText.plain(subject), false));
        for (int i = 0; i < texts.size(); i++) {
            lines.add(line(texts.get(i), linked.get(i)));
        }
    }

    private CodeLine line(String text, boolean linked) {
        return CodeLine.of(text, linked, this::isBooking);
    }

    private boolean isBooking() {
        Boolean cached = said.get("travel");
        if (cached == null) {
            cached = lines.stream().anyMatch(line -> line.names("travel"));
            said.put("travel", cached);
        }
        return cached;
    }

    private boolean says(String list) {
        Boolean cached = said.get(list);
        if (cached == null) {
            cached = lines.stream().anyMatch(line -> line.has(list));
            said.put(list, cached);
        }
        return cached;
    }

    /** Reads a subject and the lines that an author wrote; those that are quoted between them are left out. */
    static CodeLines of(String subject, List<SeenLine> own) {
        List<String> texts = new ArrayList<>();
        List<Boolean> linked = new ArrayList<>();
        int last = own.size() - 1;
        while (last >= 0 && own.get(last).quoted()) {
            last--;
        }
        int characters = 0;
        for (int i = 0; i < own.size() && texts.size() < MOST && characters < MOST_CHARACTERS; i++) {
            SeenLine line = own.get(i);
            if (line.text().isEmpty() || (line.quoted() && i < last)) {
                continue;
            }
            characters += line.text().length();
            texts.add(CodeText.withoutAddresses(CodeText.plain(line.text())));
            linked.add(!line.links().isEmpty());
        }
        joinSingles(texts, linked);
        return new CodeLines(subject, texts, linked);
    }

    /** Lines of one digit or capital each are one line: a code in boxes. */
    private static void joinSingles(List<String> texts, List<Boolean> linked) {
        for (int i = 0; i < texts.size(); i++) {
            int end = i;
            while (end < texts.size() && isSingle(texts.get(end))) {
                end++;
            }
            if (end - i >= LEAST_SINGLES) {
                String joined = String.join(" ", texts.subList(i, end));
                texts.subList(i, end).clear();
                linked.subList(i, end).clear();
                texts.add(i, joined);
                linked.add(i, false);
            }
        }
    }

    private static boolean isSingle(String text) {
        return text.length() == 1 && (CodeText.isDigit(text.charAt(0)) || CodeText.isCapital(text.charAt(0)));
    }

    CodeLine get(int index) {
        return lines.get(index);
    }

    CodeLine subject() {
        return lines.getFirst();
    }

    int size() {
        return lines.size();
    }

    /** Whether any line speaks of a code. */
    boolean speak() {
        Boolean cached = said.get("code");
        if (cached == null) {
            cached = lines.stream().anyMatch(CodeLine::speaks);
            said.put("code", cached);
        }
        return cached;
    }

    /** Whether any line says that a code consists of digits. */
    boolean nameDigits() {
        return says("digits");
    }

    /** Whether a line between these, both included, has words of a list. */
    boolean have(String list, int from, int to) {
        for (int i = Math.max(0, from); i <= Math.min(to, lines.size() - 1); i++) {
            if (lines.get(i).has(list)) {
                return true;
            }
        }
        return false;
    }
}
