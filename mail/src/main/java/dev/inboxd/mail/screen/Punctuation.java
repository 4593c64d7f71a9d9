package dev.inboxd.mail.screen;

/** Punctuation marks as one of their kind. */
final class Punctuation {
    private Punctuation() {}

    /** The ASCII mark that stands for a mark; quotation marks of sentences become {@code "}. */
    static char of(char mark) {
        return switch (mark) {
            case '“', '”', '„', '‟', '«', '»', '「', '」', '『', '』', '《', '》', '＂' -> '"';
            case '‘', '’', '‚', '‛', '′', '＇' -> '\'';
            case '。', '．', '।' -> '.';
            case '！' -> '!';
            case '？', '؟' -> '?';
            case '：' -> ':';
            case '；', '؛' -> ';';
            case '，', '、', '،' -> ',';
            case '‐', '‑', '–', '—', '−' -> '-';
            case '＜', '〈', '‹' -> '<';
            case '＞', '〉', '›' -> '>';
            case '［', '【' -> '[';
            case '］', '】' -> ']';
            case '｜' -> '|';
            case '（' -> '(';
            case '）' -> ')';
            case '＃' -> '#';
            default -> mark;
        };
    }

    /** Whether a sentence ends here. */
    static boolean endsSentence(char mark) {
        return mark == '.' || mark == '!' || mark == '?';
    }
}
