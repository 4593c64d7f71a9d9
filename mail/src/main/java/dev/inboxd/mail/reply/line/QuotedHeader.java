package dev.inboxd.mail.reply.line;

import dev.inboxd.mail.reply.phrase.PhraseTree;
import dev.inboxd.mail.reply.phrase.Phrases;
import java.util.List;

/** Finds the block of header fields that Outlook and others write above the quoted message. */
final class QuotedHeader {
    private static final int MAX_LINES = 16;
    private static final int MAX_FOLDED = 3;

    private QuotedHeader() {}

    /**
     * Finds the end of a block that begins with a line.
     *
     * @param afterDivider whether there is a divider above; then fewer fields suffice
     * @return the index after its last line, or -1 when there is none
     */
    static int endOf(List<TextLine> lines, int first, boolean afterDivider) {
        int kinds = labelsOf(lines.get(first));
        if (kinds == 0) {
            return -1;
        }
        boolean address = lines.get(first).words().indexOf('@') >= 0;
        boolean rows = isRow(lines.get(first).words());
        int end = first + 1;
        int pending = 0;
        for (int i = end; i < lines.size() && i < first + MAX_LINES && pending < MAX_FOLDED; i++) {
            int labels = lines.get(i).isQuoted() ? 0 : labelsOf(lines.get(i));
            if (labels == 0) {
                pending++; // a folded value, or separate paragraphs for the fields, when another field follows
                continue;
            }
            kinds |= labels;
            address |= lines.get(i).words().indexOf('@') >= 0;
            end = i + 1;
            pending = 0;
        }
        return isHeader(kinds, address, afterDivider, rows) ? end : -1;
    }

    // "From: Berlin, To: Paris, Date: Monday" is text that people write themselves; so are tables with such words.
    private static boolean isHeader(int kinds, boolean address, boolean afterDivider, boolean rows) {
        boolean from = (kinds & Phrases.FROM) != 0;
        boolean subject = (kinds & Phrases.SUBJECT) != 0;
        boolean more = (kinds & (Phrases.SENT | Phrases.TO)) != 0;
        return from && more && (rows ? address : subject || address || afterDivider);
    }

    /** The kinds of fields in a line, as bits: usually one, but some programs write all fields on one line. */
    private static int labelsOf(TextLine line) {
        String words = line.words().indexOf('*') < 0 ? line.words() : line.plain();
        if (isRow(words)) {
            PhraseTree.Match match = Phrases.LABELS.longest(words, 2);
            return match != null && words.startsWith(" |", match.edge()) ? match.value() : 0;
        }
        int kinds = labelAt(words, 0);
        if (kinds != Phrases.FROM) {
            return kinds;
        }
        for (int i = words.indexOf(' '); i >= 0; i = words.indexOf(' ', i + 1)) {
            kinds |= labelAt(words, i + 1);
        }
        return kinds;
    }

    /** A row of two cells: {@code | From | Ann<ann@example.org> |}. */
    private static boolean isRow(String words) {
        return words.startsWith("| ") && words.chars().filter(c -> c == '|').count() <= 3;
    }

    private static int labelAt(String words, int at) {
        PhraseTree.Match match = Phrases.LABELS.longest(words, at);
        if (match == null) {
            return 0;
        }
        int colon = match.edge();
        while (colon < words.length() && words.charAt(colon) == ' ') {
            colon++;
        }
        boolean ended = colon < words.length() && (words.charAt(colon) == ':' || words.charAt(colon) == '：');
        return ended ? match.value() : 0;
    }
}
