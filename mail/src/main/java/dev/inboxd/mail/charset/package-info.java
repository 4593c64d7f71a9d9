/**
 * The charsets of mail: the labels that senders write and what they mean by them, text without a label, and the
 * charsets that the JDK does not have (RFC 1468, RFC 1843, RFC 2152).
 */
@NullMarked
package dev.inboxd.mail.charset;

import org.jspecify.annotations.NullMarked;
