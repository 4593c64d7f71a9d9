/**
 * What the checks of a message's origin have in common: the questions they ask of the DNS, the words of their outcomes,
 * and the Authentication-Results field that says them (RFC 8601). No I/O of its own: whoever receives mail brings the
 * DNS along. The checks are in {@code mail.spf}, {@code mail.dkim}, {@code mail.arc} and {@code mail.dmarc}.
 */
@NullMarked
package dev.inboxd.mail.auth;

import org.jspecify.annotations.NullMarked;
