/**
 * What happens to a message once the SMTP dialogue has its bytes: authentication (RFC 8601), content filters, lists,
 * limits, and the batch that stores it in the inboxes of its recipients. Nothing is answered 250 before its commit.
 */
@NullMarked
package dev.inboxd.inbound;

import org.jspecify.annotations.NullMarked;
