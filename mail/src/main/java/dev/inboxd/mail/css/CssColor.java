package dev.inboxd.mail.css;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A colour (CSS Color 4).
 *
 * @param rgb red, green and blue in one number
 * @param alpha how much of it covers what is behind, from 0 to 1
 */
public record CssColor(int rgb, double alpha) {
    public static final CssColor WHITE = new CssColor(0xFFFFFF, 1);
    public static final CssColor BLACK = new CssColor(0, 1);
    static final CssColor TRANSPARENT = new CssColor(0, 0);

    /** The contrast below which nobody can read (WCAG 2 has 21 for black on white and 1 for the same colour). */
    private static final double LEAST_CONTRAST = 1.05;

    /** Colours of one brightness that are as far apart as this in red, green or blue are told apart. */
    private static final int APART = 110;

    private static final int ALIKE = 60;
    private static final double FAINT = 0.1;
    private static final int MAX_ATTRIBUTE = 128;
    private static final Map<String, Integer> NAMES = names();

    private static Map<String, Integer> names() {
        Map<String, Integer> names = new HashMap<>();
        try (InputStream in = CssColor.class.getResourceAsStream("colors.txt")) {
            if (in == null) {
                throw new IllegalStateException("colors.txt is missing");
            }
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (!line.startsWith("#")) {
                    int space = line.indexOf(' ');
                    names.put(line.substring(0, space), Integer.parseInt(line.substring(space + 1), 16));
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return Map.copyOf(names);
    }

    /** The colour of a value in small letters; null for one that is not read, or is none. */
    public static @Nullable CssColor of(String value) {
        if (value.startsWith("#")) {
            return hex(value.substring(1));
        }
        if (value.equals("transparent")) {
            return TRANSPARENT;
        }
        Integer named = NAMES.get(value);
        if (named != null) {
            return new CssColor(named, 1);
        }
        int open = value.indexOf('(');
        return open > 0 && value.endsWith(")")
                ? function(value.substring(0, open), value.substring(open + 1, value.length() - 1))
                : null;
    }

    /** The colour that systems have for a name of theirs, such as {@code windowtext}; null for other names. */
    static @Nullable CssColor ofSystem(String value) {
        return switch (value) {
            case "windowtext", "canvastext", "buttontext", "fieldtext", "captiontext", "infotext", "menutext" -> BLACK;
            case "window", "canvas", "field", "infobackground", "highlighttext" -> WHITE;
            case "buttonface", "menu", "threedface", "appworkspace", "scrollbar" -> new CssColor(0xF0F0F0, 1);
            case "graytext" -> new CssColor(0x6D6D6D, 1);
            case "linktext", "highlight", "activetext" -> new CssColor(0x0000EE, 1);
            default -> null;
        };
    }

    /** The colour of an attribute, which every word is (HTML, "rules for parsing a legacy colour value"). */
    public static @Nullable CssColor ofAttribute(String value) {
        String text = value.strip().toLowerCase(Locale.ROOT);
        Integer named = NAMES.get(text);
        if (named != null || text.isEmpty() || text.equals("transparent")) {
            return named == null ? null : new CssColor(named, 1);
        }
        if (text.length() == 4 && text.charAt(0) == '#' && hex(text.substring(1)) != null) {
            return hex(text.substring(1));
        }
        StringBuilder digits = new StringBuilder();
        text.codePoints()
                .limit(MAX_ATTRIBUTE)
                .forEach(c ->
                        digits.append(c > 0xFFFF ? "00" : c < 128 && Character.digit(c, 16) >= 0 ? (char) c : '0'));
        String hex = digits.substring(text.charAt(0) == '#' ? 1 : 0);
        hex += "0".repeat(hex.isEmpty() ? 3 : (3 - hex.length() % 3) % 3);
        return legacy(hex);
    }

    /** The first two digits of each third, without what all three begin with in vain. */
    private static CssColor legacy(String hex) {
        int length = hex.length() / 3;
        int from = Math.max(0, length - 8);
        int digits = length - from;
        while (digits > 2
                && hex.charAt(from) == '0'
                && hex.charAt(length + from) == '0'
                && hex.charAt(2 * length + from) == '0') {
            from++;
            digits--;
        }
        int rgb = 0;
        for (int part = 0; part < 3; part++) {
            int start = part * length + from;
            rgb = rgb << 8 | Integer.parseInt(hex, start, start + Math.min(2, digits), 16);
        }
        return new CssColor(rgb, 1);
    }

    private static @Nullable CssColor hex(String digits) {
        int length = digits.length();
        boolean brief = length == 3 || length == 4;
        if (!brief && length != 6 && length != 8) {
            return null;
        }
        long value = 0;
        for (int i = 0; i < length; i++) {
            int digit = Character.digit(digits.charAt(i), 16);
            if (digit < 0) {
                return null;
            }
            value = brief ? value << 8 | digit * 17L : value << 4 | digit;
        }
        boolean opaque = length % 4 != 0;
        return opaque ? new CssColor((int) value, 1) : new CssColor((int) (value >> 8), (value & 0xFF) / 255.0);
    }

    private static @Nullable CssColor function(String name, String arguments) {
        List<CssLength> parts = new ArrayList<>();
        for (String word : CssText.split(arguments, " \t\r\n,/")) {
            CssLength part = CssLength.of(word);
            if (part == null) {
                return null;
            }
            parts.add(part);
        }
        if (parts.size() != 3 && parts.size() != 4) {
            return null;
        }
        double alpha = parts.size() == 4 ? share(parts.get(3), 1) : 1;
        return switch (name) {
            case "rgb", "rgba" -> {
                int rgb = 0;
                for (int i = 0; i < 3; i++) {
                    rgb = rgb << 8 | (int) Math.round(share(parts.get(i), 255) * 255);
                }
                yield new CssColor(rgb, alpha);
            }
            case "hsl", "hsla" ->
                new CssColor(ofHue(parts.get(0).number(), share(parts.get(1), 100), share(parts.get(2), 100)), alpha);
            default -> null;
        };
    }

    /** The share of the range, from 0 to 1. */
    private static double share(CssLength part, double range) {
        return Math.clamp(part.number() / (part.unit().equals("%") ? 100 : range), 0, 1);
    }

    // CSS Color 4 §7.1
    private static int ofHue(double hue, double saturation, double lightness) {
        int rgb = 0;
        for (int n : new int[] {0, 8, 4}) {
            double k = ((n + hue / 30) % 12 + 12) % 12;
            double a = saturation * Math.min(lightness, 1 - lightness);
            double part = lightness - a * Math.max(-1, Math.min(1, Math.min(k - 3, 9 - k)));
            rgb = rgb << 8 | (int) Math.round(part * 255);
        }
        return rgb;
    }

    /** It as {@code #rrggbb}, without its alpha. */
    public String hex() {
        return "#" + Integer.toHexString(0x1000000 | rgb).substring(1);
    }

    private int part(int shift) {
        return rgb >> shift & 0xFF;
    }

    /** This colour before another one. */
    public CssColor over(CssColor ground) {
        if (alpha >= 1) {
            return this;
        }
        int mixed = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            mixed = mixed << 8 | (int) Math.round(part(shift) * alpha + ground.part(shift) * (1 - alpha));
        }
        return new CssColor(mixed, 1);
    }

    /** Whether nobody can see letters of this colour on the other. */
    public boolean isUnseenOn(CssColor ground) {
        CssColor letters = over(ground);
        for (int shift = 16; shift >= 0; shift -= 8) {
            if (Math.abs(letters.part(shift) - ground.part(shift)) > APART) {
                return false;
            }
        }
        return letters.contrast(ground) < LEAST_CONTRAST;
    }

    /** The contrast of two colours (WCAG 2.1, "contrast ratio"): 1 for the same, 21 for black and white. */
    public double contrast(CssColor color) {
        double luminance = luminance() + 0.05;
        double colorLuminance = color.luminance() + 0.05;
        return Math.max(luminance, colorLuminance) / Math.min(luminance, colorLuminance);
    }

    /** Whether letters of this colour are hard to see on the other. */
    public boolean isLike(CssColor ground) {
        int distance = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            distance += Math.abs(part(shift) - ground.part(shift));
        }
        return alpha < FAINT || distance <= ALIKE;
    }

    // WCAG 2.1, "relative luminance"
    private double luminance() {
        return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
    }

    private double linear(int shift) {
        double part = part(shift) / 255.0;
        return part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    }
}
