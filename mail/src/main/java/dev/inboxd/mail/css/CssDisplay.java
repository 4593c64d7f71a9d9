package dev.inboxd.mail.css;

import java.util.Set;

/** The values of {@code display} (CSS Display 3 §2). */
final class CssDisplay {
    static final Set<String> WORDS = Set.of(("none block inline inline-block inline-table inline-flex inline-grid "
                    + "flex grid table table-row table-cell table-row-group table-header-group "
                    + "table-footer-group table-column table-column-group table-caption "
                    + "list-item contents flow-root run-in")
            .split(" "));

    private CssDisplay() {}

    /** Whether it is a word of a display of two values, or of one that only some programs know. */
    static boolean isWord(String word) {
        return switch (word) {
            case "block", "inline", "flow", "flow-root", "flex", "grid", "table", "ruby", "list-item" -> true;
            default -> word.startsWith("-webkit-") || word.startsWith("-moz-") || word.startsWith("-ms-");
        };
    }
}
