package dev.inboxd.mail.address;

import java.util.Random;

/** Names that are hard to show: whatever a sender may call itself, and what would mislead a reader of lists. */
public final class GeneratedNames {
    private static final String[] PIECES = {
        "Ann",
        "Lee",
        " ",
        " ",
        "  ",
        ",",
        ";",
        ":",
        "<",
        ">",
        "(",
        ")",
        "[",
        "]",
        "@",
        "\\",
        "\"",
        ".",
        "'",
        "=",
        "?",
        "third@victim.example",
        "<third@victim.example>",
        "x <third@victim.example>, Bob",
        "=?utf-8?q?Bob?=",
        "undisclosed-recipients:;",
        "\t",
        "\u0001",
        "\u007F",
        "\u0085",
        "\u00A0",
        "\u200B",
        "\u202E",
        "\u2028",
        "é",
        "日本",
        "🚀",
        "\uFF20",
        "mailto:third@victim.example",
        "(c)",
        "\\\"",
        "\",",
        "\" <",
        "%",
        "+",
        "-",
        "&amp;",
        "{}",
        "Inc.",
        "O'Neil",
        "group: third@victim.example;",
        "/",
        "#",
        "null",
        "0"
    };

    private final Random random;

    /** Names from that seed on. */
    public GeneratedNames(long seed) {
        random = new Random(seed);
    }

    /** The next one; it may be blank. */
    public String next() {
        StringBuilder name = new StringBuilder();
        int pieces = 1 + random.nextInt(6);
        for (int i = 0; i < pieces; i++) {
            name.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return name.toString();
    }
}
