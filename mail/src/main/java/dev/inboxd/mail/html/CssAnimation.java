package dev.inboxd.mail.html;

import static dev.inboxd.mail.css.CssProperty.*;

import dev.inboxd.mail.css.CssDeclaration;
import dev.inboxd.mail.css.CssLength;
import dev.inboxd.mail.css.CssProperty;
import dev.inboxd.mail.css.CssText;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The animations of an element (CSS Animations 1), as far as the mail has them.
 *
 * @param frames what each frame of each animation declares, without frames that decide nothing
 * @param isUnread whether there may be animations that are not known
 * @param value the declared value, and those of the properties beside it
 */
record CssAnimation(List<List<List<CssDeclaration>>> frames, boolean isUnread, String value) {
    static final CssAnimation NONE = new CssAnimation(List.of(), false, "");

    private static final CssProperty[] MODES = {ANIMATION_FILL, ANIMATION_STATE, ANIMATION_TIME};
    private static final Set<CssProperty> COLORS = EnumSet.of(
            COLOR, FILL, FONT_SIZE, GROUND, GROUND_CLIP, PICTURE, SHADOW, STROKE, STROKE_COLOR, BLEND, EFFECT, CHANGE);
    private static final int MOST = 4;
    private static final int MOST_FRAMES = 24;
    private static final double LONG = 30;

    static CssAnimation of(CssDeclaration declared, Cascade cascade) {
        List<List<List<CssDeclaration>>> frames = new ArrayList<>(1);
        boolean unread = declared.value().contains("var(") || declared.isLong();
        boolean named = false;
        for (String word : declared.isLong() ? List.<String>of() : CssText.split(declared.value(), " ,\t\n")) {
            List<List<CssDeclaration>> keyframes =
                    cascade.frames(word.replace("\"", "").replace("'", ""));
            named |= Character.isLetter(word.charAt(0)) || keyframes != null;
            if (keyframes != null && keyframes.stream().anyMatch(frame -> !frame.isEmpty())) {
                unread |= frames.size() == MOST || keyframes.size() > MOST_FRAMES;
                frames.add(keyframes);
            }
        }
        StringBuilder value = new StringBuilder(declared.value());
        for (CssProperty property : MODES) {
            CssDeclaration mode = cascade.of(property);
            value.append(' ').append(mode == null ? "" : mode.value());
        }
        boolean elsewhere = named && !cascade.isWhole() && !declared.value().equals("none") && !declared.isWide();
        return new CssAnimation(frames, unread || elsewhere, value.toString());
    }

    /** Whether it may change what is seen. */
    boolean isChanging() {
        return isUnread || !frames.isEmpty();
    }

    /** Whether it may change the colours or the size of letters, or what is behind them. */
    boolean isRecoloring() {
        for (List<List<CssDeclaration>> keyframes : frames) {
            if (keyframes.stream()
                    .flatMap(List::stream)
                    .anyMatch(declaration -> COLORS.contains(declaration.property()))) {
                return true;
            }
        }
        return isUnread;
    }

    /**
     * Whether it may leave an element hidden: it ends so, stands still so, or is so for most of the time. What comes
     * into sight is not hidden.
     */
    boolean hides(Predicate<List<CssDeclaration>> hidden) {
        for (List<List<CssDeclaration>> keyframes : frames.subList(0, Math.min(MOST, frames.size()))) {
            List<List<CssDeclaration>> looked = keyframes.subList(0, Math.min(MOST_FRAMES, keyframes.size()));
            boolean first = hidden.test(looked.getFirst());
            boolean last = hidden.test(looked.getLast());
            int more = first ? 1 : 0;
            for (List<CssDeclaration> frame : looked.subList(1, looked.size())) {
                more += hidden.test(frame) ? 1 : -1;
            }
            more -= first ? 0 : 1;
            boolean stays = value.contains("forwards") || value.contains("both");
            boolean still = value.contains("paused") || lasts();
            if (more > 0 || (last && stays) || ((first || last) && still)) {
                return true;
            }
        }
        return false;
    }

    private boolean lasts() {
        for (String word : CssText.split(value, " ,\t\n")) {
            CssLength time = CssLength.of(word);
            double unit =
                    time == null ? 0 : time.unit().equals("s") ? 1 : time.unit().equals("ms") ? 0.001 : 0;
            if (time != null && time.number() * unit >= LONG) {
                return true;
            }
        }
        return false;
    }
}
