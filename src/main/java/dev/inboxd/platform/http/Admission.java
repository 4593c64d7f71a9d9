package dev.inboxd.platform.http;

import dev.inboxd.platform.page.PageSeal;
import dev.inboxd.platform.rate.Pacing;

/**
 * What the features bring to every request.
 *
 * @param authenticator knows the keys
 * @param narrowing knows the pods and inboxes
 * @param seal seals page tokens
 * @param pacing knows how often keys and addresses have called
 */
public record Admission(Authenticator authenticator, Narrowing narrowing, PageSeal seal, Pacing pacing) {}
