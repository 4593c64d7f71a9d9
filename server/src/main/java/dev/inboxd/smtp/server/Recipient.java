package dev.inboxd.smtp.server;

/**
 * A place where mail is stored, as the {@link MailHandler} knows it. The server only compares: addresses with equal
 * recipients are one place, and their message is taken once.
 */
public interface Recipient {}
