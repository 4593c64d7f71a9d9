package dev.inboxd.mail.link;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What words say of a link: what it is for, and whether it is beside the matter of the mail. */
final class LinkLabel {
    private static final WordTable WORDS = WordTable.of(LinkLabel.class, "links.txt");
    private static final int LONGEST = 300;

    private final String folded;
    private final List<WordTable.Place> places;

    private LinkLabel(String folded) {
        this.folded = folded;
        places = within(WORDS.in(folded));
    }

    /** Reads words as a person wrote them. */
    static LinkLabel of(String words) {
        String start = words.substring(0, Math.min(words.length(), LONGEST));
        return new LinkLabel(WordTable.fold(Normalizer.normalize(start, Normalizer.Form.NFC)));
    }

    /** Reads the path and the query of an address as words. */
    static LinkLabel ofAddress(String url) {
        int path = url.indexOf('/', url.indexOf("//") + 2);
        int end = Math.min(url.length(), 1_000);
        StringBuilder words = new StringBuilder();
        for (int i = path < 0 ? end : path; i < end; i++) {
            words.append(Character.isLetterOrDigit(url.charAt(i)) ? url.charAt(i) : ' ');
        }
        return new LinkLabel(WordTable.fold(words.toString()));
    }

    /** A word within longer ones does not count: "unsubscribe" is no "subscribe". */
    private static List<WordTable.Place> within(List<WordTable.Place> all) {
        List<WordTable.Place> outer = new ArrayList<>(all);
        outer.removeIf(place -> all.stream()
                .anyMatch(enclosing -> enclosing.start() <= place.start()
                        && enclosing.end() >= place.end()
                        && enclosing.end() - enclosing.start() > place.end() - place.start()));
        return outer;
    }

    boolean isIn(String list) {
        return places.stream().anyMatch(place -> place.list().equals(list));
    }

    boolean isBeside() {
        return isIn("beside");
    }

    boolean isBlank() {
        return folded.isBlank();
    }

    /** Whether only the line around it says what the link is for. */
    boolean isVague() {
        return folded.isBlank() || (kind() == null && !isBeside() && isIn("here"));
    }

    /** The first kind that it names; null when it names none. */
    @Nullable
    LinkKind kind() {
        if (isIn("unsubscribe")) {
            return LinkKind.UNSUBSCRIBE;
        }
        if (isIn("reset")) {
            return LinkKind.RESET;
        }
        for (WordTable.Place place : places) {
            switch (place.list()) {
                case "verify" -> {
                    return LinkKind.VERIFY;
                }
                case "sign_in" -> {
                    return LinkKind.SIGN_IN;
                }
                default -> {}
            }
        }
        return null;
    }
}
