package dev.inboxd.mailbox;

import java.nio.file.Path;

/**
 * What the settings say of mail that is kept.
 *
 * @param fetched the folder of attachments by URL while they are fetched
 * @param downloadsPerTarget downloads under way from one host, at most
 */
public record MailboxConfig(Path fetched, int downloadsPerTarget) {}
