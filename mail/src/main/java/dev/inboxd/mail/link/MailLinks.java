package dev.inboxd.mail.link;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says what the links of a mail are for, and which of them it asks to follow: the one whose words ask to confirm, to
 * sign in or to choose a password, else the one whose address does, else the only one of a mail that asks for it.
 */
public final class MailLinks {
    private static final double WORDS = 0.92;
    private static final double VAGUE = 0.86;
    private static final double TOPIC = 0.8;
    private static final double ADDRESS = 0.76;
    private static final double ONLY = 0.72;
    private static final double QUOTED = 0.3;
    private static final double UNASKED = 0.2;
    private static final double LEAVING = 0.4;
    private static final double STEP = 0.01;

    /** The surest first, then by their numbers. */
    public static final Comparator<MailLink> SUREST =
            Comparator.comparingDouble((MailLink link) -> -link.confidence()).thenComparingInt(MailLink::number);

    private final ShownLinks shown;
    private final MailPlace place;
    private final Set<String> own;
    private final @Nullable LinkKind topic;
    private final Collection<String> lines;
    private final List<MailLink> links = new ArrayList<>();

    private MailLinks(ShownLinks shown, MailPlace place, Set<String> own, Collection<String> lines) {
        this.shown = shown;
        this.place = place;
        this.own = own;
        String subject = lines.isEmpty() ? "" : lines.iterator().next();
        topic = LinkLabel.of(subject).kind();
        this.lines = lines;
    }

    /**
     * All links, the surest first.
     *
     * @param shown the links of the body
     * @param place of the body
     * @param own the targets that do not stand in quotations alone
     * @param lines the subject, and the lines that the author wrote
     */
    public static List<MailLink> of(ShownLinks shown, MailPlace place, Set<String> own, Collection<String> lines) {
        MailLinks mail = new MailLinks(shown, place, own, lines);
        mail.find();
        return mail.links;
    }

    /**
     * The numbers of the links by which a reader verifies something, sets a password or signs in, so that their targets
     * stay byte for byte (markdown.md §3).
     *
     * @param lines the subject, and lines of the body
     */
    static Set<Integer> proving(ShownLinks shown, Collection<String> lines) {
        return of(shown, MailPlace.HTML, shown.targets(), lines).stream()
                .filter(link -> link.kind().isAsked())
                .map(MailLink::number)
                .collect(Collectors.toSet());
    }

    private void find() {
        Map<Integer, MailLink> best = new HashMap<>();
        for (NumberedLink link : shown.places()) {
            MailLink judged = judged(link);
            best.merge(judged.number(), judged, MailLinks::better);
        }
        List<MailLink> sure = new ArrayList<>(best.values());
        sure.sort(SUREST);
        int before = 0;
        for (MailLink link : sure) {
            boolean confident = link.confidence() >= ADDRESS;
            links.add(confident ? withConfidence(link, link.confidence() - STEP * Math.min(before++, 5)) : link);
        }
        chooseOnly();
        links.sort(SUREST);
    }

    /** The only link of a mail that asks for something is the one that it asks for. */
    private void chooseOnly() {
        List<MailLink> possible = links.stream()
                .filter(link -> link.kind() != LinkKind.UNSUBSCRIBE && isOwn(link) && !isBeside(link))
                .limit(2)
                .toList();
        if (possible.size() == 1
                && possible.getFirst().confidence() < ONLY
                && !possible.getFirst().mismatch()
                && isAsked()) {
            MailLink only = possible.getFirst();
            LinkKind kind = topic != null && topic.isAsked() ? topic : LinkKind.VERIFY;
            links.set(
                    links.indexOf(only),
                    new MailLink(
                            only.number(),
                            only.url(),
                            exact(only.url(), only.target()),
                            only.host(),
                            only.text(),
                            kind,
                            ONLY,
                            place,
                            false));
        }
    }

    /** Whether any line asks for something. */
    private boolean isAsked() {
        return lines.stream().map(line -> LinkLabel.of(line).kind()).anyMatch(kind -> kind != null && kind.isAsked());
    }

    private boolean isOwn(MailLink link) {
        return link.confidence() > QUOTED || own.contains(link.target());
    }

    private static boolean isBeside(MailLink link) {
        return LinkLabel.of(link.text()).isBeside()
                || LinkLabel.ofAddress(link.target()).isBeside();
    }

    private static MailLink better(MailLink first, MailLink second) {
        boolean surer = second.confidence() > first.confidence() && !first.mismatch();
        return surer || second.mismatch() ? second : first;
    }

    private MailLink judged(NumberedLink link) {
        String host = NamedHost.of(link.target());
        String words = link.occurrence().words();
        boolean mismatch = !link.occurrence().isBare() && NamedHost.isOther(words, host);
        Judgement judgement = judgement(link);
        double most = mismatch || !own.contains(link.target()) || link.line().quoted() ? QUOTED : 1;
        return new MailLink(
                link.number(),
                link.occurrence().url(),
                judgement.kind.isAsked() ? exact(link.occurrence().url(), link.target()) : link.target(),
                host,
                words,
                judgement.kind,
                rounded(Math.min(most, judgement.confidence)),
                place,
                mismatch);
    }

    /** An address that proves something is not touched (markdown.md §3). */
    private static String exact(String url, String plain) {
        String target = LinkTarget.exact(url);
        return target == null ? plain : target;
    }

    private static double rounded(double confidence) {
        return Math.round(confidence * 100) / 100.0;
    }

    private static MailLink withConfidence(MailLink link, double confidence) {
        return new MailLink(
                link.number(),
                link.url(),
                link.target(),
                link.host(),
                link.text(),
                link.kind(),
                rounded(confidence),
                link.place(),
                link.mismatch());
    }

    private record Judgement(LinkKind kind, double confidence) {}

    private Judgement judgement(NumberedLink link) {
        LinkLabel label = LinkLabel.of(
                link.occurrence().isBare()
                        ? wordsBefore(link)
                        : link.occurrence().words());
        LinkLabel address = LinkLabel.ofAddress(link.target());
        LinkKind kind = label.kind();
        boolean own = kind != null;
        if (kind == LinkKind.UNSUBSCRIBE) {
            return new Judgement(kind, LEAVING);
        }
        if (label.isBeside()) {
            return new Judgement(address.isIn("unsubscribe") ? LinkKind.UNSUBSCRIBE : LinkKind.UNCLASSIFIED, UNASKED);
        }
        if (kind == null && !link.occurrence().isBare() && label.isVague()) {
            LinkLabel line = LinkLabel.of(lineAround(link));
            kind = line.kind();
            if (line.isBeside()) {
                return new Judgement(kind == LinkKind.UNSUBSCRIBE ? kind : LinkKind.UNCLASSIFIED, UNASKED);
            }
        }
        if (kind == null) {
            LinkKind meant = label.isVague() && !label.isBlank() ? topic : null;
            return meant != null && meant.isAsked() ? new Judgement(meant, TOPIC) : ofAddress(address);
        }
        double sure = kind == LinkKind.UNSUBSCRIBE ? LEAVING : own ? WORDS : VAGUE;
        return new Judgement(kind, kind == LinkKind.UNSUBSCRIBE ? sure : sure + (kind == topic ? 0.05 : 0));
    }

    private Judgement ofAddress(LinkLabel address) {
        LinkKind kind = address.kind();
        if (kind == null || (address.isBeside() && kind != LinkKind.UNSUBSCRIBE)) {
            return new Judgement(LinkKind.UNCLASSIFIED, UNASKED);
        }
        return new Judgement(kind, kind == LinkKind.UNSUBSCRIBE ? LEAVING : ADDRESS + (kind == topic ? 0.04 : 0));
    }

    /** What stands in front of a written address: in its line, or in the line before when it has none. */
    private static String wordsBefore(NumberedLink link) {
        int start = 0;
        for (SeenLink preceding : link.line().links()) {
            start = preceding.end() <= link.occurrence().start() ? Math.max(start, preceding.end()) : start;
        }
        String line = link.line().text();
        int end = Math.min(link.occurrence().start(), line.length());
        String words = start < end ? line.substring(start, end).strip() : "";
        boolean first = start == 0;
        return words.length() >= 3 || !first ? words : link.before();
    }

    private static String lineAround(NumberedLink link) {
        String line = link.line().text();
        return line.length() <= link.occurrence().words().length() + 2 ? link.before() + " " + line : line;
    }

    /** The addresses of a List-Unsubscribe field (RFC 8058 §3.1) that are no link of the body. */
    public static List<MailLink> ofHeader(@Nullable String listUnsubscribe, List<MailLink> others) {
        List<MailLink> headerLinks = new ArrayList<>();
        String field = listUnsubscribe == null ? "" : listUnsubscribe;
        for (int at = field.indexOf('<'); at >= 0; at = field.indexOf('<', at + 1)) {
            int end = field.indexOf('>', at);
            String url = end < 0 ? "" : field.substring(at + 1, end).strip();
            String target = SeenLink.isWeb(url) ? LinkTarget.of(url) : null;
            int number = others.size() + headerLinks.size() + 1;
            if (target != null
                    && number <= ShownLinks.MOST
                    && SeenLink.isWeb(target)
                    && others.stream().noneMatch(link -> link.target().equals(target))
                    && headerLinks.stream().noneMatch(link -> link.target().equals(target))) {
                headerLinks.add(new MailLink(
                        number,
                        url,
                        target,
                        NamedHost.of(target),
                        "",
                        LinkKind.UNSUBSCRIBE,
                        LEAVING,
                        MailPlace.HEADER,
                        false));
            }
        }
        return headerLinks;
    }
}
