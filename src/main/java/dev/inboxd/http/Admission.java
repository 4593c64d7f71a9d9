package dev.inboxd.http;

import dev.inboxd.page.PageSeal;

/**
 * What the features bring to every request.
 *
 * @param authenticator knows the keys
 * @param narrowing knows the pods and inboxes
 * @param seal seals page tokens
 */
public record Admission(Authenticator authenticator, Narrowing narrowing, PageSeal seal) {}
