package dev.inboxd.mail.message;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Cleans file names of parts: no path, no control or direction characters, no reserved name, no excessive length. */
public final class FileNames {
    private static final int MAX_LENGTH = 255;
    private static final int MAX_EXTENSION = 16;
    private static final Set<String> DEVICES = Set.of("con", "prn", "aux", "nul", "conin$", "conout$");

    private FileNames() {}

    /**
     * The cleaned file name of a Content-Disposition field in mail or HTTP, or null when it has none.
     *
     * @param field the field body, one character per octet
     */
    public static @Nullable String ofDisposition(String field) {
        return clean(new Parameters(field, EnumSet.noneOf(Defect.class)).text("filename"));
    }

    /** The cleaned name, or null when nothing remains. */
    public static @Nullable String clean(@Nullable String name) {
        if (name == null) {
            return null;
        }
        int path = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
        var cleaned = new StringBuilder(name.length());
        name.codePoints().skip(path + 1).filter(FileNames::isHarmless).forEach(cleaned::appendCodePoint);
        var result = cleaned.toString().strip();
        while (result.endsWith(".") || result.endsWith(" ")) {
            result = result.substring(0, result.length() - 1);
        }
        if (result.isEmpty()) {
            return null;
        }
        return shortened(isDevice(result) ? '_' + result : result);
    }

    private static boolean isHarmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> "<>:|?*".indexOf(c) < 0;
        };
    }

    // "nul.txt" opens a device on Windows, whatever the extension.
    private static boolean isDevice(String name) {
        int dot = name.indexOf('.');
        var stem = (dot < 0 ? name : name.substring(0, dot)).strip().toLowerCase(Locale.ROOT);
        // Windows treats superscript digits like digits.
        boolean numbered = stem.length() == 4
                && (Character.isDigit(stem.charAt(3)) || "¹²³".indexOf(stem.charAt(3)) >= 0)
                && (stem.startsWith("com") || stem.startsWith("lpt"));
        return numbered || DEVICES.contains(stem);
    }

    private static String shortened(String name) {
        if (name.length() <= MAX_LENGTH) {
            return name;
        }
        int dot = name.lastIndexOf('.');
        var extension = dot < 0 || name.length() - dot > MAX_EXTENSION ? "" : name.substring(dot);
        int end = MAX_LENGTH - extension.length();
        return name.substring(0, Character.isHighSurrogate(name.charAt(end - 1)) ? end - 1 : end) + extension;
    }
}
