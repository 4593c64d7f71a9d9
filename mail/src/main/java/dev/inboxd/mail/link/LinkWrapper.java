package dev.inboxd.mail.link;

import dev.inboxd.mail.url.UrlEncoding;
import dev.inboxd.mail.url.WebAddress;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An address that redirects to one that stands in it (markdown.md §3). It says so by a label of its host, a segment of
 * its path, or the name of the member that has the target.
 */
final class LinkWrapper {
    private static final Set<String> HOSTS = Set.of(
            "click",
            "clicks",
            "clk",
            "track",
            "tracking",
            "trk",
            "link",
            "links",
            "lnk",
            "email",
            "mail",
            "go",
            "r",
            "redirect",
            "redir",
            "url",
            "out",
            "safelinks",
            "urldefense",
            "l",
            "t",
            "e",
            "secure-web");

    private static final Set<String> SEGMENTS = Set.of(
            "click", "ls", "r", "redirect", "redir", "track", "l", "l0", "url", "ss", "cl", "wf", "v1", "v2", "v3");

    private static final Set<String> TARGETS =
            Set.of("url", "u", "q", "target", "dest", "destination", "redirect_url", "originalsrc");

    /** Where a sign-in leads afterwards is not where the link leads; without hyphens and underscores. */
    private static final Set<String> AFTERWARDS = Set.of(
            "next",
            "continue",
            "continueurl",
            "return",
            "returnto",
            "returnurl",
            "returnuri",
            "redirecturi",
            "callback",
            "callbackurl",
            "state",
            "relaystate",
            "service",
            "goto");

    private final WebAddress address;
    private final List<QueryMember> members;

    private LinkWrapper(WebAddress address) {
        this.address = address;
        this.members = QueryMember.of(address);
    }

    /**
     * The target that stands in an address.
     *
     * @param web the same as it is read
     * @return as it stands there, decoded; null when the address does not say that it redirects, or has none
     */
    static @Nullable String targetIn(String address, WebAddress web) {
        if (SignInWords.isHost(firstLabel(web.host()))) {
            return null;
        }
        String inPath = UrlDefense.targetIn(address);
        return inPath != null ? inPath : new LinkWrapper(web).target();
    }

    private static String firstLabel(String host) {
        int dot = host.indexOf('.');
        return dot < 0 ? host : host.substring(0, dot);
    }

    private @Nullable String target() {
        boolean says = HOSTS.contains(firstLabel(address.host()));
        boolean signsIn = false;
        String inPath = null;
        String path = address.path();
        for (int start = 1; start <= path.length() && inPath == null && !signsIn; ) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? path.length() : slash;
            String segment = path.substring(start, end);
            inPath = says ? inSegment(segment, start) : null;
            if (inPath == null) {
                String words = UrlEncoding.decoded(segment).toLowerCase(Locale.ROOT);
                says |= SEGMENTS.contains(words);
                signsIn = SignInWords.isSegment(words);
            }
            start = end + 1;
        }
        if (signsIn) {
            return null;
        }
        String named = inMembers(true);
        return named != null ? named : inPath != null || !says ? inPath : inMembers(false);
    }

    /** The target in a segment, or the one that begins with it where its slashes are not encoded. */
    private @Nullable String inSegment(String segment, int start) {
        boolean begins = segment.equalsIgnoreCase("https:") || segment.equalsIgnoreCase("http:");
        if (!begins) {
            return WrittenTarget.in(segment);
        }
        String tail = address.toString().substring(address.pathStart() + start + segment.length());
        return WrittenTarget.asIs(segment + "//" + tail.substring(slashes(tail)));
    }

    private static int slashes(String text) {
        int i = 0;
        while (i < text.length() && i < 2 && text.charAt(i) == '/') {
            i++;
        }
        return i;
    }

    private @Nullable String inMembers(boolean named) {
        for (QueryMember member : members) {
            if (named == TARGETS.contains(member.name()) && !isAfterwards(member.name())) {
                String target = WrittenTarget.in(member.value());
                if (target != null) {
                    return target;
                }
            }
        }
        return null;
    }

    private static boolean isAfterwards(String name) {
        return AFTERWARDS.contains(name.replace("_", "").replace("-", ""));
    }
}
