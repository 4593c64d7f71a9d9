package dev.inboxd.sandbox;

import dev.inboxd.sandbox.mail.MailIntake;

/**
 * What the settings say of the world to test in.
 *
 * @param intake what the port of SMTP would say to mail that is handed in
 * @param showsCaptured whether captured mail is shown to whoever asks
 */
public record SandboxConfig(MailIntake.Config intake, boolean showsCaptured) {}
