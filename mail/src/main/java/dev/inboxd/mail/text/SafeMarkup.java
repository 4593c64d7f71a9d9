package dev.inboxd.mail.text;

import dev.inboxd.mail.html.Appearance;
import dev.inboxd.mail.html.ShownHtml;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.safety.Cleaner;
import org.jsoup.safety.Safelist;

/**
 * HTML of a mail from which everything was taken that acts, loads or lies: what is left are words and their look. It
 * is meant for a frame that allows nothing either.
 *
 * @param html what stands in a body
 * @param remote the images that would be fetched from elsewhere, each once, in their order; at most 100
 */
public record SafeMarkup(String html, List<String> remote) {
    private static final int MOST_REMOTE = 100;

    /** Data of an image within the mail's own text, as characters of its URL. */
    private static final int LONGEST_DATA = 64 * 1024;

    private static final int LONGEST_STYLE = 4_096;
    private static final Set<String> DATA = Set.of(
            "data:image/png;base64,", "data:image/jpeg;base64,", "data:image/gif;base64,", "data:image/webp;base64,");
    private static final Set<String> PROPERTIES = Set.of(
            "background-color",
            "border",
            "border-bottom",
            "border-collapse",
            "border-color",
            "border-left",
            "border-radius",
            "border-right",
            "border-spacing",
            "border-style",
            "border-top",
            "border-width",
            "color",
            "display",
            "font",
            "font-family",
            "font-size",
            "font-style",
            "font-weight",
            "height",
            "letter-spacing",
            "line-height",
            "list-style-type",
            "margin",
            "margin-bottom",
            "margin-left",
            "margin-right",
            "margin-top",
            "max-width",
            "min-width",
            "padding",
            "padding-bottom",
            "padding-left",
            "padding-right",
            "padding-top",
            "text-align",
            "text-decoration",
            "text-indent",
            "text-transform",
            "vertical-align",
            "white-space",
            "width");

    public SafeMarkup {
        remote = List.copyOf(remote);
    }

    /**
     * Cleans HTML of any quality. Depth beyond 512 and elements beyond 50,000 are left out.
     *
     * @param pictures the address of a picture by its Content-ID; empty when there is none
     */
    public static SafeMarkup of(String html, UnaryOperator<String> pictures) {
        return of(html, pictures, _ -> "");
    }

    /**
     * The same, with images from elsewhere.
     *
     * @param copies the address of a copy of an image by its place in {@link #remote}; empty when there is none
     */
    public static SafeMarkup of(String html, UnaryOperator<String> pictures, IntFunction<String> copies) {
        ShownHtml shown = ShownHtml.of(html);
        shown.inlineLook();
        Document clean = new Cleaner(allowed()).clean(shown.document());
        clean.outputSettings().prettyPrint(false);
        keepPage(shown.document().body().attr("style"), clean.body());
        List<String> remote = new ArrayList<>();
        for (Element image : clean.body().select("img")) {
            if (!isOwn(image, pictures)) {
                elsewhere(image, remote, copies);
            }
        }
        clean.body().select("[style]").forEach(SafeMarkup::style);
        ShownHtml.of(clean).visit(new Legibility());
        clean.body().select("a[href]").forEach(SafeMarkup::link);
        return new SafeMarkup(clean.body().html(), remote);
    }

    /** The colours of the body, which is not taken over, go around everything. */
    private static void keepPage(String style, Element body) {
        if (!style.isEmpty()) {
            List<Node> content = List.copyOf(body.childNodes());
            body.empty().appendElement("div").attr("style", style).appendChildren(content);
        }
    }

    /** Gives letters another colour where theirs cannot be seen on what is left behind them. */
    private static final class Legibility implements ShownHtml.Visitor {
        @Override
        public void text(TextNode text, Appearance appearance) {
            String color = text.isBlank() ? null : appearance.legibleColor();
            Element around = text.parent();
            if (color != null && around != null) {
                around.attr("style", around.attr("style") + ";color:" + color);
            }
        }
    }

    private static Safelist allowed() {
        return Safelist.relaxed()
                .addTags(
                        "font", "center", "hr", "s", "del", "ins", "mark", "address", "article", "section", "header",
                        "footer")
                .addAttributes(":all", "style", "dir", "lang", "align", "valign", "bgcolor", "width", "height", "title")
                .addAttributes("font", "color", "face", "size")
                .addAttributes("table", "border", "cellpadding", "cellspacing")
                .addProtocols("img", "src", "cid", "data")
                .removeProtocols("a", "href", "ftp");
    }

    /** Gives an image what came with the mail, if it is that. */
    private static boolean isOwn(Element image, UnaryOperator<String> pictures) {
        String source = image.attr("src").strip();
        String lower = source.toLowerCase(Locale.ROOT);
        image.attr("loading", "lazy");
        if (lower.startsWith("cid:")) {
            String picture = pictures.apply(source.substring(4));
            if (!picture.isEmpty()) {
                image.attr("src", picture);
                return true;
            }
        }
        return source.length() <= LONGEST_DATA && DATA.stream().anyMatch(lower::startsWith);
    }

    /** What would be fetched becomes its words, or a copy; one of a single point shows nothing, and is never copied. */
    private static void elsewhere(Element image, List<String> remote, IntFunction<String> copies) {
        String source = image.attr("src").strip();
        String lower = source.toLowerCase(Locale.ROOT);
        if (lower.startsWith("http:") || lower.startsWith("https:") || lower.startsWith("//")) {
            int place = remote.indexOf(source);
            if (place < 0 && remote.size() < MOST_REMOTE) {
                place = remote.size();
                remote.add(source);
            }
            String copy = place < 0 || isPoint(image) ? "" : copies.apply(place);
            if (!copy.isEmpty()) {
                image.attr("src", copy);
                return;
            }
        }
        String words = image.attr("alt").isBlank() ? "image" : image.attr("alt");
        Element instead = new Element("span");
        instead.text("[" + words + "]");
        image.replaceWith(instead);
    }

    private static boolean isPoint(Element image) {
        Set<String> none = Set.of("0", "1", "0px", "1px");
        return none.contains(image.attr("width").strip())
                || none.contains(image.attr("height").strip());
    }

    private static void style(Element element) {
        String style = element.attr("style");
        StringBuilder allowed = new StringBuilder();
        for (String declaration : style.length() > LONGEST_STYLE ? new String[0] : style.split(";", -1)) {
            int colon = declaration.indexOf(':');
            String property =
                    colon < 0 ? "" : declaration.substring(0, colon).strip().toLowerCase(Locale.ROOT);
            String value = colon < 0 ? "" : declaration.substring(colon + 1).strip();
            if (PROPERTIES.contains(property) && isPlain(value)) {
                allowed.append(property).append(':').append(value).append(';');
            }
        }
        if (allowed.isEmpty()) {
            element.removeAttr("style");
        } else {
            element.attr("style", allowed.toString());
        }
    }

    /** A value that calls nothing but a colour: no url(), no expression, no escape that would hide one. */
    private static boolean isPlain(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        boolean colour = lower.startsWith("rgb(") || lower.startsWith("rgba(") || lower.startsWith("hsl(");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean plain = Character.isLetterOrDigit(c) || " #%.,-!'\"".indexOf(c) >= 0;
            if (!plain && !(colour && (c == '(' || c == ')'))) {
                return false;
            }
        }
        return colour ? lower.indexOf('(') == lower.lastIndexOf('(') : true;
    }

    /** A link opens a page of its own; one whose words name another host says where it leads. */
    private static void link(Element link) {
        String host = host(link.attr("href"));
        link.attr("target", "_blank").attr("rel", "noopener noreferrer nofollow");
        String named = named(link.text());
        if (!host.isEmpty() && !named.isEmpty() && !isSame(host, named)) {
            Element warning = new Element("strong");
            warning.attr("role", "note").text(" [this link leads to " + host + "]");
            link.after(warning);
        }
    }

    private static String host(String url) {
        try {
            String host = URI.create(url.strip()).getHost();
            return host == null
                    ? (url.startsWith("mailto:") ? "" : "an address that cannot be read")
                    : host.toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException unreadable) {
            return "an address that cannot be read";
        }
    }

    /** The first thing in a text that looks like a host; empty when nothing does. */
    private static String named(String text) {
        for (String word : text.toLowerCase(Locale.ROOT).split("[\\s<>()\"']+", 20)) {
            int scheme = word.indexOf("://");
            String remainder = scheme < 0 ? word : word.substring(scheme + 3);
            int end = 0;
            while (end < remainder.length() && "/?#:".indexOf(remainder.charAt(end)) < 0) {
                end++;
            }
            String host = remainder.substring(0, end);
            int dot = host.lastIndexOf('.');
            boolean isName = dot > 0
                    && host.length() - dot > 2
                    && host.indexOf('@') < 0
                    && host.substring(dot + 1).chars().allMatch(Character::isLetter);
            if (isName) {
                return host;
            }
        }
        return "";
    }

    private static boolean isSame(String host, String named) {
        return host.equals(named)
                || host.equals("www." + named)
                || named.equals("www." + host)
                || host.endsWith("." + named);
    }
}
