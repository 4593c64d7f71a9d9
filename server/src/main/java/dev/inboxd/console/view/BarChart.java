package dev.inboxd.console.view;

import java.util.ArrayList;
import java.util.List;

/**
 * How much mail came and left in spans of time that follow one another, as a picture that needs no script.
 *
 * @param name what it shows
 * @param bars from the oldest span to the newest
 */
public record BarChart(String name, List<Bar> bars) {
    /** The height of the highest bar, in the units of the picture. */
    public static final int HEIGHT = 60;

    public BarChart {
        bars = List.copyOf(bars);
    }

    /**
     * A span of time.
     *
     * @param label its name
     * @param received how many messages came
     * @param sent how many left
     */
    public record Bar(String label, long received, long sent) {}

    /** The height of a number's bar; a number that is not nothing can be seen. */
    public long height(long number) {
        long most = Math.max(
                1,
                bars.stream()
                        .mapToLong(bar -> Math.max(bar.received, bar.sent))
                        .max()
                        .orElse(1));
        return number == 0 ? 0 : Math.max(2, number * HEIGHT / most);
    }

    /** The picture in words. */
    public String words() {
        List<String> words = new ArrayList<>();
        for (Bar bar : bars) {
            if (bar.received > 0 || bar.sent > 0) {
                words.add(bar.label + ": " + bar.received + " received, " + bar.sent + " sent");
            }
        }
        return name + ". " + (words.isEmpty() ? "No mail." : String.join("; ", words) + ".");
    }
}
