import dev.inboxd.mail.spam.Features;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which messages belong together: answers to one another, and copies that differ in little. They must lie in one fold,
 * or a message is judged by its own twin.
 */
final class Campaigns {
    /**
     * Messages are near-identical when the least values of so many independent hashes of their features are the same.
     */
    private static final int BAND = 8;

    private static final int BANDS = 8;

    private final int[] parent;
    private final Map<String, Integer> first = new HashMap<>();

    private Campaigns(int messages) {
        this.parent = new int[messages];
        Arrays.setAll(parent, i -> i);
    }

    /** The campaign of each message, as the number of one of its messages. */
    static int[] of(List<String> subjects, List<Features> features) {
        Campaigns campaigns = new Campaigns(features.size());
        for (int i = 0; i < features.size(); i++) {
            String subject = plain(subjects.get(i));
            if (!subject.isEmpty()) {
                campaigns.join(i, subject);
            }
            int[] least = least(features.get(i));
            for (int band = 0; band < BANDS; band++) {
                campaigns.join(i, band + Arrays.toString(Arrays.copyOfRange(least, band * BAND, (band + 1) * BAND)));
            }
        }
        int[] roots = new int[features.size()];
        Arrays.setAll(roots, campaigns::root);
        return roots;
    }

    private void join(int message, String key) {
        Integer other = first.putIfAbsent(key, message);
        if (other != null) {
            parent[root(message)] = root(other);
        }
    }

    private int root(int message) {
        int at = message;
        while (parent[at] != at) {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        return at;
    }

    /** Without the marks of answers and lists, and without what counts them. */
    private static String plain(String subject) {
        String text =
                subject.toLowerCase(Locale.ROOT).replaceAll("\\[[^]]*]", "").replaceAll("\\b(re|fwd?|aw)\\s*:", "");
        return text.replaceAll("[^\\p{L}]+", " ").strip();
    }

    private static int[] least(Features features) {
        int[] least = new int[BAND * BANDS];
        Arrays.fill(least, Integer.MAX_VALUE);
        features.forEach(hash -> {
            for (int i = 0; i < least.length; i++) {
                int h = (hash ^ (i * 0x9E3779B9)) * 0x85ebca6b;
                h = (h ^ (h >>> 15)) * 0xc2b2ae35;
                least[i] = Math.min(least[i], h ^ (h >>> 16));
            }
        });
        return least;
    }
}
