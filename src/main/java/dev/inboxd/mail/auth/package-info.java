/**
 * Common parts of the origin checks: their DNS lookups, the words of their results, and the Authentication-Results
 * field that contains them (RFC 8601). No I/O of its own: the receiving server supplies the resolver. The checks are
 * in {@code mail.spf}, {@code mail.dkim}, {@code mail.arc} and {@code mail.dmarc}.
 */
@NullMarked
package dev.inboxd.mail.auth;

import org.jspecify.annotations.NullMarked;
