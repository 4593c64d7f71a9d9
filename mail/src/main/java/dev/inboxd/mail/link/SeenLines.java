package dev.inboxd.mail.link;

import dev.inboxd.mail.html.ShownHtml;
import java.util.ArrayList;
import java.util.List;

/** The lines that a person sees of a body, with the links in them, in their order. Empty lines are left out. */
public final class SeenLines {
    private static final int MOST = 50_000;

    private SeenLines() {}

    /** Those of a text body. */
    public static List<SeenLine> of(String text) {
        List<SeenLine> lines = new ArrayList<>();
        for (String line : (Iterable<String>) text.lines()::iterator) {
            String bare = line.strip();
            if (!bare.isEmpty()) {
                lines.add(new SeenLine(shortened(bare), bare.startsWith(">"), WrittenLinks.in(bare)));
            }
            if (lines.size() == MOST) {
                break;
            }
        }
        return lines;
    }

    /** Those of an HTML body. */
    public static List<SeenLine> of(ShownHtml html) {
        var collector = new SeenLineCollector();
        html.visit(collector);
        return collector.lines();
    }

    static String shortened(String line) {
        return line.length() <= SeenLine.LONGEST ? line : line.substring(0, SeenLine.LONGEST);
    }
}
