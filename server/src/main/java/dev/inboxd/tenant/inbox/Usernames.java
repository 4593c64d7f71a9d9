package dev.inboxd.tenant.inbox;

import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Local parts of inboxes (mail.md §5.4): in lower case, so that two never differ by case alone. */
public final class Usernames {
    private static final int LONGEST = 64;
    /** The names of RFC 2142, and names that people would mistake for the service itself (promises.md A35). */
    private static final Set<String> RESERVED = Set.of(
            "postmaster",
            "abuse",
            "mailer-daemon",
            "hostmaster",
            "webmaster",
            "admin",
            "administrator",
            "root",
            "noreply",
            "no-reply",
            "security",
            "support-inboxd",
            "bounce");

    private static final List<String> ADJECTIVES = List.of(
            "amber", "brave", "bright", "calm", "clear", "clever", "cool", "crisp", "eager", "early", "fair", "fancy",
            "fast", "fine", "fresh", "gentle", "glad", "golden", "grand", "happy", "jolly", "keen", "kind", "light",
            "lively", "lucky", "mellow", "merry", "mild", "neat", "noble", "prime", "proud", "quick", "quiet", "rapid",
            "royal", "sharp", "shiny", "silver", "smart", "smooth", "solid", "sunny", "swift", "vivid", "warm", "wise",
            "witty", "young");
    private static final List<String> NOUNS = List.of(
            "badger", "beacon", "birch", "breeze", "bridge", "canyon", "cedar", "cloud", "comet", "coral", "creek",
            "crow", "dawn", "delta", "dune", "ember", "falcon", "fern", "field", "finch", "forest", "fox", "garden",
            "glade", "harbor", "hawk", "heron", "hill", "island", "lake", "lark", "lynx", "maple", "meadow", "moon",
            "oak", "ocean", "otter", "owl", "pine", "planet", "pond", "raven", "reef", "river", "robin", "shore",
            "spruce", "star", "stone", "stream", "sun", "tide", "valley", "wave", "willow", "wind", "wolf", "wren");
    private static final Set<String> RESERVED_SKELETONS =
            RESERVED.stream().map(LookAlikes::skeleton).collect(Collectors.toUnmodifiableSet());
    private static final SecureRandom RANDOM = new SecureRandom();

    private Usernames() {}

    /** The reason why this cannot be a username, or null when it can. */
    public static @Nullable String fault(String username) {
        if (username.isEmpty() || username.length() > LONGEST) {
            return "A username has 1 to " + LONGEST + " characters";
        }
        for (int i = 0; i < username.length(); i++) {
            char c = username.charAt(i);
            if (!isWord(c) && c != '.' && c != '_' && c != '-') {
                return "A username has only letters, digits and . _ -";
            }
        }
        if (!isWord(username.charAt(0)) || !isWord(username.charAt(username.length() - 1))) {
            return "A username begins and ends with a letter or a digit";
        }
        return username.contains("..") ? "A username has no two dots in a row" : null;
    }

    private static boolean isWord(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }

    /** Whether a username is reserved at a shared domain: it is, or looks like, a name of the service. */
    public static boolean isReserved(String username) {
        return RESERVED_SKELETONS.contains(LookAlikes.skeleton(username));
    }

    /** A random username that is easy to read. */
    static String random() {
        return ADJECTIVES.get(RANDOM.nextInt(ADJECTIVES.size()))
                + NOUNS.get(RANDOM.nextInt(NOUNS.size()))
                + (10 + RANDOM.nextInt(9_990));
    }
}
