package dev.inboxd.mail.challenge;

import dev.inboxd.mail.link.MailLink;
import dev.inboxd.mail.link.MailLinks;
import dev.inboxd.mail.link.MailPlace;
import dev.inboxd.mail.link.SeenLine;
import dev.inboxd.mail.link.SeenLines;
import dev.inboxd.mail.link.ShownLinks;
import dev.inboxd.mail.reply.ExtractedReply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a mail says, as far as codes and links are looked for in it. A quotation holds what was asked before: its links
 * are seen, its codes are none.
 *
 * @param subject of the mail; null when there is none
 * @param text the text body; null when there is none
 * @param html the HTML body; null when there is none
 * @param listUnsubscribe the field of the header; null when there is none
 */
public record ChallengeText(
        @Nullable String subject,
        @Nullable Body text,
        @Nullable Body html,
        @Nullable String listUnsubscribe) {
    private static final int LONGEST_TITLE = 1_000;
    private static final int MOST_LINES = 400;

    /**
     * A body.
     *
     * @param allLines its lines
     * @param own those that its author wrote anew
     */
    public record Body(List<SeenLine> allLines, List<SeenLine> own) {
        /** Copies the lists. */
        public Body {
            allLines = List.copyOf(allLines);
            own = List.copyOf(own);
        }

        private boolean hasLinks() {
            return allLines.stream().anyMatch(line -> !line.links().isEmpty());
        }
    }

    /**
     * What a mail says.
     *
     * @param listUnsubscribe the field of the header; null when there is none
     */
    public static ChallengeText of(@Nullable String subject, MailBodies bodies, @Nullable String listUnsubscribe) {
        ExtractedReply.Reading<List<SeenLine>> html =
                bodies.html() == null ? null : ExtractedReply.read(bodies.html(), bodies.isReport(), SeenLines::of);
        return new ChallengeText(
                subject,
                bodies.text() == null
                        ? null
                        : new Body(
                                SeenLines.of(bodies.text()),
                                bodies.ownText() == null ? List.of() : SeenLines.of(bodies.ownText())),
                html == null ? null : new Body(html.full(), html.own() == null ? List.of() : html.own()),
                listUnsubscribe);
    }

    /** The subject, short enough to be read as a line. */
    String title() {
        return subject == null
                ? ""
                : subject.substring(0, Math.min(subject.length(), LONGEST_TITLE))
                        .strip();
    }

    /** All links, the surest first (markdown.md §9). */
    public List<MailLink> links() {
        boolean fromText = text != null && (html == null || !html.hasLinks());
        Body body = fromText ? text : html;
        List<MailLink> links = new ArrayList<>();
        if (body != null && body.hasLinks()) {
            ShownLinks shown = ShownLinks.of(body.allLines);
            MailPlace place = fromText ? MailPlace.TEXT : MailPlace.HTML;
            links.addAll(MailLinks.of(shown, place, shown.targetsOf(body.own), saying()));
        }
        links.addAll(MailLinks.ofHeader(listUnsubscribe, links));
        links.sort(MailLinks.SUREST);
        return links;
    }

    /** The subject, and the first lines of each body. */
    private List<String> saying() {
        List<String> lines = new ArrayList<>();
        lines.add(title());
        for (Body body : new @Nullable Body[] {text, html}) {
            if (body != null) {
                body.own.stream().limit(MOST_LINES).map(SeenLine::text).forEach(lines::add);
            }
        }
        return lines;
    }
}
