package dev.inboxd.account.session;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a session was opened.
 *
 * @param device browser and system in words; null where the caller named none
 * @param address the IP address of the caller; null where it is not known
 */
public record SessionOrigin(
        @Nullable String device, @Nullable String address) {
    /** What is read of the header, which may be as long as its sender likes. */
    private static final int MOST = 512;

    /** Words of User-Agent (RFC 9110 §10.1.5), the more special first: every browser claims to be others. */
    private static final List<Map.Entry<String, String>> BROWSERS = List.of(
            Map.entry("Edg", "Edge"),
            Map.entry("OPR/", "Opera"),
            Map.entry("SamsungBrowser/", "Samsung Internet"),
            Map.entry("Firefox/", "Firefox"),
            Map.entry("FxiOS/", "Firefox"),
            Map.entry("Chrome/", "Chrome"),
            Map.entry("CriOS/", "Chrome"),
            Map.entry("Safari/", "Safari"),
            Map.entry("curl/", "curl"));

    private static final List<Map.Entry<String, String>> SYSTEMS = List.of(
            Map.entry("Windows", "Windows"),
            Map.entry("Android", "Android"),
            Map.entry("iPhone", "iPhone"),
            Map.entry("iPad", "iPad"),
            Map.entry("Mac OS X", "macOS"),
            Map.entry("CrOS", "ChromeOS"),
            Map.entry("Linux", "Linux"));

    /** The origin of a request with that header User-Agent: only words of ours are kept of it. */
    public static SessionOrigin of(@Nullable String userAgent, @Nullable String address) {
        return new SessionOrigin(device(userAgent), address);
    }

    private static @Nullable String device(@Nullable String userAgent) {
        if (userAgent == null) {
            return null;
        }
        String read = userAgent.substring(0, Math.min(MOST, userAgent.length()));
        String browser = word(BROWSERS, read);
        String system = word(SYSTEMS, read);
        return browser == null ? system : system == null ? browser : browser + " on " + system;
    }

    private static @Nullable String word(List<Map.Entry<String, String>> words, String read) {
        return words.stream()
                .filter(word -> read.contains(word.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }
}
