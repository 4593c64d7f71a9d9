package dev.inboxd.console.session;

import java.net.URI;
import java.util.Optional;

/**
 * What the settings say of the console.
 *
 * @param access who sees it
 * @param token what opens it where it is open; empty elsewhere
 * @param publicUrl where the service is reached from outside
 * @param contentUrl another origin of this server, from which formatted mail is shown; empty: it is not shown
 * @param payments whether calls are paid for anywhere
 * @param domain the default domain of inboxes
 */
public record ConsoleConfig(
        ConsoleAccess access,
        Optional<OperatorToken> token,
        URI publicUrl,
        Optional<URI> contentUrl,
        String domain,
        boolean payments) {}
