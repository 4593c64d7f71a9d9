package dev.inboxd.base.database.embedded;

import java.util.List;
import java.util.Locale;

/**
 * The system and processor that the programs run on, and what of the launcher differs by them.
 *
 * @param system {@code Linux}, {@code Mac OS X}, or another that Java names in {@code os.name}
 * @param processor as Java names it in {@code os.arch}
 */
record Platform(String system, String processor) {
    private static final String LINUX = "Linux";
    private static final String MACOS = "Mac OS X";

    static Platform current() {
        return new Platform(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    boolean isMacos() {
        return system.equals(MACOS);
    }

    /**
     * The archive of the programs, by the name that its artefact gives it on the class path. A build for another
     * platform has none of that name.
     */
    String archive() {
        String hardware = switch (processor.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            default -> processor;
        };
        return switch (system) {
            case LINUX -> "/postgres-linux-" + hardware + ".txz";
            case MACOS -> "/postgres-darwin-" + hardware + ".txz";
            default -> "/postgres-" + system.replace(' ', '-') + "-" + hardware + ".txz";
        };
    }

    /** The room that the unpacked programs take. Those for macOS have more libraries with them. */
    int programMegabytes() {
        return isMacos() ? 330 : 70;
    }

    /**
     * The locale of a new cluster as options of {@code initdb}. {@code LC_CTYPE} must know letters beyond ASCII; macOS
     * has no locale {@code C.UTF-8} in every version, and one for the characters alone.
     */
    List<String> localeOptions() {
        return isMacos() ? List.of("--locale=C", "--lc-ctype=UTF-8") : List.of("--locale=C.UTF-8");
    }

    /** The locale in the environment of the programs, one that the system has. */
    String environmentLocale() {
        return isMacos() ? "C" : "C.UTF-8";
    }

    /** How the server is started and tied to this process, see {@link ServerTie}. */
    ServerTie tie() {
        return isMacos() ? ServerTie.BY_PIPE : ServerTie.BY_SIGNAL;
    }
}
