package dev.inboxd.base.json;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Quotation;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one string member. Control characters are refused unless {@link #multiline()} is called: a line break
 * in a value must never become a line break in a mail header.
 */
public final class StringMember {
    private final String name;
    private @Nullable String value;
    private final JsonBody body;
    private int least;
    private int most = Integer.MAX_VALUE;
    private boolean multiline;
    private boolean keepsEmpty;

    StringMember(String name, @Nullable String value, JsonBody body) {
        this.name = name;
        this.value = value;
        this.body = body;
    }

    /** Sets the minimum number of characters. */
    public StringMember min(int characters) {
        least = characters;
        return this;
    }

    /** Sets the maximum number of characters (Unicode code points). */
    public StringMember max(int characters) {
        most = characters;
        return this;
    }

    /** Permits line breaks, tabs and other control characters. */
    public StringMember multiline() {
        multiline = true;
        return this;
    }

    /** Reads a tab as a space: texts that are pasted from tables have them. */
    public StringMember tabsAsSpaces() {
        value = value == null ? null : value.replace('\t', ' ');
        return this;
    }

    /** Lets the empty string be a value of its own. Without this it counts as left out: many programs write it so. */
    public StringMember keepEmpty() {
        keepsEmpty = true;
        return this;
    }

    /** The string, or null when absent, null, empty or faulty. */
    public @Nullable String optional() {
        if (value != null && value.isEmpty() && !keepsEmpty) {
            return null;
        }
        if (value != null) {
            Wrong wrong = Wrong.of(value, least, most, multiline);
            if (wrong != null) {
                body.fault(name, name + " " + wrong.message(), wrong.code());
                value = null;
            }
        }
        return value;
    }

    /**
     * The string.
     *
     * @param otherwise the value when absent
     */
    public String orElse(String otherwise) {
        String string = optional();
        return string == null ? otherwise : string;
    }

    /** The string. Absence is a fault, as is the empty string, and reads as the empty string until the check throws. */
    public String required() {
        if (!body.isGiven(name)) {
            body.missing(name);
        }
        return orElse("");
    }

    /**
     * The parsed string, or null when absent or faulty.
     *
     * @param parser returns null for a text it cannot parse
     * @param expected completes the sentence "… must be", for a text that cannot be parsed
     */
    public <T> @Nullable T as(Function<String, @Nullable T> parser, String expected) {
        String string = optional();
        if (string == null) {
            return null;
        }
        T meaning = parser.apply(string);
        if (meaning == null) {
            body.mismatch(name, string, Fault.Code.INVALID_FORMAT, expected);
        }
        return meaning;
    }

    /**
     * What is wrong with a string.
     *
     * @param message the end of the sentence about it
     */
    record Wrong(String message, Fault.Code code) {
        /** The first thing that is wrong, or null. */
        static @Nullable Wrong of(String value, int least, int most, boolean multiline) {
            // Code points are counted only when the number of UTF-16 units does not decide.
            if (value.length() > most && value.codePointCount(0, value.length()) > most) {
                return new Wrong("must have at most " + most + " characters", Fault.Code.TOO_BIG);
            }
            if (value.codePointCount(0, Math.min(value.length(), 2 * least)) < least) {
                String message = least == 1 ? "must not be empty" : "must have at least " + least + " characters";
                return new Wrong(message, Fault.Code.TOO_SMALL);
            }
            return !multiline && hasControls(value)
                    ? new Wrong("must not contain control characters" + controlNote(value), Fault.Code.INVALID_VALUE)
                    : null;
        }

        private static String controlNote(String value) {
            int at = 0;
            while (!Character.isISOControl(value.charAt(at))) {
                at++;
            }
            return switch (value.charAt(at)) {
                case '\r', '\n' -> ", such as the line break after " + Quotation.of(value.substring(0, at));
                case '\t' -> ", such as the tab after " + Quotation.of(value.substring(0, at));
                default -> ": " + Quotation.of(value);
            };
        }
    }

    static boolean hasControls(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                return true;
            }
        }
        return false;
    }
}
