package dev.inboxd.mail.link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The links that a person sees in a mail, in its order, each target once: links of HTML with a web address, and web
 * addresses that are written out; those in quotations, too. At most 200.
 */
public final class ShownLinks {
    /** Most links of a mail. */
    public static final int MOST = 200;

    /** Most places of links that are looked at. */
    private static final int MOST_PLACES = 2_000;

    private final List<NumberedLink> places;
    private final Map<String, Integer> numbers;
    private final Map<String, String> targets;

    private ShownLinks(List<SeenLine> lines) {
        places = new ArrayList<>();
        numbers = new HashMap<>();
        targets = new HashMap<>();
        String before = "";
        for (SeenLine line : lines) {
            for (SeenLink link : line.links()) {
                if (places.size() == MOST_PLACES) {
                    return;
                }
                String target = targets.computeIfAbsent(link.url(), ShownLinks::target);
                Integer assigned = numbers.get(target);
                if (!target.isEmpty() && (assigned != null || numbers.size() < MOST)) {
                    int number = assigned != null ? assigned : numbers.size() + 1;
                    numbers.put(target, number);
                    places.add(new NumberedLink(number, target, link, line, before));
                }
            }
            before = line.text().isEmpty() ? before : line.text();
        }
    }

    /** Those of lines that were read already. */
    public static ShownLinks of(List<SeenLine> lines) {
        return new ShownLinks(lines);
    }

    /** Where links of these lines lead that stand in no quotation: lines of the same body. */
    public Set<String> targetsOf(List<SeenLine> lines) {
        Set<String> unquotedTargets = new HashSet<>();
        int count = 0;
        for (SeenLine line : lines) {
            for (SeenLink link : line.links()) {
                if (!line.quoted() && count++ < MOST_PLACES) {
                    unquotedTargets.add(targets.computeIfAbsent(link.url(), ShownLinks::target));
                }
            }
        }
        return unquotedTargets;
    }

    /** Where a web address leads; empty when it does not lead into the web. */
    private static String target(String url) {
        String target = LinkTarget.of(url);
        return target != null && SeenLink.isWeb(target) ? target : "";
    }

    /** All places of links; the second place of a target has the number of the first. */
    public List<NumberedLink> places() {
        return List.copyOf(places);
    }

    /** All targets. */
    Set<String> targets() {
        return Set.copyOf(numbers.keySet());
    }

    /**
     * The number of a target.
     *
     * @param target as {@link LinkTarget#of} gives it
     * @return 0 when it is none of the links
     */
    public int number(String target) {
        return numbers.getOrDefault(target, 0);
    }
}
