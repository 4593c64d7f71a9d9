package dev.inboxd.console.mail;

import dev.inboxd.base.vault.Vault;
import dev.inboxd.console.session.ConsoleAccess;
import dev.inboxd.console.session.ConsoleConfig;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Links to the formatted text of one message, at another origin than the console's and without its cookies. */
public final class ContentLinks {
    private static final Duration VALID = Duration.ofMinutes(30);
    private static final int TAG = 16;
    private static final int HEAD = 16 + 8 + 2;
    private static final int LONGEST = 4_096;
    private static final String REMOTE = "\nremote"; // no id of a message has a line end
    private static final String PURPOSE = "console content";

    private final ConsoleConfig config;
    private final Vault vault;
    private final InstantSource clock;

    public ContentLinks(ConsoleConfig config, Vault vault, InstantSource clock) {
        this.config = config;
        this.vault = vault;
        this.clock = clock;
    }

    /**
     * The message behind a link.
     *
     * @param remote whether somebody asked for the pictures that are elsewhere
     */
    record Content(UUID organization, String inbox, String message, boolean remote) {
        /** The message without what is elsewhere. */
        Content(UUID organization, String inbox, String message) {
            this(organization, inbox, message, false);
        }
    }

    /** Whether there is another origin to show formatted mail from. */
    boolean isOffered() {
        return config.contentUrl().isPresent() || isOnThisMachine();
    }

    private boolean isOnThisMachine() {
        return config.access() == ConsoleAccess.OPEN;
    }

    /** The origins of frames, for the policy of a page. */
    public String frames() {
        return config.contentUrl()
                .map(url -> url.getScheme() + "://" + url.getRawAuthority())
                .orElseGet(() -> isOnThisMachine() ? "http://localhost:* http://127.0.0.1:*" : "'none'");
    }

    /** The origins of pages that may frame formatted mail. */
    String ancestors() {
        return isOnThisMachine()
                ? "http://localhost:* http://127.0.0.1:*"
                : config.publicUrl().getScheme() + "://" + config.publicUrl().getRawAuthority();
    }

    /**
     * The host that alone serves formatted mail; empty when it is any of this machine.
     *
     * @return with its port, as in the field Host
     */
    Optional<String> host() {
        return config.contentUrl().map(URI::getRawAuthority);
    }

    /**
     * A link.
     *
     * @param own the host by which the page was opened, so that the frame gets another
     */
    String to(Content content, String own) {
        UUID organization = content.organization();
        String inbox = content.inbox();
        String message = content.message();
        String base = config.contentUrl().map(URI::toString).orElseGet(() -> loopbackAlias(own));
        byte[] names = (inbox + "\n" + message + (content.remote() ? REMOTE : "")).getBytes(StandardCharsets.UTF_8);
        byte[] plain = ByteBuffer.allocate(HEAD + names.length)
                .putLong(organization.getMostSignificantBits())
                .putLong(organization.getLeastSignificantBits())
                .putLong(clock.instant().plus(VALID).getEpochSecond())
                .putShort((short) inbox.length())
                .put(names)
                .array();
        byte[] token = Arrays.copyOf(plain, plain.length + TAG);
        System.arraycopy(tag(plain), 0, token, plain.length, TAG);
        return base + "/console/content/"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(token);
    }

    /** In development: localhost where the page is at an address, and an address where it is at localhost. */
    private static String loopbackAlias(String own) {
        int colon = own.lastIndexOf(':');
        String port = colon < 0 || own.endsWith("]") ? "" : own.substring(colon);
        return "http://" + (own.startsWith("localhost") ? "127.0.0.1" : "localhost") + port;
    }

    /** The message of a token, or null when the token is foreign, altered or over. */
    @Nullable
    Content open(String token) {
        byte[] decoded;
        try {
            decoded = token.length() > LONGEST
                    ? new byte[0]
                    : Base64.getUrlDecoder().decode(token);
        } catch (IllegalArgumentException malformed) {
            return null;
        }
        if (decoded.length < HEAD + TAG) {
            return null;
        }
        byte[] plain = Arrays.copyOf(decoded, decoded.length - TAG);
        if (!MessageDigest.isEqual(tag(plain), Arrays.copyOfRange(decoded, plain.length, decoded.length))) {
            return null;
        }
        ByteBuffer read = ByteBuffer.wrap(plain);
        UUID organization = new UUID(read.getLong(), read.getLong());
        boolean over = clock.instant().getEpochSecond() > read.getLong();
        int inbox = read.getShort();
        String names = new String(plain, HEAD, plain.length - HEAD, StandardCharsets.UTF_8);
        boolean remote = names.endsWith(REMOTE);
        int end = names.length() - (remote ? REMOTE.length() : 0);
        return over
                ? null
                : new Content(organization, names.substring(0, inbox), names.substring(inbox + 1, end), remote);
    }

    private byte[] tag(byte[] plain) {
        String text = Base64.getUrlEncoder().encodeToString(plain);
        return Arrays.copyOf(vault.mac(PURPOSE, text), TAG);
    }
}
