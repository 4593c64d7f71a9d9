/**
 * DMARC (RFC 9989): whether the domain of the author stands behind the message, and what that domain asks for when it
 * does not. Organizational domains are found by walking up the DNS tree, without a list of public suffixes.
 */
@NullMarked
package dev.inboxd.mail.dmarc;

import org.jspecify.annotations.NullMarked;
