package dev.inboxd.mail.markdown.inline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The text of one block: characters and how each looks. Runs of spaces are one; none stands at the ends of lines.
 * Used by one thread.
 */
public final class InlineText {
    /** Strong emphasis. */
    public static final int BOLD = Characters.BOLD;
    /** Emphasis. */
    public static final int ITALIC = Characters.ITALIC;
    /** Struck through. */
    public static final int STRUCK = Characters.STRUCK;
    /** Code. */
    public static final int CODE = Characters.CODE;

    private static final int MARKS = BOLD | ITALIC | STRUCK;

    private char[] chars = new char[256];
    private int[] looks = new int[256];
    private int length;
    private boolean space;
    private boolean newline;
    private boolean codeEnded;
    private String between = "";
    private int part;
    private final List<String> targets = new ArrayList<>();
    private int link;
    private final MailCharacters characters = new MailCharacters();

    /** Whether nothing was added but spaces. */
    public boolean isEmpty() {
        return length == 0;
    }

    /** Whether the next word begins a line. */
    public boolean isAtLineStart() {
        return length == 0 || newline;
    }

    /** Begins anew. */
    public void clear() {
        length = 0;
        space = false;
        newline = false;
        between = "";
        part = 0;
        targets.clear();
        link = 0;
        characters.begin();
    }

    /** What follows is the text of a link. */
    public void beginLink(String target) {
        targets.add(target);
        link = targets.size() << Characters.LINK;
    }

    /** The text of a link ends. */
    public void endLink() {
        link = 0;
    }

    /** Code ends: a space behind it is none of it. */
    public void endCode() {
        codeEnded = true;
    }

    /** A space, unless one stands there. */
    public void space() {
        space = true;
        characters.begin();
    }

    /** The next word begins a line. */
    public void lineBreak() {
        newline |= length > 0;
        characters.begin();
    }

    /**
     * What follows is a part of its own, such as a cell: controls of direction that were left open are closed.
     *
     * @param sign what stands between it and the words before it in its line
     */
    public void beginPart(String sign) {
        for (char c : Directions.missing(chars, part, length)) {
            add(c, 0);
        }
        part = length;
        between = sign;
        characters.begin();
    }

    /** Adds text of a mail, in which every white space is a space. */
    public void append(CharSequence text, int style) {
        for (int i = 0; i < text.length(); ) {
            int c = Character.codePointAt(text, i);
            int normalized = characters.normalize(text, i);
            if (normalized == ' ') {
                space = true;
            } else if (normalized >= 0) {
                put(normalized, style | link);
            }
            i += Character.charCount(c);
        }
    }

    /** Adds the words of a picture, between brackets. */
    public void appendPicture(CharSequence words, int style) {
        put('[', style | link | Characters.OWN);
        space = false;
        append(words, style);
        space = false;
        put(']', style | link | Characters.OWN);
        characters.begin();
    }

    /** Adds a box to check, at the beginning of an item. */
    public void appendBox(boolean checked) {
        put('[', Characters.OWN);
        put(checked ? 'x' : ' ', Characters.OWN);
        put(']', Characters.OWN);
        space = true;
    }

    /** Adds a picture without words, which is seen all the same: a link may consist of it. */
    public void appendPicture() {
        put(Characters.PICTURE, link | Characters.OWN);
    }

    /** Adds a sign of the renderer's own between two letters or digits, such as the one before a raised number. */
    public boolean joins(char sign, char next, int style) {
        boolean between = length > 0
                && !space
                && !newline
                && Character.isLetterOrDigit(chars[length - 1])
                && Character.isLetterOrDigit(next);
        if (between) {
            put(sign, style | link);
        }
        return between;
    }

    private void put(int c, int style) {
        if (newline) {
            add('\n', 0);
        } else if (!between.isEmpty() && length > 0) {
            between.chars().forEach(sign -> add((char) sign, 0));
        } else if (space && length > 0) {
            int before = looks[length - 1];
            int shared = before & style & MARKS;
            boolean code = (before & style & CODE) != 0 && !codeEnded;
            add(
                    ' ',
                    shared
                            | (code ? CODE : 0)
                            | (before >> Characters.LINK == style >> Characters.LINK
                                    ? style >> Characters.LINK << Characters.LINK
                                    : 0));
        }
        newline = false;
        space = false;
        between = "";
        codeEnded = false;
        if (Character.isBmpCodePoint(c)) {
            add((char) c, style);
        } else {
            add(Character.highSurrogate(c), style);
            add(Character.lowSurrogate(c), style);
        }
    }

    private void add(char c, int style) {
        if (length == chars.length) {
            chars = Arrays.copyOf(chars, 2 * length);
            looks = Arrays.copyOf(looks, 2 * length);
        }
        chars[length] = c;
        looks[length++] = style;
    }

    /** Code has no emphasis but such as all of it has: signs in it would be part of it. */
    private void shareLooksOfCode() {
        for (int start = 0; start < length; ) {
            int shared = MARKS;
            int end = start;
            while (end < length
                    && (looks[end] & CODE) != 0
                    && looks[end] >> Characters.LINK == looks[start] >> Characters.LINK) {
                shared &= looks[end++];
            }
            for (int i = start; i < end; i++) {
                looks[i] = (looks[i] & ~MARKS) | shared;
            }
            start = Math.max(end, start + 1);
        }
    }

    /** Writes it as it stands in a place; it stays as it is. */
    public InlineMarkdown write(Place place) {
        int end = length;
        shareLooksOfCode();
        if (place.closesDirections()) {
            for (char c : Directions.missing(chars, 0, length)) {
                add(c, 0);
            }
        }
        Characters view = new Characters(chars, looks, length, List.copyOf(targets));
        InlineMarkdown written = new InlineWriter(view, place).write();
        length = end;
        return written;
    }
}
