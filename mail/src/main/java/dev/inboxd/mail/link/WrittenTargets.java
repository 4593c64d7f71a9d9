package dev.inboxd.mail.link;

import java.util.ArrayList;
import java.util.List;

/** The web addresses that are written out in a line of text, and where they lead (markdown.md §3). */
public final class WrittenTargets {
    private WrittenTargets() {}

    /**
     * An address.
     *
     * @param start where it begins in its line
     * @param end where it ends there: signs at the end of a sentence are none of it
     * @param target where it leads
     */
    public record Place(int start, int end, String target) {}

    /**
     * Those of a line, in their order.
     *
     * @param targets where the links of the body lead
     */
    public static List<Place> in(String line, BodyTargets targets) {
        if (!line.contains("://")) {
            return List.of();
        }
        List<Place> places = new ArrayList<>();
        for (SeenLink link : WrittenLinks.in(line)) {
            String target = targets.of(link.url());
            if (target != null) {
                places.add(new Place(link.start(), link.end(), target));
            }
        }
        return places;
    }
}
