package dev.inboxd.mailbox;

import java.nio.file.Path;

/**
 * What the settings say of mail that is kept.
 *
 * @param fetched the folder of attachments by URL while they are fetched
 */
public record MailboxConfig(Path fetched) {}
