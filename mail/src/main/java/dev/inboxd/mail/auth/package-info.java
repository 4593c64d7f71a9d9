/**
 * What the checks of a message's origin share: the DNS lookups, the results, and the Authentication-Results field
 * (RFC 8601). No I/O of its own: the caller brings the DNS. The checks are in {@code mail.spf}, {@code mail.dkim},
 * {@code mail.arc} and {@code mail.dmarc}.
 */
@NullMarked
package dev.inboxd.mail.auth;

import org.jspecify.annotations.NullMarked;
