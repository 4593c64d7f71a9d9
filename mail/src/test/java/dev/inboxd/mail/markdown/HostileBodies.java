package dev.inboxd.mail.markdown;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** HTML bodies of a MiB that are made to cost time or memory, by what is in them. */
final class HostileBodies {
    private static final int OCTETS = 1024 * 1024;
    private static final String LONG = "x".repeat(20_000);

    private HostileBodies() {}

    /** All of them. */
    static Map<String, Supplier<String>> all() {
        Map<String, Supplier<String>> all = new LinkedHashMap<>();
        for (String piece : new String[] {
            "<div>",
            "<p>a",
            "<b>",
            "<blockquote>",
            "<ul><li>",
            "<table><tr><td>",
            "<a href=https://a.test/>",
            "<h1><div>",
            "<span style='color:red'>",
            "<pre>",
            "<code>`"
        }) {
            all.put("nested " + piece, () -> "<p>" + piece.repeat(OCTETS / piece.length()));
        }
        for (String piece : new String[] {
            "*",
            "_",
            "`",
            "[",
            "]",
            "![a](b)",
            "<",
            "&lt;",
            "&amp;amp;",
            "&#42;",
            "~",
            "\\",
            "|",
            "#",
            "> ",
            "1. ",
            "- ",
            "**a",
            "a**",
            "_a_ ",
            "``` ",
            "\u202E",
            "\u2069",
            "\u200D",
            "\uD83D\uDE00\u200D",
            "\u3042",
            "a&nbsp;",
            "&NotEqualTilde;"
        }) {
            int length = piece.getBytes(StandardCharsets.UTF_8).length;
            all.put("text " + piece, () -> "<p>" + piece.repeat(OCTETS / length));
        }
        for (String piece : new String[] {
            "<a href=https://a.test/>a</a>",
            "<a href=https://a.test/>a</a>!",
            "<b>a</b>",
            "<b>a</b><i>b</i>",
            "<b>*</b>",
            "<i>a</i>_",
            "<s>a</s>~",
            "<code>`</code>",
            "<img alt=a>",
            "<a href=//x><img alt=a></a>",
            "a<br>",
            "<br>",
            "<td>a",
            "<tr><td>a",
            "<li>a",
            "<p>a",
            "<hr>",
            "<i></i>",
            "<input type=checkbox>",
            "<sup>1</sup>",
            "<blockquote type=cite>a</blockquote>b",
            "<pre>a</pre>",
            "<pre>a</pre><blockquote type=cite>a</blockquote>b",
            "<p class=list>\u00B7 a",
            "<p style='mso-list:l0 level1'><span style='mso-list:ignore'>1.</span>a",
            "<h1>a</h1>",
            "<p dir=rtl>\u05D0",
            "<p style='color:red'>a",
            "<font color=red>a</font>"
        }) {
            all.put("row of " + piece, () -> "<div>" + piece.repeat(OCTETS / piece.length()));
        }
        String wide =
                "<table width='100%'><tr><td><img alt=a><td><img alt=a><tr><td><img alt=a><td><img alt=a></table>";
        all.put("wide tables", () -> wide.repeat(OCTETS / wide.length()));
        all.put(
                "a table of rows",
                () -> "<table><tr><th>a" + "<th>".repeat(39) + "<tr><td>a".repeat(6_000) + "</table>");
        all.put("a table of empty cells", () -> "<table><tr><th>a" + "<td>".repeat(19_000));
        all.put("spanned cells", () -> "<table><tr><th>a<th>b" + "<tr><td rowspan=1000 colspan=1000>a".repeat(9_000));
        all.put("tables in tables", () -> "<table><tr><td>a<td>".repeat(80) + "<i>a</i>".repeat(40_000));
        String heads = "<table><tr><th>a<td>".repeat(80);
        all.put("headed tables in tables", () -> heads + "<i>a</i>".repeat(40_000));
        all.put(
                "long attributes",
                () -> "<p><b class='" + "a ".repeat(10_000) + "' style='" + LONG + "'>" + "<p>x".repeat(60_000));
        all.put("long declarations", () -> "<p><b style='" + "top:1px;".repeat(4_000) + "'>" + "<p>x".repeat(60_000));
        all.put(
                "long marks",
                () -> "<div style='mso-list:l0 level1'><span style='mso-list:ignore'>1.</span><p><b style='" + LONG
                        + "'>" + "<p>x".repeat(60_000));
        all.put("long targets", () -> "<p><a href='https://a.test/" + LONG + "'>" + "x<p>".repeat(60_000));
        all.put("declarations without colons", () -> "<p style='" + "a;".repeat(OCTETS / 2) + "'>a");
        all.put("declarations with comments", () -> "<p style='/**/" + "top:1;".repeat(OCTETS / 6) + "'>a");
        all.put(
                "rules and elements",
                () -> "<style>" + ".a .b .c{color:red}".repeat(1_900) + "p{color:red}</style>"
                        + "<div class=a><div class=b>" + "<p class='c b a'>x".repeat(40_000));
        all.put(
                "rules of classes",
                () -> "<style>" + ".a{top:1px;left:1px}".repeat(1_900) + "</style>" + "<p class=a>x".repeat(60_000));
        all.put(
                "rules of attributes",
                () -> "<style>" + "[title*=ab]{top:1px}".repeat(1_900) + "</style>"
                        + ("<p title=" + "a".repeat(200) + ">x").repeat(4_500));
        all.put(
                "lines in items",
                () -> "<ol start=999999999><li>a".repeat(16) + "<pre>" + "x\n".repeat(OCTETS / 2 - 500));
        all.put(
                "lines in items of quotations",
                () -> "<blockquote><ol start=99999999><li>a".repeat(8) + "x<br>".repeat(70_000));
        all.put("lines of quotations", () -> "<pre>" + "On 1.1.2025 a@b.test wrote:\n&gt; a\nb\n".repeat(25_000));
        all.put("relative links", () -> "<base href=https://a.test/>" + numbered("<a href=b%d>a</a>", 45_000));
        all.put("links", () -> numbered("<a href=https://r.test/%d>a</a> ", 30_000));
        all.put("links that track", () -> numbered("<a href=https://r.test/%d?utm_a=1>a</a> ", 25_000));
        all.put("a link that tracks", () -> "<a href=https://r.test/?utm_a=1>a</a> ".repeat(25_000));
        all.put("links that redirect", () -> numbered("<a href=https://r.test/?u=https://a.test/%d>a</a> ", 20_000));
        all.put("styles", () -> numbered("<p style='top:%dpx;left:1px;color:red'>a", 25_000));
        all.put(
                "classes",
                () -> "<style>" + numbered(".a%d{color:red}", 1_900) + "</style>" + numbered("<p class=a%d>a", 60_000));
        all.put("pictures and words", () -> numbered("<a href=https://a.test/%d><img alt=a></a><i></i>", 20_000));
        return all;
    }

    private static String numbered(String piece, int times) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < times; i++) {
            all.append(piece.replace("%d", Integer.toString(i % 2_000)));
        }
        return all.toString();
    }
}
