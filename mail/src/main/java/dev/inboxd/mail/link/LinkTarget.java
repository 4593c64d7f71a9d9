package dev.inboxd.mail.link;

import dev.inboxd.mail.url.UrlEncoding;
import dev.inboxd.mail.url.WebAddress;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where a link of a mail leads (markdown.md §3). Nothing is fetched. */
public final class LinkTarget {
    /** The longest address that is a link, in characters. */
    static final int LONGEST = 32_768;

    private static final int MOST_WRAPPERS = 3;
    private static final Set<String> OTHER_SCHEMES = Set.of("mailto", "tel", "sms");

    /** A web address, as it is written and as it is read. */
    private record Target(String written, WebAddress web) {
        String exact() {
            String bare = written.strip();
            return bare.chars().allMatch(c -> c > ' ' && c < 0x7F) ? bare : web.toString();
        }
    }

    private LinkTarget() {}

    /**
     * The target of a link: normalized as a browser does it, the one that stands in it in place of an address that
     * redirects, and without the members of the query that track its reader. One whose path says that its reader
     * verifies, sets a password or signs in is {@link #exact}.
     *
     * @param address as the mail has it
     * @return null when it is no absolute address of a kind that is shown: http, https, mailto, tel, sms
     */
    public static @Nullable String of(String address) {
        Target target = target(address);
        if (target == null) {
            return nonWeb(address);
        }
        return SignInWords.isIn(target.web)
                ? target.exact()
                : TrackingMembers.without(target.web).toString();
    }

    /**
     * The target of a link by which its reader verifies an address, sets a password or signs in: what redirects to it
     * is taken off, and what is left stays byte for byte.
     *
     * @param address as the mail has it
     * @return null as of {@link #of}
     */
    public static @Nullable String exact(String address) {
        Target target = target(address);
        return target == null ? nonWeb(address) : target.exact();
    }

    /** Where a web address leads; null when it is none. */
    private static @Nullable Target target(String address) {
        String written = address;
        WebAddress web = address.length() > LONGEST ? null : WebAddress.parse(address);
        for (int i = 0; i < MOST_WRAPPERS && web != null; i++) {
            String inner = LinkWrapper.targetIn(written, web);
            if (inner == null) {
                break;
            }
            written = inner;
            web = WebAddress.parse(inner);
        }
        return web == null ? null : new Target(written, web);
    }

    private static @Nullable String nonWeb(String address) {
        if (address.length() > LONGEST) {
            return null;
        }
        String text = UrlEncoding.withoutControls(address);
        int colon = text.indexOf(':');
        String scheme = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
        boolean isShown = OTHER_SCHEMES.contains(scheme) && colon + 1 < text.length();
        return isShown ? scheme + ":" + UrlEncoding.opaque(text.substring(colon + 1)) : null;
    }
}
