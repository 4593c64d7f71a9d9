package dev.inboxd.mail.reply;

import dev.inboxd.mail.html.ShownHtml;
import dev.inboxd.mail.text.HtmlLine;
import dev.inboxd.mail.text.LineRenderer;
import dev.inboxd.mail.text.VisitorPair;
import java.util.List;

/** Reads the lines of HTML and the markup around them in one visit, by which its quotations are found. */
public final class QuotationVisitor {
    /** Lines in which quotations are looked for; those behind belong to what the last of these belongs to. */
    private static final int MOST_LINES = 50_000;

    private final LineRenderer renderer = new LineRenderer(MOST_LINES);
    private final TextContext.Walk around = new TextContext.Walk();

    /** What visits the HTML, once. */
    public ShownHtml.Visitor visitor() {
        return new VisitorPair(renderer, around);
    }

    /** The first lines that a person sees, when everything was visited. */
    public List<HtmlLine> lines() {
        return renderer.lines();
    }

    /** The quotations in those lines; where the message says that it answers another, below a header block too. */
    public List<QuotedPart> quotations(List<HtmlLine> lines, boolean isReply) {
        return QuotedLines.of(lines, around.of(lines), isReply);
    }
}
