package dev.inboxd.account.oauth;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A program that asks to be let in. It has no secret, and nobody vouches for it.
 *
 * @param id its client_id: a sealed text that the server gave it, or the address of its document
 * @param name what it calls itself
 * @param host where its document lies, which it does control; null for one that registered
 * @param redirectUris where it may be answered
 */
public record OAuthClient(String id, String name, @Nullable String host, List<RedirectUri> redirectUris) {
    private static final int LONGEST_NAME = 80;
    private static final int LONGEST_TITLE = 250;

    public OAuthClient {
        redirectUris = List.copyOf(redirectUris);
    }

    /** Whether it may be answered there. */
    boolean mayReturnTo(RedirectUri uri) {
        return redirectUris.stream().anyMatch(registered -> registered.covers(uri));
    }

    /**
     * The name as it stands wherever people see it: with the host of the document, or with the word that nobody looked.
     * Both are always behind it, so a name that ends like one of them has it twice. Of a long host the end is shown,
     * which is the part that somebody owns.
     */
    public String title() {
        String vouched = host == null ? "unverified" : host;
        int room = LONGEST_TITLE - name.length() - " ()".length();
        return name + " (" + (vouched.length() <= room ? vouched : "…" + vouched.substring(vouched.length() - room + 1))
                + ")";
    }

    /** The name as people may see it: one line, without characters that show nothing or turn the direction of text. */
    static String shown(@Nullable Object claimed) {
        if (!(claimed instanceof String text)) {
            return "A program without a name";
        }
        StringBuilder name = new StringBuilder();
        text.codePoints().limit(LONGEST_NAME).map(c -> isSeen(c) ? c : ' ').forEach(name::appendCodePoint);
        String shown = name.toString().strip();
        return shown.isEmpty() ? "A program without a name" : shown;
    }

    private static boolean isSeen(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
