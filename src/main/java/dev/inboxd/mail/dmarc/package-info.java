/**
 * DMARC (RFC 9989): whether a message is authenticated for its author's domain, and the domain's policy when it is
 * not. The tree walk over DNS finds domains that belong together, without a list of public suffixes.
 */
@NullMarked
package dev.inboxd.mail.dmarc;

import org.jspecify.annotations.NullMarked;
