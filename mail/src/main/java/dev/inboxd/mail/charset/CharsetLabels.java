package dev.inboxd.mail.charset;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Labels of charsets as senders write them: misspelt, in quotes, with signs that stick to them (ruling 137). */
final class CharsetLabels {
    private static final int MAX_LABEL = 80;
    private static final String CHARSET = "charset=";
    /** What may stick to a label. */
    private static final String SIGNS = "'\"`\u2018\u2019\u201C\u201D;,:.<>()[]= \t\r\n";

    /** Labels that are no charset of the JDK and have a meaning. */
    private static final Set<String> OTHERS =
            Set.of("us-ascii", "ascii", "unknown-8bit", "utf-7", "unicode-1-1-utf-7", "hz-gb-2312");

    /** Labels that in practice mean a larger charset, or one with another name. */
    private static final Map<String, Charset> ALIASES = aliases(
            "iso-8859-1 windows-1252",
            "iso8859-1 windows-1252",
            "iso_8859-1 windows-1252",
            "latin1 windows-1252",
            "latin-1 windows-1252",
            "cp1252 windows-1252",
            "iso-8859-8-i iso-8859-8",
            "iso-8859-8-e iso-8859-8",
            "iso-8859-9 windows-1254",
            "iso-8859-11 x-windows-874",
            "tis-620 x-windows-874",
            "windows-874 x-windows-874",
            "gb2312 gb18030",
            "gbk gb18030",
            "x-gbk gb18030",
            "cp936 gb18030",
            "gb_2312-80 gb18030",
            "euc-cn gb18030",
            "big5 big5-hkscs",
            "cp950 big5-hkscs",
            "ks_c_5601-1987 x-windows-949",
            "ks_c_5601 x-windows-949",
            "euc-kr x-windows-949",
            "korean x-windows-949",
            "ksc5601 x-windows-949",
            "cp949 x-windows-949",
            "shift_jis windows-31j",
            "shift-jis windows-31j",
            "sjis windows-31j",
            "x-sjis windows-31j",
            "ms_kanji windows-31j",
            "cp932 windows-31j",
            "iso-2022-jp x-windows-50221",
            "csiso2022jp x-windows-50221",
            "cp50220 x-windows-50221",
            "iso-2022-jp-1 x-windows-50221",
            "iso-2022-jp-ms x-windows-50221",
            "cp-850 ibm850",
            "cp-437 ibm437",
            "macintosh x-macroman",
            "mac x-macroman",
            "x-mac-roman x-macroman",
            "x-mac-cyrillic x-maccyrillic",
            "utf8 utf-8",
            "utf-8 utf-8",
            "unicode-1-1-utf-8 utf-8",
            "unicode utf-16",
            "utf8mb4 utf-8",
            "koi8 koi8-r",
            "ansi windows-1252");

    private static final Map<String, Charset> COMMON = Stream.of(
                    StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1)
            .collect(Collectors.toUnmodifiableMap(
                    charset -> charset.name().toLowerCase(Locale.ROOT), Function.identity()));

    private CharsetLabels() {}

    /** By their letters and digits alone, all labels that mean something; made when the first misspelt one comes. */
    private static final class Spellings {
        private static final Map<String, String> ALL = all();

        private static Map<String, String> all() {
            var all = new HashMap<String, String>();
            ALIASES.keySet().forEach(label -> all.put(squeezed(label), label));
            OTHERS.forEach(label -> all.putIfAbsent(squeezed(label), label));
            all.put("hz", "hz-gb-2312");
            all.put("hzgb", "hz-gb-2312");
            for (int page = 1250; page <= 1258; page++) {
                for (String name : new String[] {"", "win", "cp", "wincp", "windowscp", "mswin", "ms", "ansi"}) {
                    all.put(name + page, "windows-" + page);
                }
            }
            Charset.availableCharsets().values().forEach(charset -> {
                String name = charset.name().toLowerCase(Locale.ROOT);
                all.putIfAbsent(squeezed(name), name);
                charset.aliases().forEach(alias -> all.putIfAbsent(squeezed(alias.toLowerCase(Locale.ROOT)), name));
            });
            return Map.copyOf(all);
        }
    }

    /**
     * The label that is meant, in lower case: as it stands where that is known, else as it would be without what sticks
     * to it and in its usual spelling; the label itself when that is not known either.
     */
    static String resolve(String label) {
        String name = label.strip().toLowerCase(Locale.ROOT);
        if (name.isEmpty() || name.length() > MAX_LABEL || isKnown(name)) {
            return name;
        }
        String plain = plain(name);
        while (!plain.isEmpty() && !isKnown(plain)) {
            String spelling = Spellings.ALL.get(squeezed(plain));
            if (spelling != null) {
                return spelling;
            }
            int start = plain.startsWith("x-") || plain.startsWith("x_") ? 2 : plain.startsWith("_") ? 1 : 0;
            if (start == 0) {
                return name;
            }
            plain = plain(plain.substring(start));
        }
        return plain.isEmpty() ? name : plain;
    }

    /** The charset of a label; null when it means none. */
    static @Nullable Charset charset(String label) {
        String name = resolve(label);
        var alias = ALIASES.get(name);
        return alias != null ? alias : ofJdk(name);
    }

    /** Whether a label says something that means nothing. */
    static boolean isUnknown(String label) {
        String name = resolve(label);
        return !name.isEmpty() && !isKnown(name);
    }

    private static boolean isKnown(String name) {
        return ALIASES.containsKey(name) || OTHERS.contains(name) || ofJdk(name) != null;
    }

    private static @Nullable Charset ofJdk(String name) {
        Charset common = COMMON.get(name);
        return common != null ? common : OfJdk.ALL.get(name);
    }

    /** All charsets of the JDK by their names and aliases: a look at those costs nothing for a name that means none. */
    private static final class OfJdk {
        private static final Map<String, Charset> ALL = all();

        private static Map<String, Charset> all() {
            Map<String, Charset> all = new HashMap<>();
            Charset.availableCharsets().values().forEach(charset -> {
                charset.aliases().forEach(alias -> all.putIfAbsent(alias.toLowerCase(Locale.ROOT), charset));
                all.put(charset.name().toLowerCase(Locale.ROOT), charset);
            });
            return Map.copyOf(all);
        }
    }

    /** Without signs at its ends, the name of the parameter before it, and what follows a sign, as in "…$ESC". */
    private static String plain(String name) {
        String plain = name;
        int equals = plain.lastIndexOf(CHARSET);
        plain = equals < 0 ? plain : plain.substring(equals + CHARSET.length());
        plain = plain.startsWith("3d") ? plain.substring(2) : plain; // an escape of quoted-printable that stayed
        int start = 0;
        while (start < plain.length() && SIGNS.indexOf(plain.charAt(start)) >= 0) {
            start++;
        }
        int end = start;
        while (end < plain.length() && plain.charAt(end) != '$' && isOfName(plain.charAt(end))) {
            end++;
        }
        return plain.substring(start, end);
    }

    /** A blank may stand for the dash of a label. */
    private static boolean isOfName(char c) {
        return c == ' ' || SIGNS.indexOf(c) < 0;
    }

    private static String squeezed(String label) {
        var letters = new StringBuilder(label.length());
        label.chars()
                .filter(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
                .forEach(c -> letters.append((char) c));
        return letters.toString();
    }

    private static Map<String, Charset> aliases(String... pairs) {
        var aliases = new HashMap<String, Charset>();
        for (String pair : pairs) {
            int space = pair.indexOf(' ');
            aliases.put(pair.substring(0, space), Charset.forName(pair.substring(space + 1)));
        }
        return Map.copyOf(aliases);
    }
}
