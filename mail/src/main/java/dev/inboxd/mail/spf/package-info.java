/**
 * SPF: whether a host may use a domain in its MAIL FROM or HELO (RFC 7208), with all the limits of §4.6.4. {@link
 * dev.inboxd.mail.spf.SpfCheck} is the check_host function.
 */
@NullMarked
package dev.inboxd.mail.spf;

import org.jspecify.annotations.NullMarked;
