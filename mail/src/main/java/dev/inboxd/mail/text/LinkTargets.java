package dev.inboxd.mail.text;

import dev.inboxd.mail.html.HtmlTree;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Element;

/** Where the links of HTML lead, to be read as plain text. */
public final class LinkTargets {
    private static final int MOST = 50;
    private static final int LONGEST = 300;

    private LinkTargets() {}

    /** The first fifty targets, each once, cut to 300 characters. */
    public static List<String> of(String html) {
        Set<String> targets = new LinkedHashSet<>();
        for (Element link : HtmlTree.parse(html).select("a[href], area[href]")) {
            String target = link.attr("href").strip();
            if (!target.isEmpty() && targets.size() < MOST) {
                targets.add(target.length() > LONGEST ? target.substring(0, LONGEST) + "…" : target);
            }
        }
        return List.copyOf(targets);
    }
}
