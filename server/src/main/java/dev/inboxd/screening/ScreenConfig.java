package dev.inboxd.screening;

import dev.inboxd.tenant.organization.SecurityMode;
import java.net.URI;
import java.util.Optional;

/**
 * What the settings say of the screen.
 *
 * @param usual the mode of organizations that chose none
 * @param judge a service of the operator's that is asked as well
 * @param judgeRequired whether mail counts as one that cannot be judged while that service is silent
 */
public record ScreenConfig(SecurityMode usual, Optional<URI> judge, boolean judgeRequired) {}
