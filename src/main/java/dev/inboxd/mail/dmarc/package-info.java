/**
 * DMARC (RFC 9989): whether the domain an author writes from stands behind the message, and what it wants done when it
 * does not. Domains that belong together are found by walking up the DNS tree, without a list of public suffixes.
 */
@NullMarked
package dev.inboxd.mail.dmarc;

import org.jspecify.annotations.NullMarked;
