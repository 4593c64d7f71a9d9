/** The two SMTP listeners: mail from other servers, and mail that programs submit. */
@NullMarked
package dev.inboxd.smtp;

import org.jspecify.annotations.NullMarked;
