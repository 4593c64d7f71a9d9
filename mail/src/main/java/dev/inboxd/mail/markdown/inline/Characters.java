package dev.inboxd.mail.markdown.inline;

import java.util.List;

/** The characters of a block, for those who write them. */
final class Characters {
    /** Strong emphasis. */
    static final int BOLD = 1;
    /** Emphasis. */
    static final int ITALIC = 2;
    /** Struck through. */
    static final int STRUCK = 4;
    /** Code. */
    static final int CODE = 8;
    /** Written by the renderer and not by the mail: the brackets of pictures. */
    static final int OWN = 16;
    /** Stands for a picture without words; it is not written. */
    static final char PICTURE = '\u200B';

    static final int LINK = 5;

    private final char[] chars;
    private final int[] looks;
    private final int length;
    private final List<String> targets;

    Characters(char[] chars, int[] looks, int length, List<String> targets) {
        this.chars = chars;
        this.looks = looks;
        this.length = length;
        this.targets = targets;
    }

    char[] chars() {
        return chars;
    }

    int[] looks() {
        return looks;
    }

    int length() {
        return length;
    }

    char at(int i) {
        return chars[i];
    }

    boolean is(int i, int style) {
        return (looks[i] & style) != 0;
    }

    int link(int i) {
        return looks[i] >> LINK;
    }

    boolean hasLinks() {
        return !targets.isEmpty();
    }

    String target(int link) {
        return targets.get(link - 1);
    }

    /** Whether the target of a link has a backtick, with which code of a text before it might end. */
    boolean hasTickInTarget() {
        return targets.stream().anyMatch(target -> target.indexOf('`') >= 0);
    }

    /** Whether it is part of a link, of code or of a bracket of ours. */
    boolean isWhole(int i) {
        return (looks[i] & (CODE | OWN)) != 0 || link(i) > 0;
    }

    CharKind kindBefore(int i) {
        return i == 0 ? CharKind.SPACE : CharKind.of(Character.codePointBefore(chars, i, 0));
    }

    CharKind kindAt(int i) {
        return i >= length ? CharKind.SPACE : CharKind.of(Character.codePointAt(chars, i, length));
    }
}
